// SPDX-License-Identifier: BSD-2-Clause
// Filters one line of blocks: an invocation has 4 lines of samples and marches along them in blocks
// of 8, keeping what the next edge needs.
//
// The loop is the same for all invocations, and what a condition inside it sets has been set before
// on the loop's own level, to something that the compiler cannot know to be 0: otherwise V3D's
// compiler, which takes a conditional write for none, keeps it in a register round the whole loop.

// What becomes of each line, in one word for the reason above: guard bits of both pairs for the
// narrow filter; shifted right by 2 for the one with 8 taps, by 4 for the one with 16.
uint join(uvec2 guards) { return guards.x | (guards.y >> 1); }
uvec2 split(uint joined) { return uvec2(joined, joined << 1) & GUARD; }
const uint NARROW = GUARD | (GUARD >> 1), WIDE_8 = NARROW >> 2;

void narrow_both(inout Quad p, inout Quad q, uint level, uvec2 guards) {
    uint beyond = narrow(p.a, q.a, level, guards.x);
    beyond |= narrow(p.b, q.b, level, guards.y);
    if (beyond != 0) {
        clamp_four(p.a, q.a);
        clamp_four(p.b, q.b);
    }
}

// Bits of the marks that records leave clear.
const uint HELD = 0x80000000u; // the block before this one is held and not stored
const uint FIRST = 8u;         // that one is the block before the first

// The including kernel says where blocks come from and go to:
//   uint block_step(Track track);
//     the way from block to block
//   bool holds_before(Track track);
//     whether there is a block before the first; there must be where the first mark is an edge
//   void load_before(Track track, out Quad far, out Quad p);
//   void load_next(Track track, uint at, out Quad q, out Quad next);
//   void store_held(Track track, bool first, uint at, Quad far, Quad p);
//     the block before `at`; first: which is the block before the first
//   void store_last(Track track, uint at, Quad far, Quad p);
//     the same after the last mark
void march(Track track) {
    uint at = track.at, marks = track.line.marks;
    uvec2 levels = uvec2(track.line.levels_0, track.line.levels_1);
    Quad far, p, q, next; // p7 .. p4, p3 .. p0, q0 .. q3 and q4 .. q7 of the edge before the block
    if (holds_before(track)) {
        load_before(track, far, p);
        marks |= HELD | FIRST;
    }
    while ((marks & ~HELD) != 0) {
        bool needed = (marks & 0x37u) != 0; // also by the edge behind it
        if (needed) load_next(track, at, q, next);
        uint size = marks & 3u;
        if (size != 0) {
            Limits limits = limits_of(levels.x & 0xffu);
            uvec2 guards = uvec2(filter_mask(p.a, q.a, limits), filter_mask(p.b, q.b, limits));
            uint lines = join(guards);
            if (size > FILTER_4) {
                uvec2 flat8 = uvec2(flat_mask(flat_mask(guards.x, p.a.xyz, p.a.w), q.a.yzw, q.a.x),
                                    flat_mask(flat_mask(guards.y, p.b.xyz, p.b.w), q.b.yzw, q.b.x));
                lines ^= join(flat8) | join(flat8) >> 2;
                if ((lines & WIDE_8) != 0) {
                    if (size == FILTER_16) {
                        flat8 = split(lines << 2);
                        uint wider =
                            join(uvec2(flat_mask(flat_mask(flat8.x, far.a, p.a.w), next.a, q.a.x),
                                       flat_mask(flat_mask(flat8.y, far.b, p.b.w), next.b, q.b.x)));
                        lines ^= wider >> 2 | wider >> 4;
                    }
                    if ((lines & WIDE_8) != 0) {
                        uvec2 mask = split(lines << 2);
                        wide_8(p.a, q.a, whole(mask.x));
                        wide_8(p.b, q.b, whole(mask.y));
                    }
                    uvec2 mask = split(lines << 4);
                    if (mask.x != 0) wide_16(far.a, p.a, q.a, next.a, whole(mask.x));
                    if (mask.y != 0) wide_16(far.b, p.b, q.b, next.b, whole(mask.y));
                }
            }
            narrow_both(p, q, levels.x & 0xffu, split(lines));
        }
        if (marks >= HELD) store_held(track, (marks & FIRST) != 0, at, far, p);
        if ((marks & 4u) != 0) {
            Limits limits = limits_of(levels.x & 0xffu);
            uvec2 guards =
                uvec2(filter_mask(q.a, next.a, limits), filter_mask(q.b, next.b, limits));
            narrow_both(q, next, levels.x & 0xffu, guards);
        }
        far = q;
        p = next;
        marks = ((marks & ~HELD) >> 4) | (needed ? HELD : 0);
        levels = uvec2((levels.x >> 8) | (levels.y << 24), levels.y >> 8);
        at += block_step(track);
    }
    if (marks != 0) store_last(track, at, far, p);
}
