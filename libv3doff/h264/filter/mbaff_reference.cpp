// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter/mbaff_reference.hpp"

#include "h264/filter/records.hpp"
#include "h264/filter/reference.hpp"

namespace v3doff::h264 {
namespace {

// One macroblock in one plane: its lines are `line` bytes apart, twice the stride in a field pair.
struct Block {
    std::byte *at;
    ptrdiff_t line, sample;
    unsigned width, height;
    int bit_depth;
    bool chroma_style;
    const uint32_t *thresholds;
};

// The strengths of `left` stand for two lines each, of a half or of a parity of the macroblock.
void filter_left(const Block &block, const FilterMbaffMb &mb) {
    const bool alternate = mb.flags & MBAFF_ALTERNATE;
    for (unsigned y = 0; y < block.height; y++) {
        const unsigned lines = block.height / 8; // of a strength
        const unsigned group = alternate ? y / (2 * lines) * 2 + y % 2 : y / lines;
        const unsigned neighbour = alternate ? y % 2 : y / (block.height / 2);
        const Edge line{block.at + ptrdiff_t(y) * block.line, block.sample, block.line, 1,
                        block.bit_depth};
        filter_packed(line, block.thresholds[neighbour], mb.left >> (group * 4) & 15,
                      block.chroma_style);
    }
}

void filter_inner_vertical(const Block &block, const FilterMbaffMb &mb) {
    const unsigned edges = block.width / 4, lines = block.height / 4;
    for (unsigned e = 1; e < edges; e++)
        for (unsigned segment = 0; segment < 4; segment++) {
            const Edge edge{block.at + ptrdiff_t(e) * 4 * block.sample +
                                ptrdiff_t(segment * lines) * block.line,
                            block.sample, block.line, lines, block.bit_depth};
            filter_packed(edge, block.thresholds[4],
                          strength_of(mb.vertical, e * 4 / edges, segment), block.chroma_style);
        }
}

// The upper edge, `step` bytes from line to line across it; q0 in the line at `at`.
void filter_upper(const Block &block, std::byte *at, ptrdiff_t step, uint32_t strengths,
                  uint32_t thresholds) {
    const unsigned columns = block.width / 4;
    for (unsigned segment = 0; segment < 4; segment++)
        filter_packed({at + ptrdiff_t(segment * columns) * block.sample, step, block.sample,
                       columns, block.bit_depth},
                      thresholds, strengths >> (segment * 4) & 15, block.chroma_style);
}

void filter_inner_horizontal(const Block &block, const FilterMbaffMb &mb) {
    const unsigned edges = block.height / 4, columns = block.width / 4;
    const uint32_t chroma[2] = {mb.chroma_left, mb.chroma_right};
    for (unsigned e = 1; e < edges; e++)
        for (unsigned segment = 0; segment < 4; segment++) {
            const Edge edge{block.at + ptrdiff_t(e) * 4 * block.line +
                                ptrdiff_t(segment * columns) * block.sample,
                            block.line, block.sample, columns, block.bit_depth};
            filter_packed(
                edge, block.thresholds[4],
                strength_of(block.chroma_style ? chroma : mb.horizontal, e * 4 / edges, segment),
                block.chroma_style);
        }
}

void filter_mb(const PictureView &picture, unsigned p, const FilterMbaffMb &mb, uint32_t x,
               uint32_t pair, unsigned m) {
    const PictureFormat &format = picture.format;
    const ptrdiff_t stride = picture.plane[p].stride, sample = ptrdiff_t(format.sample_bytes());
    const bool field = mb.flags & MBAFF_FIELD;
    Block block{nullptr,
                field ? stride * 2 : stride,
                sample,
                16u >> format.shift_x(p),
                16u >> format.shift_y(p),
                int(format.bit_depth),
                p > 0 && format.chroma != V3DOFF_CHROMA_444,
                mb.thresholds[p]};
    const unsigned row = (pair * 2 + (field ? 0 : m)) * block.height + (field ? m : 0);
    block.at =
        picture.plane[p].data + ptrdiff_t(row) * stride + ptrdiff_t(x) * block.width * sample;
    filter_left(block, mb);
    filter_inner_vertical(block, mb);
    if (mb.flags & MBAFF_TWO_TOPS) {
        // 8.7: the fields of the pair above, one after the other, in field mode.
        filter_upper(block, block.at, stride * 2, mb.top, block.thresholds[2]);
        filter_upper(block, block.at + stride, stride * 2, mb.top >> 16, block.thresholds[3]);
    } else {
        filter_upper(block, block.at, block.line, mb.top, block.thresholds[2]);
    }
    filter_inner_horizontal(block, mb);
}

} // namespace

void filter_mbaff_reference(const PictureView &picture, const FilterMbaffMb *records,
                            uint32_t mb_width, uint32_t pair_height) {
    for (uint32_t pair = 0; pair < pair_height; pair++)
        for (uint32_t x = 0; x < mb_width; x++)
            for (unsigned m = 0; m < 2; m++, records++)
                for (unsigned p = 0; p < picture.format.planes(); p++)
                    filter_mb(picture, p, *records, x, pair, m);
}

} // namespace v3doff::h264
