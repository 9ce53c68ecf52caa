// SPDX-License-Identifier: BSD-2-Clause
#include "api/h264dsp_calls.hpp"

#include <cstring>

#include "api/at_once.hpp"
#include "api/guard.hpp"
#include "h264/filter/filter.hpp"
#include "h264/residual/residual.hpp"

namespace v3doff::api {
namespace {

// An 8x8 bypass block counts as four (Residual::reserve).
size_t blocks_of(h264::ResidualKind kind) {
    return kind == h264::ResidualKind::bypass_8x8 ? 4 : 1;
}

void record_residual(Picture &picture, uint32_t lane, const DspPlace &place,
                     h264::ResidualInput input) {
    const uint32_t edge = uint32_t(h264::residual_edge(input.kind));
    input.place = {place.plane, place.x, place.y, place.field};
    if (!h264::Residual::supports(picture.format())) refuse("the picture's format is not H.264's");
    const uint32_t first = place.field ? place.y & ~1u : place.y;
    if (place.x % edge || first % (edge << place.field))
        refuse("dst is not at a multiple of the block's size");
    if (!h264::residual_fits(picture.view(), input.place, edge, edge))
        refuse("the block leaves the picture's memory");
    const auto &filter = picture.stage<h264::Filter>(Slot::filter);
    if (filter.calls().touched(picture.view(), place.plane, place.x, place.y, edge << place.field))
        refuse("the loop filter of this place was called before");
    auto &stage = picture.stage<h264::Residual>(Slot::transform);
    stage.reserve(lane, picture.view(), blocks_of(input.kind));
    stage.record(lane, picture.view(), input);
}

void residual_at_once(const DspCall &call, const h264::ResidualInput &input) {
    const uint32_t edge = uint32_t(h264::residual_edge(input.kind));
    const size_t row_bytes = size_t(edge) * (call.bit_depth > 8 ? 2 : 1);
    const auto before = [&](Picture &picture) {
        const PlaneView &plane = picture.view().plane[0];
        copy_rows(plane.data, plane.stride, bytes_of(call), call.stride, row_bytes, edge);
        auto &stage = picture.stage<h264::Residual>(Slot::transform);
        stage.reserve(0, picture.view(), blocks_of(input.kind));
        stage.record(0, picture.view(), input);
    };
    const auto after = [&](const PictureView &view) {
        const PlaneView &plane = view.plane[0];
        copy_rows(bytes_of(call), call.stride, plane.data, plane.stride, row_bytes, edge);
    };
    if (!run_at_once(AtOnce::h264_idct, call.bit_depth, before, after))
        h264::residual_add_reference(bytes_of(call), call.stride, input.coefficients, input.kind,
                                     int(call.bit_depth));
}

void record_edge(Picture &picture, uint32_t lane, const DspPlace &place, bool between_rows,
                 const h264::EdgeCall &edge) {
    const PlaneView &plane = picture.view().plane[place.plane];
    const uint32_t reach = edge.chroma_style ? 2 : edge.strong ? 4 : 3;
    const uint32_t rows = (between_rows ? reach : edge.lines()) << place.field;
    const uint32_t columns = between_rows ? edge.lines() : reach;
    const uint32_t above = between_rows ? reach << place.field : 0, left = between_rows ? 0 : reach;
    if (!h264::Filter::supports(picture.format())) refuse("the picture's format is not H.264's");
    if (!h264::MacroblockArea(picture.format(), {}).fits(picture.view()))
        refuse("the picture's memory does not hold whole macroblocks");
    if (place.y < above || place.x < left || place.x + columns > plane.padded_width ||
        place.y + rows - place.field > plane.padded_height)
        refuse("the edge's samples leave the picture's memory");
    picture.stage<h264::Filter>(Slot::filter)
        .record_call(lane, picture.view(),
                     {0, place.plane, place.x, place.y, place.field != 0, between_rows, edge});
}

// Copies lines between the caller's memory and rows of the small picture, where the edge follows
// the 4th sample.
template <bool to_picture>
void copy_lines(const DspCall &call, bool between_rows, const h264::EdgeCall &edge,
                const PlaneView &plane) {
    const ptrdiff_t bytes = call.bit_depth > 8 ? 2 : 1;
    const ptrdiff_t across = between_rows ? call.stride : bytes;
    const ptrdiff_t along = between_rows ? bytes : call.stride;
    const int reach = edge.chroma_style ? 2 : edge.strong ? 4 : 3;
    for (unsigned line = 0; line < edge.lines(); line++) {
        std::byte *row = plane.data + ptrdiff_t(line) * plane.stride + 4 * bytes;
        std::byte *first = bytes_of(call) + ptrdiff_t(line) * along;
        if (to_picture) std::memset(row - 4 * bytes, 0, size_t(8 * bytes));
        for (int n = -reach; n < reach; n++) {
            if (to_picture)
                std::memcpy(row + n * bytes, first + n * across, size_t(bytes));
            else
                std::memcpy(first + n * across, row + n * bytes, size_t(bytes));
        }
    }
}

void filter_at_once(const DspCall &call, bool between_rows, const h264::EdgeCall &edge) {
    const auto before = [&](Picture &picture) {
        copy_lines<true>(call, between_rows, edge, picture.view().plane[0]);
        picture.stage<h264::EdgeLines>(Slot::filter).record(edge);
    };
    const auto after = [&](const PictureView &view) {
        copy_lines<false>(call, between_rows, edge, view.plane[0]);
    };
    if (run_at_once(AtOnce::h264_edge, call.bit_depth, before, after)) return;
    const ptrdiff_t bytes = call.bit_depth > 8 ? 2 : 1;
    h264::filter_call(bytes_of(call), between_rows ? call.stride : bytes,
                      between_rows ? bytes : call.stride, edge, call.bit_depth);
}

} // namespace

void h264_residual(const DspCall &call, h264::ResidualKind kind, int16_t *block) noexcept {
    const h264::ResidualInput input{{0, 0, 0, 0}, kind, block};
    bool taken = false; // a refused block keeps its coefficients
    const auto record = [&](Picture &picture, uint32_t lane, const DspPlace &place) {
        record_residual(picture, lane, place, input);
        taken = true;
    };
    if (!recorded(call, record)) {
        residual_at_once(call, input);
        taken = true;
    }
    if (taken)
        std::memset(block, 0,
                    h264::residual_used(kind) * h264::coefficient_bytes(int(call.bit_depth)));
}

void h264_residuals(DspCall call, uint8_t *const *dst, const H264Blocks &blocks) noexcept {
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

void h264_loop_filter(const DspCall &call, bool between_rows, const h264::EdgeCall &edge) noexcept {
    const auto record = [&](Picture &picture, uint32_t lane, const DspPlace &place) {
        record_edge(picture, lane, place, between_rows, edge);
    };
    if (!recorded(call, record)) filter_at_once(call, between_rows, edge);
}

} // namespace v3doff::api
