// SPDX-License-Identifier: BSD-2-Clause
#include "api/vp9dsp_calls.hpp"

#include <algorithm>
#include <cstring>

#include "api/at_once.hpp"
#include "api/guard.hpp"
#include "vp9/filter/edge.hpp"
#include "vp9/filter/filter.hpp"
#include "vp9/filter/reference.hpp"
#include "vp9/residual/calls.hpp"
#include "vp9/residual/reference.hpp"

namespace v3doff::api {
namespace {

void record_residual(Picture &picture, uint32_t lane, const DspPlace &place,
                     vp9::ResidualInput block, int16_t *coefficients) {
    const uint32_t edge = uint32_t(vp9::transform_edge(block.tx));
    const PlaneView &plane = picture.view().plane[place.plane];
    block.plane = place.plane;
    block.x = place.x;
    block.y = place.y;
    if (!vp9::ResidualCalls::supports(picture.format()))
        refuse("the picture's format is not VP9's");
    if (place.x % 4 || place.y % 4) refuse("dst is not at a multiple of 4 samples");
    // Decoders transform whole 8x8 luma blocks, so a 4x4 block may begin beyond the picture's edge.
    if (place.x + edge > plane.padded_width || place.y + edge > plane.padded_height)
        refuse("the block leaves the picture's memory");
    const auto &filter = picture.stage<vp9::Filter>(Slot::filter);
    if (filter.calls().touched(picture.format(), place.plane, place.x, place.y))
        refuse("the loop filter of this place was called before");
    picture.stage<vp9::ResidualCalls>(Slot::transform)
        .record(lane, picture.view(), block, coefficients);
}

void transform_at_once(const DspCall &call, const vp9::ResidualInput &block,
                       int16_t *coefficients) {
    const uint32_t edge = uint32_t(vp9::transform_edge(block.tx));
    const size_t row_bytes = size_t(edge) * (call.bit_depth > 8 ? 2 : 1);
    const size_t block_bytes = size_t(edge) * edge * (call.bit_depth > 8 ? 4 : 2);
    alignas(4) std::byte kept[32 * 32 * 4];
    std::memcpy(kept, coefficients, block_bytes);
    const auto before = [&](Picture &picture) {
        const PlaneView &plane = picture.view().plane[0];
        copy_rows(plane.data, plane.stride, bytes_of(call), call.stride, row_bytes, edge);
        vp9::ResidualInput copied = block;
        copied.coefficients = kept;
        picture.stage<vp9::ResidualCalls>(Slot::transform).record(0, picture.view(), copied, kept);
    };
    const auto after = [&](const PictureView &view) {
        const PlaneView &plane = view.plane[0];
        copy_rows(bytes_of(call), call.stride, plane.data, plane.stride, row_bytes, edge);
    };
    if (!run_at_once(AtOnce::vp9_itx, call.bit_depth, std::ref(before), std::ref(after)))
        vp9::residual_add_reference(bytes_of(call), call.stride, coefficients, block.tx, block.type,
                                    block.eob, int(call.bit_depth));
    std::memset(coefficients, 0, block_bytes);
}

void record_edge(Picture &picture, uint32_t lane, const DspPlace &place, bool between_rows,
                 const Vp9Edge &edge) {
    const PictureFormat &format = picture.format();
    const PlaneView &plane = picture.view().plane[place.plane];
    if (!vp9::Filter::supports(format)) refuse("the picture's format is not VP9's");
    const vp9::FilterArea area = vp9::filter_area(format, place.plane);
    if (plane.padded_width < area.width || plane.padded_height < area.height)
        refuse("the picture's memory does not hold whole 8x8 blocks");
    // Lines outside the picture are not visible, and no line inside depends on them.
    if (between_rows ? place.x >= area.width : place.y >= area.height) return;
    const uint32_t reach = edge.size == 16 ? 8 : 4;
    const uint32_t across = between_rows ? place.y : place.x;
    if (across < reach ||
        across + reach > (between_rows ? plane.padded_height : plane.padded_width))
        refuse("the edge's samples leave the picture's memory");
    vp9::EdgeCall call;
    call.x = uint16_t(place.x);
    call.y = uint16_t(place.y);
    call.e = int16_t(vp9::cut_limit(edge.e));
    call.i = int16_t(vp9::cut_limit(edge.i));
    call.h = int16_t(vp9::cut_limit(edge.h));
    call.plane = uint8_t(place.plane);
    call.size = uint8_t(edge.size);
    call.between_rows = between_rows;
    picture.stage<vp9::Filter>(Slot::filter).record_call(lane, format, call);
}

// Copies the samples that the filter reads or writes between the caller's memory and rows of the
// small picture, where the edge follows the 8th sample.
template <typename Sample, bool to_picture>
void copy_lines(const DspCall &call, bool between_rows, const Vp9Edge *edges, unsigned count,
                const PlaneView &plane) {
    const ptrdiff_t stride = call.stride / ptrdiff_t(sizeof(Sample));
    const ptrdiff_t across = between_rows ? stride : 1, along = between_rows ? 1 : stride;
    auto *first = reinterpret_cast<Sample *>(bytes_of(call));
    for (unsigned line = 0; line < 8 * count; line++) {
        auto *row = reinterpret_cast<Sample *>(plane.data + ptrdiff_t(line) * plane.stride) + 8;
        const int reach = edges[line / 8].size == 16 ? 8 : 4;
        if (to_picture) std::memset(row - 8, 0, 16 * sizeof *row);
        for (int n = -reach; n < reach; n++) {
            Sample &sample = first[ptrdiff_t(line) * along + n * across];
            if (to_picture)
                row[n] = sample;
            else
                sample = row[n];
        }
    }
}

template <typename Sample>
void filter_at_once(const DspCall &call, bool between_rows, const Vp9Edge *edges, unsigned count) {
    const auto before = [&](Picture &picture) {
        copy_lines<Sample, true>(call, between_rows, edges, count, picture.view().plane[0]);
        auto &stage = picture.stage<vp9::Edge>(Slot::filter);
        for (unsigned n = 0; n < count; n++)
            stage.record(edges[n].size, edges[n].e, edges[n].i, edges[n].h);
    };
    const auto after = [&](const PictureView &view) {
        copy_lines<Sample, false>(call, between_rows, edges, count, view.plane[0]);
    };
    if (run_at_once(AtOnce::vp9_edge, call.bit_depth, std::ref(before), std::ref(after))) return;
    const ptrdiff_t stride = call.stride / ptrdiff_t(sizeof(Sample));
    const ptrdiff_t across = between_rows ? stride : 1, along = between_rows ? 1 : stride;
    auto *first = reinterpret_cast<Sample *>(bytes_of(call));
    for (unsigned n = 0; n < count; n++) {
        const Vp9Edge &edge = edges[n];
        const vp9::EdgeLimits limits{uint32_t(vp9::cut_limit(edge.e)),
                                     uint32_t(vp9::cut_limit(edge.i)),
                                     uint32_t(vp9::cut_limit(edge.h))};
        vp9::filter_edge(first + ptrdiff_t(8 * n) * along, across, along, 8, edge.size, limits,
                         call.bit_depth);
    }
}

} // namespace

void vp9_itxfm_add(const DspCall &call, int tx, int type, int16_t *block, int eob) noexcept {
    const int edge = vp9::transform_edge(tx);
    const vp9::ResidualInput input{0, 0, 0, tx, type, std::clamp(eob, 1, edge * edge), block};
    const auto record = [&](Picture &picture, uint32_t lane, const DspPlace &place) {
        record_residual(picture, lane, place, input, block);
    };
    if (!recorded(call, record)) transform_at_once(call, input, block);
}

void vp9_loop_filter(const DspCall &call, bool between_rows, const Vp9Edge *edges,
                     unsigned count) noexcept {
    const auto record = [&](Picture &picture, uint32_t lane, DspPlace place) {
        for (unsigned n = 0; n < count; n++) {
            record_edge(picture, lane, place, between_rows, edges[n]);
            (between_rows ? place.x : place.y) += 8;
        }
    };
    if (recorded(call, record)) return;
    if (call.bit_depth > 8)
        filter_at_once<uint16_t>(call, between_rows, edges, count);
    else
        filter_at_once<uint8_t>(call, between_rows, edges, count);
}

} // namespace v3doff::api
