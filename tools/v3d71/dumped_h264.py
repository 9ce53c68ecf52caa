# SPDX-License-Identifier: BSD-2-Clause
"""Counts the edges that H.264 deblocking filters in a dumped picture (ITU-T H.264 8.7.2.1)."""

import struct

INTRA, LIST = 7, (3 << 12, 3 << 14)
TRANSFORM_8X8 = 1 << 24
NO_SLICE = 0xFFFF
CAVLC, SWITCHING, LIST_0_ONLY = 1, 2, 4
SLICE = struct.Struct("<I4iI64s")


class Part:
    """A frame, or a field of one: its size in macroblocks, and edges of 16 samples in luma."""

    def __init__(self, mb_width, mb_height, edges, lists=0, strengths_derived=False):
        self.mb_width, self.mb_height, self.edges = mb_width, mb_height, edges
        self.lists, self.strengths_derived = lists, strengths_derived


def given(data, width, height):
    """A part whose strengths came from the decoder."""
    structure, = struct.unpack_from("<I", data)
    lines = 16 if structure == 0 else 32
    mb_width, mb_height = (width + 15) // 16, (height + lines - 1) // lines
    edges = 0
    for n in range(mb_width * mb_height):
        mb = data[4 + 40 * n:44 + 40 * n]
        strengths, flags = mb[:32], mb[37]
        if not flags & 1:
            continue
        for direction in (0, 1):
            at_border = n % mb_width == 0 if direction == 0 else n < mb_width
            for edge in range(4):
                off = at_border or not flags & (4 if direction else 2) if edge == 0 \
                    else edge % 2 and flags & 8
                first = direction * 16 + edge * 4
                edges += not off and any(strengths[first:first + 4])
    return Part(mb_width, mb_height, edges)


def is_mbaff(data):
    """Whether arrays belong to an MBAFF frame (V3DOFF_H264_ARRAYS_MBAFF)."""
    return bool(struct.unpack_from("<2I", data)[1] & 2)


class Arrays:
    """A decoder's arrays as dumped: dump::ArraysHeader and what follows it."""

    def __init__(self, data):
        (_, self.field, self.width, self.height, slices, cbp, *lists) = struct.unpack_from("<8I",
                                                                                           data)
        count, at = self.width * self.height, 32

        def take(form, size):
            nonlocal at
            values = struct.unpack_from(f"<{size}{form}", data, at)
            at += size * struct.calcsize(form)
            return values
        self.slices = [SLICE.unpack_from(data, at + n * SLICE.size) for n in range(slices)]
        at += slices * SLICE.size
        self.type = take("I", count)
        at += count  # QP
        self.slice = take("H", count)
        self.counts = data[at:at + 16 * count]
        at += 16 * count
        self.cbp = take("H", count) if cbp else None
        self.motion, self.reference = [None, None], [None, None]
        for n, there in enumerate(lists):
            if there:
                self.motion[n] = take("h", count * 32)
                self.reference[n] = take("b", count * 4)
        self.field = self.field or struct.unpack_from("<I", data)[0] != 0

    def lists(self):
        return sum(m is not None for m in self.motion)

    def predictions(self, mb, x, y, lists):
        """(picture, vector) of each list that the 4x4 block at (x, y) uses."""
        slice_ = self.slices[self.slice[mb]]
        block = ((mb // self.width * 4 + y) * self.width * 4 + mb % self.width * 4 + x) * 2
        found = []
        for n in range(lists):
            if self.motion[n] is None or not self.type[mb] & LIST[n]:
                continue
            index = self.reference[n][mb * 4 + y // 2 * 2 + x // 2]
            if index >= 0:
                found.append((slice_[6][n * 32 + index], self.motion[n][block],
                              self.motion[n][block + 1]))
        return sorted(found)

    def intra(self, mb):
        return self.type[mb] & INTRA or self.slices[self.slice[mb]][5] & SWITCHING

    def coded(self, mb, x, y):
        if self.cbp and self.type[mb] & TRANSFORM_8X8 and self.slices[self.slice[mb]][5] & CAVLC:
            return self.cbp[mb] >> (12 + y // 2 * 2 + x // 2) & 1
        return self.counts[mb * 16 + y * 4 + x]

    def differs(self, a, b):
        """Whether the blocks are predicted differently enough to be filtered."""
        if [p[0] for p in a] != [p[0] for p in b]:
            return True
        limit = 2 if self.field else 4

        def far(ours, theirs):
            return any(abs(p[1] - q[1]) >= 4 or abs(p[2] - q[2]) >= limit
                       for p, q in zip(ours, theirs))
        if len(a) == 2 and a[0][0] == a[1][0]:
            return far(a, b) and far(a, b[::-1])
        return far(a, b)

    def filtered(self, mb, before, direction, edge):
        """Whether any quarter of an edge has a strength that is not 0."""
        if self.intra(mb) or self.intra(before):
            return True
        lists = 1 if self.slices[self.slice[mb]][5] & LIST_0_ONLY else 2
        for i in range(4):
            x, y = (i, edge) if direction else (edge, i)
            bx, by = (i, (edge + 3) % 4) if direction else ((edge + 3) % 4, i)
            if self.coded(mb, x, y) or self.coded(before, bx, by):
                return True
            if self.differs(self.predictions(mb, x, y, lists),
                            self.predictions(before, bx, by, lists)):
                return True
        return False

    def edges(self):
        count = 0
        for mb, number in enumerate(self.slice):
            if number == NO_SLICE or self.slices[number][0] == 1:
                continue
            for direction in (0, 1):
                neighbour = mb - (self.width if direction else 1)
                inside = mb >= self.width if direction else mb % self.width
                other = inside and self.slice[neighbour] != number
                if inside and (self.slice[neighbour] == NO_SLICE or
                               other and self.slices[number][0] == 2):
                    inside = False
                count += bool(inside) and self.filtered(mb, neighbour, direction, 0)
                step = 2 if self.type[mb] & TRANSFORM_8X8 else 1
                count += sum(self.filtered(mb, mb, direction, edge)
                             for edge in range(step, 4, step))
        return count


def derived(data):
    arrays = Arrays(data)
    return Part(arrays.width, arrays.height, arrays.edges(), arrays.lists(), True)
