// SPDX-License-Identifier: BSD-2-Clause
#include "api/dsp.hpp"

#include "api/at_once.hpp"
#include "api/guard.hpp"
#include "v3doff/dsp.h"

namespace v3doff::api {

DspBinding &dsp_binding() {
    static thread_local DspBinding binding;
    return binding;
}

DspTotals &dsp_totals() {
    static DspTotals totals;
    return totals;
}

bool find_place(const PictureView &picture, const void *dst, DspPlace &place) {
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

uint32_t check_call(const PictureView &picture, const DspCall &call, const DspPlace &place) {
    if (call.bit_depth != picture.format.bit_depth)
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, "the table's bit depth is not the picture's");
    const ptrdiff_t stride = picture.plane[place.plane].stride;
    const bool field = call.may_be_field && call.stride == 2 * stride;
    if (call.stride != stride && !field)
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, "the stride is not the plane's");
    const auto address = reinterpret_cast<uintptr_t>(call.dst);
    if (address % picture.format.sample_bytes())
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, "dst is not aligned to a sample");
    return field;
}

void refuse_call(const DspCall &call, const char *why) noexcept {
    dsp_totals().refused.fetch_add(1, std::memory_order_relaxed);
    LOG_ERROR("%s: refused: %s", call.name, why);
    const DspBinding &binding = dsp_binding();
    if (binding.handle && binding.is_open()) binding.picture->refuse_call();
}

} // namespace v3doff::api

using namespace v3doff;
using namespace v3doff::api;

v3doff_result v3doff_dsp_bind(v3doff_picture *picture, uint32_t lane) {
    return guarded(__func__, [&] {
        Picture &object = *resolve(picture, "picture");
        if (lane >= V3DOFF_LANES) refuse("lane: " + std::to_string(lane) + " is not below 64");
        Picture::LaneGuard guard(object, lane); // only for its checks
        dsp_binding() = {picture, picture->life.load(std::memory_order_acquire), &object, lane};
        return V3DOFF_OK;
    });
}

void v3doff_dsp_unbind(void) {
    dsp_binding() = {};
}

v3doff_result v3doff_dsp_set_device(v3doff_device *device) {
    return guarded(__func__, [&] {
        refuse_in_callback();
        set_device_at_once(device ? resolve(device, "device") : nullptr);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_dsp_get_counts(v3doff_dsp_counts *counts) {
    return guarded(__func__, [&] {
        v3doff_dsp_counts result = read_struct(counts, "counts");
        const DspTotals &totals = dsp_totals();
        result.recorded = totals.recorded;
        result.at_once_gpu = totals.at_once_gpu;
        result.at_once_cpu = totals.at_once_cpu;
        result.at_once_large = totals.at_once_large;
        result.refused = totals.refused;
        write_struct(counts, result);
        return V3DOFF_OK;
    });
}
