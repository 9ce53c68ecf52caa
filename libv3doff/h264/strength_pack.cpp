// SPDX-License-Identifier: BSD-2-Clause
#include "h264/strength_pack.hpp"

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

class Packer {
  public:
    Packer(const StrengthInput &input, PackedStrengths &packed) : in_(input), out_(packed) {}

    const char *run() {
        out_.mb_width = in_.mb_width;
        out_.count = in_.mb_width * in_.mb_height;
        out_.field = in_.field;
        out_.two_lists = false;
        out_.motion_words = 0;
        out_.tables.begin(in_);
        if (out_.macroblocks.size() < out_.count) out_.macroblocks.resize(out_.count);
        for (uint32_t y = 0; y < in_.mb_height && !problem_; y++) {
            const size_t most = out_.motion_words + size_t(in_.mb_width) * 32;
            // Beyond what any level allows; but macroblocks have 24 bits for the place.
            if (most > size_t(1) << STRENGTH_TABLE_AT) return "motion: too many vectors";
            if (out_.motion.size() < most) out_.motion.resize(most);
            for (uint32_t x = 0; x < in_.mb_width && !problem_; x++)
                out_.macroblocks[size_t(y) * in_.mb_width + x] = pack(x, y);
        }
        return problem_;
    }

  private:
    // A macroblock's partition of motion vectors.
    enum Shape : uint32_t { whole = 0, in_8x8 = STRENGTH_MOTION_8X8, in_4x4 = STRENGTH_MOTION_4X4 };

    StrengthMb pack(uint32_t x, uint32_t y) {
        const size_t at = size_t(y) * in_.mb_stride + x;
        const uint16_t number = in_.slice_table[at];
        StrengthMb mb{0, 0, {~0u, ~0u}};
        if (number == no_slice) return mb;
        if (number >= in_.slice_count) return refuse("slice_table: a number without a slice");
        const int table = out_.tables.of_slice(in_, number);
        if (table < 0) return refuse(out_.tables.problem());
        const StrengthSlice &slice = in_.slices[number];
        const int qp = in_.qp[at];
        if (qp < 0 || qp > 51 + 6 * int(in_.bit_depth - 8)) return refuse("qp: out of range");
        const uint32_t type = in_.mb_type[at];
        mb.bits = uint32_t(qp) << STRENGTH_QP_AT | edges(slice, number, at, x, y);
        if (type & mb_transform_8x8) mb.bits |= STRENGTH_TRANSFORM_8X8;
        if (slice.flags & V3DOFF_H264_SLICE_LIST_0_ONLY) mb.bits |= STRENGTH_LIST_0_ONLY;
        mb.motion = uint32_t(out_.motion_words) | uint32_t(table) << STRENGTH_TABLE_AT;
        if (type & mb_intra || slice.flags & V3DOFF_H264_SLICE_SWITCHING) {
            mb.bits |= STRENGTH_INTRA;
            return mb;
        }
        mb.bits |= coefficients(slice, type, at);
        pack_motion(slice, type, at, x, y, mb);
        return mb;
    }

    // 0, or a macroblock of nothing.
    struct Nothing {
        operator uint32_t() const { return 0; }
        operator StrengthMb() const { return {}; }
    };
    Nothing refuse(const char *problem) {
        problem_ = problem;
        return {};
    }

    // 8.7: which of the outer edges are filtered.
    uint32_t edges(const StrengthSlice &slice, uint16_t number, size_t at, uint32_t x,
                   uint32_t y) const {
        if (slice.disable_deblocking_filter == 1) return 0;
        const auto filtered = [&](size_t beside) {
            const uint16_t other = in_.slice_table[beside];
            return slice.disable_deblocking_filter == 2 ? other == number : other != no_slice;
        };
        uint32_t bits = STRENGTH_FILTERED;
        if (x && filtered(at - 1)) bits |= STRENGTH_FILTER_LEFT;
        if (y && filtered(at - in_.mb_stride)) bits |= STRENGTH_FILTER_TOP;
        return bits;
    }

    // With CAVLC the counts of an 8x8 block's quarters are those of its four interleaved parts
    // (7.3.5.3.2); cbp says which blocks have any.
    uint32_t coefficients(const StrengthSlice &slice, uint32_t type, size_t at) {
        if (type & mb_transform_8x8 && slice.flags & V3DOFF_H264_SLICE_CAVLC)
            return in_.cbp ? quadrants[in_.cbp[at] >> 12] : refuse("cbp: null");
        return bytes_set(in_.non_zero_count[at]) | bytes_set(in_.non_zero_count[at] + 8) << 8;
    }

    void pack_motion(const StrengthSlice &slice, uint32_t type, size_t at, uint32_t x, uint32_t y,
                     StrengthMb &mb) {
        const size_t first = y * in_.motion_mb_stride + size_t(x) * 4;
        const uint32_t uses[2] = {mb_uses_list_0, mb_uses_list_1};
        uint32_t shape = whole;
        for (unsigned list = 0; list < 2; list++) {
            if (!(type & uses[list])) continue;
            if (!in_.motion[list] || !in_.reference[list]) {
                refuse("motion, reference: null for a list in use");
                return;
            }
            mb.reference[list] = references(slice, list, at);
            if (mb.reference[list] != ~0u) shape |= shape_of(type, in_.motion[list] + first);
        }
        if (shape & in_4x4) shape = in_4x4;
        mb.bits |= shape;
        for (unsigned list = 0; list < 2; list++)
            if (mb.reference[list] != ~0u) append(in_.motion[list] + first, shape);
        out_.two_lists |= mb.reference[1] != ~0u;
    }

    uint32_t references(const StrengthSlice &slice, unsigned list, size_t at) {
        uint32_t pictures = 0;
        for (unsigned block = 0; block < 4; block++) {
            const int index = in_.reference[list][4 * at + block];
            uint32_t picture = 255;
            if (index >= int(max_references))
                refuse("reference: an index is above 31");
            else if (index >= 0 && (picture = slice.picture[list][index]) == 255)
                refuse("slices: a reference picture in use is 255");
            pictures |= picture << (8 * block);
        }
        return pictures;
    }

    uint32_t shape_of(uint32_t type, const int16_t (*motion)[2]) const {
        if (type & mb_16x16) return whole;
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
        const unsigned step = shape == in_4x4 ? 1 : shape == in_8x8 ? 2 : 4;
        uint32_t *to = &out_.motion[out_.motion_words];
        for (unsigned y = 0; y < 4; y += step, motion += step * in_.motion_stride)
            for (unsigned x = 0; x < 4; x += step)
                std::memcpy(to++, motion[x], sizeof *to);
        out_.motion_words = size_t(to - out_.motion.data());
    }

    const StrengthInput &in_;
    PackedStrengths &out_;
    const char *problem_ = nullptr;
};

} // namespace

const char *pack_strengths(const StrengthInput &input, PackedStrengths &packed) {
    return Packer(input, packed).run();
}

} // namespace v3doff::h264
