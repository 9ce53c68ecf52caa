// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter_strength_pack.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "h264/filter_strength_arrays.hpp"
#include "h264/filter_strength_motion.hpp"
#include "h264/filter_strength_slices.hpp"

namespace v3doff::h264 {
namespace {

static_assert(std::endian::native == std::endian::little, "motion vectors are copied as words");

// The four 8x8 blocks' bits on the 4x4 blocks that they hold.
constexpr std::array<uint16_t, 16> make_quadrants() {
    std::array<uint16_t, 16> table{};
    for (unsigned bits = 0; bits < 16; bits++)
        for (unsigned block = 0; block < 16; block++)
            table[bits] |= (bits >> (block >> 3 << 1 | (block >> 1 & 1)) & 1) << block;
    return table;
}
constexpr std::array<uint16_t, 16> quadrants = make_quadrants();

// The bits of a record that its type alone decides.
uint32_t bits_of(uint32_t type) {
    return type & mb_transform_8x8 ? uint32_t(STRENGTH_TRANSFORM_8X8) : 0;
}

// A decoder waits for this, and a picture has thousands of macroblocks. Nearly all are intra or of
// one part. For these there are no branches that are hard to predict, such as which lists a B slice
// uses. What a slice has in common is worked out once for a run of macroblocks, and errors are
// collected and checked after a row.
class RowPacker {
  public:
    RowPacker(const StrengthInput &input, PackedStrengths &packed)
        : in_(input), out_(packed), slices_(input, packed.tables),
          largest_qp_(51 + 6 * (input.bit_depth - 8)) {
        for (unsigned list = 0; list < 2; list++)
            if (in_.motion[list] && in_.reference[list]) lists_ |= uses_list[list];
    }

    // Null, or what is wrong with a macroblock of the row.
    template <bool mbaff>
    const char *pack(uint32_t y) {
        const size_t most = out_.motion_words + size_t(in_.mb_width) * 32;
        // Beyond what any level allows; but macroblocks have 24 bits for the place.
        if (most > size_t(1) << STRENGTH_TABLE_AT) return "motion: too many vectors";
        if (out_.motion.size() < most) out_.motion.resize(most);
        next_ = out_.motion_words;
        StrengthMb *const row = &out_.macroblocks[out_.place(0, y)];
        slices_.begin_row(y, out_.above && y == out_.top);
        for (uint32_t x = 0; x < in_.mb_width;) {
            const StrengthRun *const run = slices_.find_run(x);
            if (!run) return slices_.problem();
            StrengthMb *const first = row + x * (1 + mbaff);
            if (run->in_slice)
                pack_run<mbaff>(*run, x, y, first);
            else
                skip_run<mbaff>(run->end - x, first);
            x = run->end;
        }
        if (mbaff && y % 2) check_pairs(row);
        out_.motion_words = next_;
        out_.complete &= !(wrong_reference_ & unpredicted);
        return problem();
    }

  private:
    const char *problem() const {
        if (highest_qp_ > largest_qp_) return "qp: out of range";
        if (wrong_reference_ & ReferencePictures::index_too_high)
            return "reference: an index is above 31";
        if (wrong_reference_ & ReferencePictures::not_a_picture)
            return "slices: a reference picture in use is 255";
        if (wrong_reference_ & split_partition)
            return "mb_type: a partition of a direct macroblock has several motion vectors";
        if (types_ & both_lists & ~lists_) return "motion, reference: null for a list in use";
        return problem_;
    }

    void check_pairs(const StrengthMb *lower) {
        for (size_t at = 0; at < size_t(in_.mb_width) * 2; at += 2)
            if ((lower[at].bits ^ (lower + at)[-1].bits) & STRENGTH_FIELD)
                problem_ = "mb_type: a pair of a frame and a field macroblock";
    }

    template <bool mbaff>
    void skip_run(uint32_t count, StrengthMb *first) {
        for (uint32_t i = 0; i < count; i++)
            first[i * (1 + mbaff)] = {0, 0, {~0u, ~0u}};
        out_.complete = false;
    }

    template <bool mbaff>
    void pack_run(const StrengthRun &run, uint32_t x, uint32_t y, StrengthMb *first) {
        const uint32_t count = run.end - x;
        highest_qp_ = std::max(highest_qp_, highest(in_.qp + y * in_.mb_stride + x, count));
        // Unused arrays are not read in slices that use none of them: they would not be in any
        // cache.
        if (lists_ == both_lists && !(run.bits[0] & STRENGTH_LIST_0_ONLY))
            pack_run<mbaff, true>(run, x, y, first);
        else
            pack_run<mbaff, false>(run, x, y, first);
        first->bits &= ~run.first_without;
    }

    template <bool mbaff, bool two_lists>
    void pack_run(const StrengthRun &run, uint32_t x, uint32_t y, StrengthMb *to) {
        const size_t first = y * in_.mb_stride + x;
        const size_t first_motion = y * in_.motion_mb_stride + size_t(x) * 4;
        // Local copies: no store through a pointer can change them.
        const StrengthRun same = run;
        const RunArrays arrays(in_, lists_, first, first_motion);
        const auto *const counts = in_.non_zero_count;
        const uint32_t list_0 = lists_ & mb_uses_list_0, count = run.end - x;
        uint32_t *const vectors = out_.motion.data();
        size_t next = next_;
        uint64_t *const first_used = out_.used[0].data(), *const second_used = out_.used[1].data();
        uint32_t wrong = 0, second = 255, none = 0;
        for (size_t i = 0; i < count; i++, to += 1 + mbaff) {
            const uint32_t type = arrays.type[i], qp = uint8_t(arrays.qp[i]);
            const bool field = mbaff && type & mb_interlaced;
            const uint32_t bits = same.bits[field] | bits_of(type) | qp << STRENGTH_QP_AT;
            to->motion = uint32_t(next) | same.table;
            if ((type | same.intra) & mb_intra) {
                to->bits = bits | STRENGTH_INTRA;
                to->reference[0] = to->reference[1] = ~0u;
                continue;
            }
            // With CAVLC the counts of an 8x8 block's quarters are those of its four interleaved
            // parts (7.3.5.3.2); cbp says which blocks have any.
            to->bits =
                bits | (type & same.cavlc_8x8 ? cbp_of(first + i) : bytes_set(counts[first + i]));
            uint32_t used[2];
            if (!arrays.is_whole<two_lists>(i, list_0, used)) {
                next = pack_parts(type, first + i, first_motion + 4 * i, field, *to, next);
                continue;
            }
            const ReferencePictures &pictures = slices_.pictures(field);
            const uint32_t found = pictures.of[0][used[0] & 255];
            const uint32_t other = two_lists ? pictures.of[1][used[1] & 255] : 255u;
            wrong |= found | other;
            first_used[found]++;
            // Repeats the byte of each list four times. A wrong value has more than a byte; it is
            // refused later.
            const uint64_t both = (found | uint64_t(other) << 32) * 0x01010101;
            std::memcpy(to->reference, &both, sizeof both);
            // Always written: there is room, and an unused vector is overwritten.
            vectors[next] = load32(arrays.motion[0] + 4 * i);
            next += !two_lists || found != 255;
            if (!two_lists) continue;
            vectors[next] = load32(arrays.motion[1] + 4 * i);
            next += other != 255;
            second &= other;
            second_used[other]++;
            none |= (found & other) + 1; // 256: neither list
        }
        next_ = next;
        wrong_reference_ |= wrong | (none & 256 ? unpredicted : 0u);
        if (second != 255) out_.two_lists = true;
    }

    // The part that need not be fast.
    [[gnu::noinline]] size_t pack_parts(uint32_t type, size_t at, size_t motion_at, bool field,
                                        StrengthMb &mb, size_t next) {
        types_ |= type;
        uint32_t *const from = out_.motion.data() + next;
        const uint32_t *const behind =
            h264::pack_parts(in_, {type & (lists_ | ~both_lists), at, motion_at},
                             slices_.pictures(field), mb, from, out_.used, wrong_reference_);
        if (mb.reference[1] != ~0u) out_.two_lists = true;
        return next + size_t(behind - from);
    }

    uint32_t cbp_of(size_t at) {
        if (in_.cbp) return quadrants[in_.cbp[at] >> 12];
        problem_ = "cbp: null";
        return 0;
    }

    const StrengthInput &in_;
    PackedStrengths &out_;
    StrengthSlices slices_;
    const uint32_t largest_qp_;
    uint32_t lists_ = 0; // those of mb_uses_list_* that there are arrays of
    size_t next_ = 0;    // where motion vectors go
    const char *problem_ = nullptr;
    // Of the macroblocks so far; types of those with parts, and what came of their references.
    uint32_t highest_qp_ = 0, types_ = 0, wrong_reference_ = 0;
};

} // namespace

void begin_strengths(const StrengthInput &input, uint32_t row, PackedStrengths &packed) {
    packed.mb_width = input.mb_width;
    packed.above = row > 0;
    packed.top = row - packed.above;
    packed.rows = 0;
    packed.field = input.field;
    packed.mbaff = input.mbaff;
    packed.two_lists = false;
    packed.motion_words = 0;
    packed.tables.begin();
    for (auto &list : packed.used)
        list.fill(0);
    packed.complete = true;
    packed.arrays = input;
    packed.placed.reset();
}

const char *pack_rows(const StrengthInput &input, uint32_t end, PackedStrengths &packed) {
    const size_t motion_words = packed.motion_words;
    const uint32_t first = packed.top + packed.rows;
    const size_t count = size_t(packed.mb_width) * (end - packed.top);
    if (packed.macroblocks.size() < count) packed.macroblocks.resize(count);
    packed.tables.expect(input.slice_count);
    RowPacker packer(input, packed);
    for (uint32_t y = first; y < end; y++)
        if (const char *problem = input.mbaff ? packer.pack<true>(y) : packer.pack<false>(y)) {
            packed.motion_words = motion_words;
            return problem;
        }
    packed.rows = end - packed.top;
    return nullptr;
}

const char *pack_strengths(const StrengthInput &input, PackedStrengths &packed) {
    begin_strengths(input, 0, packed);
    return pack_rows(input, input.mb_height, packed);
}

} // namespace v3doff::h264
