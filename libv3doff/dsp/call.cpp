// SPDX-License-Identifier: BSD-2-Clause
#include "dsp/call.hpp"

#include "util/log.hpp"

namespace v3doff::dsp {

Binding &binding() {
    static thread_local Binding bound;
    return bound;
}

Totals &totals() {
    static Totals all;
    return all;
}

bool find_place(const PictureView &picture, const void *dst, Place &place) {
    for (unsigned p = 0; p < picture.format.planes(); p++) {
        const PlaneView &plane = picture.plane[p];
        const auto first = reinterpret_cast<uintptr_t>(plane.data);
        const auto bytes = uint64_t(reinterpret_cast<uintptr_t>(dst)) - first;
        if (bytes >= uint64_t(plane.stride) * plane.padded_height) continue;
        const auto row = uint32_t(bytes / uint64_t(plane.stride));
        const auto column =
            uint32_t(bytes % uint64_t(plane.stride)) / picture.format.sample_bytes();
        // Planes may stand side by side in the same rows.
        if (column >= plane.padded_width) continue;
        place = {p, column, row, 0};
        return true;
    }
    return false;
}

uint32_t check_call(const PictureView &picture, const Call &call, const Place &place) {
    if (call.bit_depth != picture.format.bit_depth)
        refuse("the table's bit depth is not the picture's");
    const ptrdiff_t stride = picture.plane[place.plane].stride;
    const bool field = call.may_be_field && call.stride == 2 * stride;
    if (call.stride != stride && !field) refuse("the stride is not the plane's");
    const auto address = reinterpret_cast<uintptr_t>(call.dst);
    if (address % picture.format.sample_bytes()) refuse("dst is not aligned to a sample");
    return field;
}

void refuse_call(const Call &call, const char *why) noexcept {
    totals().refused.fetch_add(1, std::memory_order_relaxed);
    LOG_ERROR("%s: refused: %s", call.name, why);
    const Binding &bound = binding();
    if (bound.handle && bound.is_open()) bound.picture->refuse_call();
}

} // namespace v3doff::dsp
