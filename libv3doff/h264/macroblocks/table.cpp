// SPDX-License-Identifier: BSD-2-Clause
#include "h264/macroblocks/table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "h264/macroblocks/parts.hpp"

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
    return type & mb_transform_8x8 ? uint32_t(MB_TRANSFORM_8X8) : 0;
}

// A decoder waits for this, and a picture has thousands of macroblocks. Nearly all are intra or of
// one part. For these there are no branches that are hard to predict, such as which lists a B slice
// uses. What a slice has in common is worked out once for a run of macroblocks, and errors are
// collected and checked after a row.
class RowPacker {
  public:
    RowPacker(const Arrays &input, MacroblockTable &table)
        : in_(input), out_(table), runs_(input, table.tables),
          largest_qp_(51 + 6 * (input.bit_depth - 8)) {
        for (unsigned list = 0; list < 2; list++)
            if (in_.motion[list] && in_.reference[list]) lists_ |= uses_list[list];
    }

    // Null, or what is wrong with a macroblock of the row.
    const char *pack(uint32_t y) {
        const size_t most = out_.motion_words + size_t(in_.mb_width) * 32;
        // Beyond what any level allows.
        if (most > size_t(1) << MB_VECTOR.count) return "motion: too many vectors";
        if (out_.motion.size() < most) out_.motion.resize(most);
        next_ = out_.motion_words;
        keep_row(y);
        runs_.begin_row(y, out_.above && y == out_.top);
        const size_t step = 1 + in_.mbaff;
        for (uint32_t x = 0; x < in_.mb_width;) {
            const SliceRun *const run = runs_.find_run(x);
            if (!run) return runs_.problem();
            const size_t first = out_.place(0, y) + x * step;
            if (run->in_slice)
                pack_run(*run, x, y, first);
            else
                skip_run(run->end - x, first);
            x = run->end;
        }
        if (in_.mbaff && in_.filtered && y % 2) check_pairs(&out_.macroblocks[out_.place(0, y)]);
        out_.motion_words = next_;
        return problem();
    }

  private:
    const char *problem() const {
        if (highest_qp_ > largest_qp_) return "qp: out of range";
        if (wrong_ & ReferencePictures::index_too_high) return "reference: an index is above 31";
        if (wrong_ & ReferencePictures::not_a_picture)
            return "slices: a reference picture in use is 255";
        if (wrong_ & split_partition)
            return "mb_type: a partition of a direct macroblock has several motion vectors";
        if (types_ & both_lists & ~lists_) return "motion, reference: null for a list in use";
        return problem_;
    }

    // What inter prediction alone reads.
    void keep_row(uint32_t y) {
        const size_t from = y * in_.mb_stride, to = out_.place(0, y), step = 1 + in_.mbaff;
        copy_row(in_.slice_table + from, &out_.slices[to], step);
        for (unsigned list = 0; list < 2; list++)
            if (lists_ & uses_list[list])
                copy_row(in_.reference[list] + 4 * from, &out_.indices[list][to], step);
    }
    template <typename From, typename To>
    void copy_row(const From *from, To *to, size_t step) {
        if (step == 1) {
            std::memcpy(to, from, in_.mb_width * sizeof *to);
            return;
        }
        for (uint32_t x = 0; x < in_.mb_width; x++)
            std::memcpy(to + x * step, from + x * (sizeof *to / sizeof *from), sizeof *to);
    }

    void check_pairs(const MacroblockRecord *lower) {
        for (size_t at = 0; at < size_t(in_.mb_width) * 2; at += 2)
            if ((lower[at].bits ^ (lower + at)[-1].bits) & MB_FIELD)
                problem_ = "mb_type: a pair of a frame and a field macroblock";
    }

    void skip_run(uint32_t count, size_t first) {
        for (uint32_t i = 0; i < count; i++)
            out_.macroblocks[first + i * (1 + in_.mbaff)] = {0, 0, {~0u, ~0u}};
    }

    void pack_run(const SliceRun &run, uint32_t x, uint32_t y, size_t first) {
        if (in_.filtered)
            highest_qp_ =
                std::max(highest_qp_, highest(in_.qp + y * in_.mb_stride + x, run.end - x));
        // Unused arrays are not read in slices that use none of them: they would not be in any
        // cache.
        const bool two = lists_ == both_lists && !(run.bits[0] & MB_LIST_0_ONLY);
        if (in_.mbaff)
            in_.filtered ? pack_run<true, true>(run, x, y, first, two)
                         : pack_run<false, true>(run, x, y, first, two);
        else
            in_.filtered ? pack_run<true, false>(run, x, y, first, two)
                         : pack_run<false, false>(run, x, y, first, two);
        out_.macroblocks[first].bits &= ~run.first_without;
    }

    template <bool filtered, bool mbaff>
    void pack_run(const SliceRun &run, uint32_t x, uint32_t y, size_t first, bool two) {
        two ? pack_run<filtered, mbaff, true>(run, x, y, first)
            : pack_run<filtered, mbaff, false>(run, x, y, first);
    }

    template <bool filtered, bool mbaff, bool two_lists>
    void pack_run(const SliceRun &run, uint32_t x, uint32_t y, size_t at) {
        const size_t first = y * in_.mb_stride + x;
        const size_t first_motion = y * in_.motion_mb_stride + size_t(x) * 4;
        // Local copies: no store through a pointer can change them.
        const SliceRun same = run;
        const RunArrays arrays(in_, lists_, first, first_motion);
        const auto *const counts = in_.non_zero_count;
        const uint32_t list_0 = lists_ & mb_uses_list_0, count = run.end - x;
        uint32_t *const vectors = out_.motion.data();
        size_t next = next_;
        auto *const all_used = out_.used.data();
        uint32_t wrong = 0, second = 255;
        MacroblockRecord *to = &out_.macroblocks[at];
        for (size_t i = 0; i < count; i++, to += 1 + mbaff) {
            const uint32_t type = arrays.type[i];
            const bool field = mbaff && type & mb_interlaced;
            uint32_t bits = same.bits[field] | bits_of(type);
            if (filtered) bits |= v3doff::pack(uint8_t(in_.qp[first + i]), MB_QP);
            to->motion = uint32_t(next) | same.table;
            if (type & mb_intra) {
                to->bits = bits | MB_INTRA;
                to->reference[0] = to->reference[1] = ~0u;
                continue;
            }
            // With CAVLC the counts of an 8x8 block's quarters are those of its four interleaved
            // parts (7.3.5.3.2); cbp says which blocks have any.
            if (filtered)
                bits |= type & same.cavlc_8x8 ? cbp_of(first + i) : bytes_set(counts[first + i]);
            to->bits = bits;
            uint32_t used[2];
            if (!arrays.is_whole<two_lists>(i, list_0, used)) {
                next = add_parts({type, first + i, first_motion + 4 * i}, field,
                                 at + i * (1 + mbaff), next);
                continue;
            }
            const ReferencePictures &pictures = runs_.pictures(field);
            const uint32_t found = pictures.of[0][used[0] & 255];
            const uint32_t other = two_lists ? pictures.of[1][used[1] & 255] : 255u;
            wrong |= found | other;
            all_used[field][0][used[0] & 255]++;
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
            all_used[field][1][used[1] & 255]++;
        }
        next_ = next;
        wrong_ |= wrong;
        if (second != 255) out_.two_lists = true;
    }

    // The part that need not be fast.
    [[gnu::noinline]] size_t add_parts(MacroblockPlace place, bool field, size_t at, size_t next) {
        types_ |= place.type;
        place.type &= lists_ | ~both_lists;
        return h264::add_parts(in_, place, runs_.pictures(field), out_, at, next, wrong_);
    }

    uint32_t cbp_of(size_t at) {
        if (in_.cbp) return quadrants[in_.cbp[at] >> 12];
        problem_ = "cbp: null";
        return 0;
    }

    const Arrays &in_;
    MacroblockTable &out_;
    SliceRuns runs_;
    const uint32_t largest_qp_;
    uint32_t lists_ = 0; // those of mb_uses_list_* that there are arrays of
    size_t next_ = 0;    // where motion vectors go
    const char *problem_ = nullptr;
    // The macroblocks so far: types of those with parts, and what came of their references.
    uint32_t highest_qp_ = 0, types_ = 0, wrong_ = 0;
};

} // namespace

void MacroblockTable::begin(const Arrays &input, uint32_t row) {
    mb_width = input.mb_width;
    above = row > 0;
    top = row - above;
    rows = 0;
    field = input.field;
    mbaff = input.mbaff;
    luma_only = input.luma_only;
    filtered = input.filtered;
    two_lists = false;
    motion_words = 0;
    tables.begin();
    for (auto &list : indices)
        list.clear();
    for (auto &lists : used)
        for (auto &list : lists)
            list.fill(0);
}

const char *MacroblockTable::add_rows(const Arrays &input, uint32_t end) {
    const size_t words = motion_words, all = size_t(mb_width) * (end - top);
    if (macroblocks.size() < all) macroblocks.resize(all);
    slices.resize(all);
    slice_count = input.slice_count;
    for (unsigned list = 0; list < 2; list++)
        if (input.motion[list] && input.reference[list]) indices[list].resize(all);
    tables.expect(input.slice_count);
    RowPacker packer(input, *this);
    for (uint32_t y = top + rows; y < end; y++)
        if (const char *problem = packer.pack(y)) {
            motion_words = words;
            return problem;
        }
    rows = end - top;
    return nullptr;
}

} // namespace v3doff::h264
