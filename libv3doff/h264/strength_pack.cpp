// SPDX-License-Identifier: BSD-2-Clause
#include "h264/strength_pack.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace v3doff::h264 {
namespace {

static_assert(std::endian::native == std::endian::little, "motion vectors are copied as words");

uint64_t load64(const void *from) {
    uint64_t value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

uint32_t load32(const void *from) {
    uint32_t value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

// Bit n: byte n is not 0.
uint32_t bytes_set(const void *from) {
    const uint64_t low = 0x7f7f7f7f7f7f7f7f, value = load64(from);
    const uint64_t set = (((value & low) + low) | value) >> 7 & 0x0101010101010101;
    return uint32_t(set * 0x0102040810204080 >> 56);
}

// The four 8x8 blocks' bits on the 4x4 blocks that they hold.
constexpr std::array<uint16_t, 16> make_quadrants() {
    std::array<uint16_t, 16> table{};
    for (unsigned bits = 0; bits < 16; bits++)
        for (unsigned block = 0; block < 16; block++)
            table[bits] |= (bits >> (block >> 3 << 1 | (block >> 1 & 1)) & 1) << block;
    return table;
}
constexpr std::array<uint16_t, 16> quadrants = make_quadrants();

// A decoder waits for this, a picture has thousands of macroblocks, and most are plain: what is the
// same for a slice is worked out once, and what is wrong is gathered and looked at after a row.
class RowPacker {
  public:
    RowPacker(const StrengthInput &input, PackedStrengths &packed)
        : in_(input), out_(packed), largest_qp_(51 + 6 * int(input.bit_depth - 8)) {}

    // Null, or what is wrong with a macroblock of the row.
    const char *pack(uint32_t y) {
        const size_t most = out_.motion_words + size_t(in_.mb_width) * 32;
        // Beyond what any level allows; but macroblocks have 24 bits for the place.
        if (most > size_t(1) << STRENGTH_TABLE_AT) return "motion: too many vectors";
        if (out_.motion.size() < most) out_.motion.resize(most);
        next_ = &out_.motion[out_.motion_words];
        StrengthMb *const row = &out_.macroblocks[out_.place(0, y)];
        const size_t step = 1 + in_.mbaff;
        const size_t first = size_t(y) * in_.mb_stride;
        for (uint32_t x = 0; x < in_.mb_width; x++) {
            const uint16_t number = in_.slice_table[first + x];
            if (number != number_ && !enter(number)) return problem_;
            row[x * step] = pack(first + x, x, y);
        }
        if (in_.mbaff && y % 2) check_pairs(row);
        out_.motion_words = size_t(next_ - out_.motion.data());
        if (out_.above && y == out_.top)
            for (uint32_t x = 0; x < in_.mb_width; x++)
                row[x].bits &= ~(STRENGTH_FILTERED | STRENGTH_FILTER_LEFT | STRENGTH_FILTER_TOP);
        return problem();
    }

  private:
    enum Shape : uint32_t { whole = 0, in_8x8 = STRENGTH_MOTION_8X8, in_4x4 = STRENGTH_MOTION_4X4 };
    static constexpr uint32_t index_too_high = 1 << 8, not_a_picture = 1 << 9;

    // Another slice than that of the macroblock before.
    bool enter(uint16_t number) {
        number_ = number;
        if (number == no_slice) return true;
        if (number >= in_.slice_count) return refuse("slice_table: a number without a slice");
        const int table = out_.tables.of_slice(in_, number);
        if (table < 0) return refuse(out_.tables.problem());
        slice_ = &in_.slices[number];
        table_ = uint32_t(table) << STRENGTH_TABLE_AT;
        bits_ = slice_->disable_deblocking_filter == 1 ? 0 : uint32_t(STRENGTH_FILTERED);
        if (slice_->flags & V3DOFF_H264_SLICE_LIST_0_ONLY) bits_ |= STRENGTH_LIST_0_ONLY;
        if (slice_->flags & V3DOFF_H264_SLICE_SWITCHING) bits_ |= STRENGTH_INTRA;
        cavlc_8x8_ = slice_->flags & V3DOFF_H264_SLICE_CAVLC ? uint32_t(mb_transform_8x8) : 0;
        know_pictures(slice_->picture, pictures_[0]);
        if (in_.mbaff) know_pictures(in_.field_pictures[number], pictures_[1]);
        return true;
    }

    using Pictures = std::array<std::array<uint16_t, max_list_entries>, 2>;
    static void know_pictures(const uint8_t (*from)[max_list_entries], Pictures &to) {
        for (unsigned list = 0; list < 2; list++)
            for (unsigned i = 0; i < max_list_entries; i++)
                to[list][i] = uint16_t(from[list][i] == 255 ? not_a_picture : from[list][i]);
    }

    bool refuse(const char *problem) {
        problem_ = problem;
        return false;
    }

    const char *problem() const {
        if (wrong_qp_) return "qp: out of range";
        if (wrong_reference_ & index_too_high) return "reference: an index is above 31";
        if (wrong_reference_ & not_a_picture) return "slices: a reference picture in use is 255";
        return problem_;
    }

    void check_pairs(const StrengthMb *lower) {
        for (size_t at = 0; at < size_t(in_.mb_width) * 2; at += 2)
            if ((lower[at].bits ^ (lower + at)[-1].bits) & STRENGTH_FIELD)
                problem_ = "mb_type: a pair of a frame and a field macroblock";
    }

    StrengthMb pack(size_t at, uint32_t x, uint32_t y) {
        if (number_ == no_slice) return {0, 0, {~0u, ~0u}};
        const uint32_t type = in_.mb_type[at];
        const int qp = in_.qp[at];
        wrong_qp_ |= qp < 0 || qp > largest_qp_;
        StrengthMb mb{bits_ | uint32_t(qp & 127) << STRENGTH_QP_AT,
                      uint32_t(next_ - out_.motion.data()) | table_,
                      {~0u, ~0u}};
        size_t above = at - in_.mb_stride;
        bool has_above = y > 0;
        if (in_.mbaff) {
            const bool field = type & mb_interlaced;
            if (field) mb.bits |= STRENGTH_FIELD;
            picture_ = &pictures_[field];
            // 6.4.12.2: of a field pair both are below the pair above.
            if (field && y % 2) above -= in_.mb_stride, has_above = y > 1;
        }
        if (bits_ & STRENGTH_FILTERED) mb.bits |= edges(at, above, x, has_above);
        if (type & mb_transform_8x8) mb.bits |= STRENGTH_TRANSFORM_8X8;
        if (type & mb_intra || bits_ & STRENGTH_INTRA) {
            mb.bits |= STRENGTH_INTRA;
            return mb;
        }
        mb.bits |= coefficients(type, at);
        pack_motion(type, at, x, y, mb);
        return mb;
    }

    // 8.7: which of the outer edges are filtered.
    uint32_t edges(size_t at, size_t above, uint32_t x, bool has_above) const {
        const bool own = slice_->disable_deblocking_filter == 2;
        const auto filtered = [&](size_t beside) {
            const uint16_t other = in_.slice_table[beside];
            return own ? other == number_ : other != no_slice;
        };
        uint32_t bits = 0;
        if (x && filtered(at - 1)) bits |= STRENGTH_FILTER_LEFT;
        if (has_above && filtered(above)) bits |= STRENGTH_FILTER_TOP;
        return bits;
    }

    // With CAVLC the counts of an 8x8 block's quarters are those of its four interleaved parts
    // (7.3.5.3.2); cbp says which blocks have any.
    uint32_t coefficients(uint32_t type, size_t at) {
        if (type & cavlc_8x8_) {
            if (in_.cbp) return quadrants[in_.cbp[at] >> 12];
            problem_ = "cbp: null";
            return 0;
        }
        return bytes_set(in_.non_zero_count[at]) | bytes_set(in_.non_zero_count[at] + 8) << 8;
    }

    void pack_motion(uint32_t type, size_t at, uint32_t x, uint32_t y, StrengthMb &mb) {
        const size_t first = y * in_.motion_mb_stride + size_t(x) * 4;
        const uint32_t uses[2] = {mb_uses_list_0, mb_uses_list_1};
        uint32_t shape = whole;
        for (unsigned list = 0; list < 2; list++) {
            if (!(type & uses[list])) continue;
            if (!in_.motion[list] || !in_.reference[list]) {
                problem_ = "motion, reference: null for a list in use";
                return;
            }
            mb.reference[list] = references(list, in_.reference[list] + 4 * at);
            if (!(type & mb_16x16) && mb.reference[list] != ~0u)
                shape |= shape_of(type, in_.motion[list] + first);
        }
        if (shape & in_4x4) shape = in_4x4;
        mb.bits |= shape;
        if (mb.reference[0] != ~0u) append(in_.motion[0] + first, shape);
        if (mb.reference[1] == ~0u) return;
        append(in_.motion[1] + first, shape);
        out_.two_lists = true;
    }

    // The pictures of four 8x8 blocks.
    uint32_t references(unsigned list, const int8_t *indices) {
        const uint32_t all = load32(indices);
        if (all == (all & 255) * 0x01010101u) return picture(list, indices[0]) * 0x01010101u;
        return picture(list, indices[0]) | picture(list, indices[1]) << 8 |
               picture(list, indices[2]) << 16 | picture(list, indices[3]) << 24;
    }

    uint32_t picture(unsigned list, int index) {
        if (index < 0) return 255;
        const uint32_t found =
            index < int(max_list_entries) ? (*picture_)[list][index] : index_too_high;
        wrong_reference_ |= found;
        return found & 255;
    }

    uint32_t shape_of(uint32_t type, const int16_t (*motion)[2]) const {
        if (type & (mb_16x8 | mb_8x16)) return in_8x8;
        for (unsigned half = 0; half < 2; half++, motion += 2 * in_.motion_stride) {
            const uint64_t left = load64(motion), right = load64(motion + 2);
            if (left != load64(motion + in_.motion_stride) ||
                right != load64(motion + in_.motion_stride + 2) || left >> 32 != uint32_t(left) ||
                right >> 32 != uint32_t(right))
                return in_4x4;
        }
        return in_8x8;
    }

    void append(const int16_t (*motion)[2], uint32_t shape) {
        if (shape == whole) {
            *next_++ = load32(motion);
        } else if (shape == in_8x8) {
            const auto *const lower = motion + 2 * in_.motion_stride;
            next_[0] = load32(motion), next_[1] = load32(motion + 2);
            next_[2] = load32(lower), next_[3] = load32(lower + 2);
            next_ += 4;
        } else {
            for (unsigned line = 0; line < 4; line++, motion += in_.motion_stride, next_ += 4)
                std::memcpy(next_, motion, 16);
        }
    }

    const StrengthInput &in_;
    PackedStrengths &out_;
    const int largest_qp_;
    uint32_t *next_ = nullptr; // where motion vectors go
    const char *problem_ = nullptr;
    bool wrong_qp_ = false;
    uint32_t wrong_reference_ = 0;
    // Of the slice that the last macroblock lies in.
    int number_ = -1;
    const StrengthSlice *slice_ = nullptr;
    uint32_t table_ = 0, bits_ = 0, cavlc_8x8_ = 0;
    Pictures pictures_[2];                    // of frame and of field macroblocks
    const Pictures *picture_ = &pictures_[0]; // of this macroblock
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
}

const char *pack_rows(const StrengthInput &input, uint32_t end, PackedStrengths &packed) {
    const size_t motion_words = packed.motion_words;
    const uint32_t first = packed.top + packed.rows;
    const size_t count = size_t(packed.mb_width) * (end - packed.top);
    if (packed.macroblocks.size() < count) packed.macroblocks.resize(count);
    packed.tables.expect(input.slice_count);
    RowPacker packer(input, packed);
    for (uint32_t y = first; y < end; y++)
        if (const char *problem = packer.pack(y)) {
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
