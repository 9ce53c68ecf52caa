// SPDX-License-Identifier: BSD-2-Clause
// Macroblocks as in P pictures of natural clips at a few Mb/s: two thirds are one partition, a
// quarter has a residual, one in twenty is intra. 24,000 of the 65,000 luma edges of a 1080p
// picture are filtered. In I pictures half of them have 4x4 blocks, and three quarters a residual.
#include "bench/h264_made_picture.hpp"

#include <algorithm>
#include <cstring>
#include <random>

#include "h264/lines.hpp"

namespace tool::bench::h264 {
namespace {

// The order of 6.4.3 to raster order.
constexpr unsigned raster_of(unsigned block) {
    return (block & 1) + (block >> 1 & 1) * 4 + (block >> 2 & 1) * 2 + (block >> 3 & 1) * 8;
}

class Maker {
  public:
    explicit Maker(MadePicture &to) : to_(to), random_(7) {}

    void make() {
        to_.each([this](uint32_t x, uint32_t y) { make_macroblock(x, y); });
    }

  private:
    void make_macroblock(uint32_t x, uint32_t y) {
        const size_t at = size_t(y) * to_.mb_width + x;
        const uint32_t what = to_.only_intra ? 0 : random_() % 20;
        const bool coded = (random_() % 4 == 0) != to_.only_intra;
        uint8_t(&counts)[48] = to_.counts[at].of_block;
        to_.coded[at] = coded;
        for (unsigned block = 0; block < 16; block++)
            counts[block] = coded ? uint8_t(random_() % 3 == 0) : 0;
        const uint32_t field = to_.mbaff && is_field(x, y) ? uint32_t(mb_interlaced) : 0;
        if (what == 0) {
            const bool small = to_.only_intra && x && y && random_() % 2;
            to_.type[at] = field | (small ? to_.mb_intra_4x4 : to_.mb_intra_16x16);
            std::fill_n(&to_.reference[at * 4], 4, int8_t(-1));
            return;
        }
        const uint32_t shape = what < 14   ? uint32_t(mb_16x16)
                               : what < 16 ? uint32_t(mb_16x8)
                               : what < 18 ? uint32_t(mb_8x16)
                                           : to_.mb_8x8;
        const bool two = what >= 14 && what < 18; // partitions
        to_.type[at] = field | shape | (two ? uint32_t(mb_uses_list_0) : 1u << 12) |
                       (random_() % 2 ? uint32_t(mb_transform_8x8) : 0);
        const bool at_edge = y < 2 || y + 2 >= to_.mb_height;
        if (field && x / 4 % 2 && !at_edge) std::fill_n(&to_.reference[at * 4], 4, int8_t(1));
        if (to_.transform_8x8(at)) // every block of an 8x8 has the count of it
            for (unsigned block = 0; block < 16; block++)
                counts[block] = counts[block / 8 * 8 + block % 4 / 2 * 2];
        for (unsigned block = 0; block < 16; block++) {
            const unsigned part = shape == mb_16x16  ? 0
                                  : shape == mb_16x8 ? block / 8
                                  : shape == mb_8x16 ? block % 4 / 2
                                                     : block / 8 * 2 + block % 4 / 2;
            to_.motion[(size_t(y) * 4 + block / 4) * to_.motion_stride() + x * 4 + block % 4] =
                vector_of(x, y, part);
        }
    }

    // A third of the regions of 64x64.
    static bool is_field(uint32_t x, uint32_t y) { return (x / 4 + y / 4) % 3 == 0; }

    // Changes from one 64x64 to the next; in whole samples, or between them in one or both
    // directions.
    MadePicture::Vector vector_of(uint32_t x, uint32_t y, unsigned part) const {
        const uint32_t kind = (x / 4 * 7 + y / 4 * 11) % 10;
        const int common = int((x / 4 * 5 + y / 4 * 3) % 7 * 8);
        const int across = common + (kind >= 4 ? 1 + int(kind % 3) : 0) + int(part) * 4,
                  down = common + (kind >= 7 ? 1 + int(kind % 2) : 0) - int(part) * 4;
        // What a decoder would have to copy first is left out.
        const int least = -4 * 4,
                  most = (6 * 8 + 3 * 4) / 4 + 1; // of all parts, in quarters and samples
        const bool field = to_.field(size_t(y) * to_.mb_width + x);
        const uint32_t row = to_.row(x, y), rows = to_.mb_height >> unsigned(field);
        const bool inside = int(x) * 64 + least >= 2 * 4 && int(row) * 64 + least >= 2 * 4 &&
                            x * 16 + 16 + uint32_t(most) + 3 <= to_.mb_width * 16 &&
                            row * 16 + 16 + uint32_t(most) + 3 <= rows * 16;
        return inside ? MadePicture::Vector{int16_t(across), int16_t(down)}
                      : MadePicture::Vector{0, 0};
    }

    MadePicture &to_;
    std::mt19937 random_;
};

void fill_block(MadeResidual &to, unsigned block, unsigned edge) {
    int16_t *values = to.values + block * 16;
    const bool dc_only = block / (edge == 8 ? 4 : 1) % 2;
    values[0] = int16_t(160 - 24 * int(block % 5));
    if (dc_only) return;
    values[1] = 56, values[edge] = -40, values[edge + 1] = 24;
}

// The block at (x, y) of 4x4 of a plane at (y + 1) * 8 + x + 4, each plane 5 rows further.
uint8_t &count_of(MadeResidual &of, unsigned plane, unsigned block) {
    const unsigned raster = raster_of(block);
    return of.counts[(plane * 5 + raster / 4 + 1) * 8 + raster % 4 + 4];
}

} // namespace

MadePicture::MadePicture(const PictureFormat &of, bool of_intra_alone, bool in_pairs)
    : format(of), only_intra(of_intra_alone), mbaff(in_pairs) {
    const MacroblockArea area(of, Lines(), mbaff);
    mb_width = area.mb_width, mb_height = area.mb_height;
    const size_t count = size_t(mb_width) * mb_height;
    type.resize(count);
    qp.assign(count, picture_qp);
    reference.assign(count * 4, 0);
    slice.assign(count, 0);
    counts.resize(count);
    coded.resize(count);
    motion.resize(count * 16);
    std::memset(prediction.reference, V3DOFF_H264_NO_REFERENCE, sizeof prediction.reference);
    prediction.reference[0][0] = 0;
    Maker(*this).make();
}

v3doff_h264_arrays MadePicture::arrays() const {
    v3doff_h264_arrays all{};
    all.struct_size = sizeof all;
    all.mb_stride = mb_width;
    all.mb_type = type.data();
    all.qp = qp.data();
    all.slice_table = slice.data();
    all.non_zero_count = &counts[0].of_block;
    all.motion_stride = motion_stride();
    all.motion_mb_stride = 4 * motion_stride();
    all.motion[0] = reinterpret_cast<const int16_t(*)[2]>(motion.data());
    all.reference[0] = reference.data();
    all.slices = &parameters;
    all.slice_count = 1;
    // The pictures that the two fields of the one reference are.
    static constexpr uint8_t fields[1][2][32] = {{{0, 1}}};
    if (mbaff) all.flags = V3DOFF_H264_ARRAYS_MBAFF, all.field_pictures = fields;
    return all;
}

void MadeResidual::fill(const MadePicture &content, uint32_t x, uint32_t y) {
    const size_t at = size_t(y) * content.mb_width + x;
    const bool large = content.transform_8x8(at);
    std::memset(counts, 0, sizeof counts);
    std::fill_n(coded, 3, uint16_t(0));
    for (unsigned block = 0; block < 16; block++) {
        if (!content.counts[at].of_block[raster_of(block)]) continue;
        coded[0] = uint16_t(coded[0] | 1u << block);
        if (large && block % 4) continue;
        fill_block(*this, block, large ? 8 : 4);
        count_of(*this, 0, block) = block / (large ? 4 : 1) % 2 ? 1 : 4;
    }
    if (!content.coded[at] || at % 3) return;
    for (unsigned plane = 1; plane < 3; plane++) {
        coded[plane] = 15;
        for (unsigned block = 0; block < 4; block++) {
            values[(plane * 16 + block) * 16] = 96; // DC, with no others in every second block
            if (block % 2) continue;
            values[(plane * 16 + block) * 16 + 1] = -40;
            count_of(*this, plane, block) = 2;
        }
    }
}

uint8_t made_intra_mode(uint32_t x, uint32_t row) {
    return x && row ? uint8_t((x + row) % 4) : x ? 4 : row ? 5 : 6;
}

// Vertical, horizontal, DC, and from the corner down to the right.
uint8_t made_block_mode(uint32_t x, uint32_t y, unsigned block) {
    static constexpr uint8_t modes[] = {0, 1, 2, 4};
    return modes[(x + y + block) % 4];
}

void append_made(const MadePicture &content, uint32_t x, uint32_t y, MadeResidual &residual,
                 v3doff_h264_words &words) {
    const size_t at = size_t(y) * content.mb_width + x;
    if (!content.intra(at) && !content.coded[at]) return v3doff_h264_append_skipped(&words, x, y);
    residual.fill(content, x, y);
    v3doff_h264_macroblock macroblock{x, y, {}, content.transform_8x8(at)};
    std::copy_n(residual.coded, 3, macroblock.coded);
    for (unsigned plane = 0; plane < 3; plane++) {
        const unsigned step = !plane && macroblock.transform_8x8 ? 4 : 1;
        for (unsigned block = 0; block < 16; block += step) {
            if (!(residual.coded[plane] >> block & 1)) continue;
            int16_t *values = residual.values + (plane * 16 + block) * 16;
            v3doff_h264_append_block(&words, values, step * 32);
            std::memset(values, 0, step * 32);
        }
    }
    if (!content.intra(at)) return v3doff_h264_append_inter(&words, &macroblock);
    v3doff_h264_intra intra{};
    intra.kind = content.intra_4x4(at) ? V3DOFF_H264_INTRA_4X4 : V3DOFF_H264_INTRA_16X16;
    intra.mode[0] = intra.chroma_mode = made_intra_mode(x, content.row(x, y));
    if (content.intra_4x4(at)) {
        for (unsigned block = 0; block < 16; block++)
            intra.mode[block] = made_block_mode(x, y, block);
        intra.top_left = 0xffff;
    }
    v3doff_h264_append_intra(&words, &macroblock, &intra);
}

} // namespace tool::bench::h264
