// SPDX-License-Identifier: BSD-2-Clause
#include "dsp/h264.hpp"

#include "dsp/edges.hpp"
#include "h264/filter/filter.hpp"
#include "h264/residual/calls.hpp"

namespace v3doff::dsp {
namespace {

void record_residual(Picture &picture, uint32_t lane, const Place &place, h264::ResidualKind kind,
                     int16_t *coefficients) {
    const uint32_t edge = uint32_t(h264::residual_edge(kind));
    const h264::ResidualPlace at{place.plane, place.x, place.y, place.field};
    if (!h264::ResidualCalls::supports(picture.format()))
        refuse("the picture's format is not H.264's");
    const uint32_t first = place.field ? place.y & ~1u : place.y;
    if (place.x % edge || first % (edge << place.field))
        refuse("dst is not at a multiple of the block's size");
    if (!h264::residual_fits(picture.view(), at, edge, edge))
        refuse("the block leaves the picture's memory");
    const auto &filter = picture.stage<h264::Filter>(Slot::filter);
    if (filter.calls().touched(picture.view(), place.plane, place.x, place.y, edge << place.field))
        refuse("the loop filter of this place was called before");
    h264::record_block(picture, lane, at, kind, coefficients);
}

void residual_at_once(const Call &call, h264::ResidualKind kind, int16_t *coefficients) {
    const uint32_t edge = uint32_t(h264::residual_edge(kind));
    const size_t bytes = h264::residual_used(kind) * h264::coefficient_bytes(int(call.bit_depth));
    alignas(4) std::byte kept[8 * 8 * 4];
    std::memcpy(kept, coefficients, bytes);
    const auto record = [&](Picture &picture) { h264::record_block(picture, 0, {}, kind, kept); };
    if (!run_block_at_once(AtOnce::h264_idct, call, edge, edge, std::ref(record)))
        h264::residual_add_reference(call.at(), call.stride, coefficients, kind,
                                     int(call.bit_depth));
    std::memset(coefficients, 0, bytes);
}

bool can_filter(const PictureView &picture, const h264::PlacedEdge &) {
    if (!h264::Filter::supports(picture.format)) refuse("the picture's format is not H.264's");
    if (!h264::MacroblockArea(picture.format, {}).fits(picture))
        refuse("the picture's memory does not hold whole macroblocks");
    return true;
}

} // namespace

void h264_residual(const Call &call, h264::ResidualKind kind, int16_t *block) noexcept {
    const auto record = [&](Picture &picture, uint32_t lane, const Place &place) {
        record_residual(picture, lane, place, kind, block);
    };
    if (!recorded(call, record)) residual_at_once(call, kind, block);
}

void h264_residuals(Call call, uint8_t *const *dst, const H264Blocks &blocks) noexcept {
    const auto list = h264::macroblock_blocks(blocks.group, blocks.chroma, int(call.bit_depth),
                                              blocks.nnzc, blocks.block);
    const size_t bytes = 16 * h264::coefficient_bytes(int(call.bit_depth));
    for (uint32_t n = 0; n < list.count; n++) {
        const h264::MacroblockBlock &block = list.block[n];
        const bool second_half = block.plane && block.number % 16 >= 4; // of 4:2:2
        call.dst = dst[block.plane ? block.plane - 1 : 0] +
                   blocks.blockoffset[block.number + (second_half ? 4 : 0)];
        auto *first = reinterpret_cast<std::byte *>(blocks.block) + block.number * bytes;
        h264_residual(call, block.kind, reinterpret_cast<int16_t *>(first));
    }
}

void h264_loop_filter(const Call &call, bool between_rows, const h264::EdgeCall &edge) noexcept {
    filter_edges<h264::Filter>(AtOnce::h264_edge, call, between_rows,
                               std::span<const h264::EdgeCall>(&edge, 1), can_filter);
}

} // namespace v3doff::dsp
