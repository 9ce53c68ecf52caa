// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>

#include "api/at_once.hpp"
#include "api/guard.hpp"
#include "api/vp9dsp_calls.hpp"
#include "vp9/inter/calls.hpp"

namespace v3doff::api {
namespace {

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

void predict(const DspCall &call, const Vp9Prediction &block) {
    const Reads reads(block);
    const vp9::InterInput input = input_of(block, reads);
    const uint32_t bytes = call.bit_depth > 8 ? 2 : 1, rows = uint32_t(block.h);
    auto *dst = static_cast<std::byte *>(const_cast<void *>(call.dst));
    auto *ref = reinterpret_cast<std::byte *>(const_cast<uint8_t *>(block.ref)) -
                ptrdiff_t(reads.above) * block.ref_stride - ptrdiff_t(reads.left * bytes);
    const auto before = [&](Picture &picture) {
        AtOncePicture reference(AtOnce::vp9_reference, call.bit_depth);
        const PlaneView &from = reference->view().plane[0], &to = picture.view().plane[0];
        copy_rows(from.data, from.stride, ref, block.ref_stride, reads.width * bytes, reads.height);
        reference->submit({});
        reference->wait(UINT64_MAX);
        copy_rows(to.data, to.stride, dst, call.stride, block.width * bytes, rows);
        picture.stage<vp9::InterCalls>(Slot::prediction)
            .record(0, picture.view(), input, reference->as_reference());
    };
    const auto after = [&](const PictureView &view) {
        const PlaneView &from = view.plane[0];
        copy_rows(dst, call.stride, from.data, from.stride, block.width * bytes, rows);
    };
    if (run_at_once(AtOnce::vp9_mc, call.bit_depth, std::ref(before), std::ref(after))) return;
    vp9::inter_predict_reference(
        view_of(dst, call.stride, block.width, rows, call.bit_depth), input,
        view_of(ref, block.ref_stride, reads.width, reads.height, call.bit_depth));
}

bool legal_step(int step) {
    return step >= 1 && step <= 32; // 8.4.2: a reference is at most twice as large
}

} // namespace

void vp9_predict(const DspCall &call, const Vp9Prediction &block) noexcept {
    if (block.h < 1 || block.h > 64 || block.mx < 0 || block.mx > 15 || block.my < 0 ||
        block.my > 15 || !legal_step(block.dx) || !legal_step(block.dy))
        return refuse_call(call, "a height, fraction or step that VP9 does not have");
    predict(call, block);
}

} // namespace v3doff::api
