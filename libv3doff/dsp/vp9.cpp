// SPDX-License-Identifier: BSD-2-Clause
#include "dsp/vp9.hpp"

#include "dsp/edges.hpp"
#include "vp9/filter/filter.hpp"
#include "vp9/inter/calls.hpp"
#include "vp9/residual/calls.hpp"
#include "vp9/residual/reference.hpp"

namespace v3doff::dsp {
namespace {

void record_transform(Picture &picture, uint32_t lane, const Place &place, vp9::ResidualInput block,
                      int16_t *coefficients) {
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
    if (filter.calls().touched(picture.view(), place.plane, place.x, place.y, 1))
        refuse("the loop filter of this place was called before");
    picture.stage<vp9::ResidualCalls>(Slot::transform)
        .record(lane, picture.view(), block, coefficients);
}

void transform_at_once(const Call &call, const vp9::ResidualInput &block, int16_t *coefficients) {
    const uint32_t edge = uint32_t(vp9::transform_edge(block.tx));
    const size_t block_bytes = size_t(edge) * edge * (call.bit_depth > 8 ? 4 : 2);
    alignas(4) std::byte kept[32 * 32 * 4];
    std::memcpy(kept, coefficients, block_bytes);
    const auto record = [&](Picture &picture) {
        vp9::ResidualInput copied = block;
        copied.coefficients = kept;
        picture.stage<vp9::ResidualCalls>(Slot::transform).record(0, picture.view(), copied, kept);
    };
    if (!run_block_at_once(AtOnce::vp9_itx, call, edge, edge, std::ref(record)))
        vp9::residual_add_reference(call.at(), call.stride, coefficients, block.tx, block.type,
                                    block.eob, int(call.bit_depth));
    std::memset(coefficients, 0, block_bytes);
}

// Lines outside the picture are not visible, and no line inside depends on them.
bool is_visible(const PictureView &picture, vp9::PlacedEdge &edge) {
    if (!vp9::Filter::supports(picture.format)) refuse("the picture's format is not VP9's");
    const vp9::FilterArea area = vp9::filter_area(picture.format, edge.plane);
    const PlaneView &plane = picture.plane[edge.plane];
    if (plane.padded_width < area.width || plane.padded_height < area.height)
        refuse("the picture's memory does not hold whole 8x8 blocks");
    const uint32_t along = edge.between_rows ? edge.x : edge.y;
    const uint32_t end = edge.between_rows ? area.width : area.height;
    if (along >= end) return false;
    edge.call.line_count = uint8_t(std::min(end - along, 8u));
    return true;
}

// What a block reads of its reference, and no more: the caller may have no memory there.
struct Reads {
    uint32_t left, above; // samples before the position of the block's first sample
    uint32_t width, height;

    explicit Reads(const Vp9Prediction &block) {
        const bool across = block.mx || block.dx != vp9::inter_unscaled;
        const bool down = block.my || block.dy != vp9::inter_unscaled;
        left = across ? 3 : 0;
        above = down ? 3 : 0;
        width = uint32_t((int(block.width) - 1) * block.dx + block.mx) / 16 + (across ? 8 : 1);
        height = uint32_t((block.h - 1) * block.dy + block.my) / 16 + (down ? 8 : 1);
    }
};

vp9::InterInput input_of(const Vp9Prediction &block, const Reads &reads) {
    vp9::InterInput input{};
    input.ref_x = int32_t(reads.left), input.ref_y = int32_t(reads.above);
    input.width = uint8_t(block.width), input.height = uint8_t(block.h);
    input.mx = uint8_t(block.mx), input.my = uint8_t(block.my);
    input.step_x = uint8_t(block.dx), input.step_y = uint8_t(block.dy);
    input.filter = uint8_t(block.filter);
    input.average = block.average;
    return input;
}

PictureView view_of(std::byte *data, ptrdiff_t stride, uint32_t width, uint32_t height,
                    unsigned bit_depth) {
    PictureView view;
    view.format = {width, height, bit_depth, V3DOFF_CHROMA_400};
    view.plane[0] = {data, stride, width, height, width, height};
    return view;
}

bool legal_step(int step) {
    return step >= 1 && step <= 32; // 8.4.2: a reference is at most twice as large
}

} // namespace

void vp9_itxfm_add(const Call &call, int tx, int type, int16_t *block, int eob) noexcept {
    const int edge = vp9::transform_edge(tx);
    const vp9::ResidualInput input{0, 0, 0, tx, type, std::clamp(eob, 1, edge * edge), block};
    const auto record = [&](Picture &picture, uint32_t lane, const Place &place) {
        record_transform(picture, lane, place, input, block);
    };
    if (!recorded(call, record)) transform_at_once(call, input, block);
}

void vp9_loop_filter(const Call &call, bool between_rows,
                     std::span<const vp9::EdgeCall> edges) noexcept {
    filter_edges<vp9::Filter>(AtOnce::vp9_edge, call, between_rows, edges, is_visible);
}

void vp9_predict(const Call &call, const Vp9Prediction &block) noexcept {
    if (block.h < 1 || block.h > 64 || block.mx < 0 || block.mx > 15 || block.my < 0 ||
        block.my > 15 || !legal_step(block.dx) || !legal_step(block.dy))
        return refuse_call(call, "a height, fraction or step that VP9 does not have");
    const Reads reads(block);
    const vp9::InterInput input = input_of(block, reads);
    const uint32_t bytes = uint32_t(call.sample_bytes()), rows = uint32_t(block.h);
    auto *ref = reinterpret_cast<std::byte *>(const_cast<uint8_t *>(block.ref)) -
                ptrdiff_t(reads.above) * block.ref_stride - ptrdiff_t(reads.left * bytes);
    const auto record = [&](Picture &picture) {
        AtOncePicture reference(AtOnce::vp9_reference, call.bit_depth);
        const PlaneView &to = reference->view().plane[0];
        copy_rows(to.data, to.stride, ref, block.ref_stride, reads.width * bytes, reads.height);
        reference->submit({});
        reference->wait(UINT64_MAX);
        picture.stage<vp9::InterCalls>(Slot::prediction)
            .record(0, picture.view(), input, reference->as_reference());
    };
    if (run_block_at_once(AtOnce::vp9_mc, call, block.width, rows, std::ref(record))) return;
    vp9::inter_predict_reference(
        view_of(call.at(), call.stride, block.width, rows, call.bit_depth), input,
        view_of(ref, block.ref_stride, reads.width, reads.height, call.bit_depth));
}

} // namespace v3doff::dsp
