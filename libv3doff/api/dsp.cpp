// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/dsp.h"

#include "api/recording.hpp"
#include "dsp/at_once.hpp"
#include "dsp/h264.hpp"
#include "dsp/vp9.hpp"

using namespace v3doff;
using namespace v3doff::api;

v3doff_result v3doff_dsp_bind(v3doff_picture *picture, uint32_t lane) {
    return guarded(__func__, [&] {
        Picture &object = picture_with_lane(picture, lane);
        Picture::LaneGuard guard(object, lane); // only for its checks
        dsp::binding() = {&picture->life, picture->life.load(std::memory_order_acquire), &object,
                          lane};
        return V3DOFF_OK;
    });
}

void v3doff_dsp_unbind(void) {
    dsp::binding() = {};
}

v3doff_result v3doff_dsp_set_device(v3doff_device *device) {
    return guarded(__func__, [&] {
        refuse_in_callback();
        dsp::set_device_at_once(device ? resolve(device, "device") : nullptr);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_dsp_get_counts(v3doff_dsp_counts *counts) {
    return guarded(__func__, [&] {
        v3doff_dsp_counts result = read_struct(counts, "counts");
        const dsp::Totals &totals = dsp::totals();
        result.recorded = totals.recorded;
        result.at_once_gpu = totals.at_once_gpu;
        result.at_once_cpu = totals.at_once_cpu;
        result.at_once_large = totals.at_once_large;
        result.refused = totals.refused;
        write_struct(counts, result);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_vp9dsp_init(v3doff_vp9dsp *table, uint32_t bit_depth) {
    return guarded(__func__, [&] {
        read_struct(table, "table");
        v3doff_vp9dsp filled{};
        if (!dsp::fill_table(filled, bit_depth))
            throw Error(V3DOFF_ERROR_UNSUPPORTED,
                        "bit_depth: " + std::to_string(bit_depth) + " is not 8, 10 or 12");
        write_struct(table, filled);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_h264dsp_init(v3doff_h264dsp *table, uint32_t bit_depth,
                                  uint32_t chroma_format_idc) {
    return guarded(__func__, [&] {
        read_struct(table, "table");
        if (chroma_format_idc > 3)
            throw Error(V3DOFF_ERROR_UNSUPPORTED, "chroma_format_idc: not 0 to 3");
        v3doff_h264dsp filled{};
        // As in FFmpeg, 4:4:4 gets the functions of 4:2:2, although it does not call them.
        if (!dsp::fill_table(filled, bit_depth, chroma_format_idc > 1))
            throw Error(V3DOFF_ERROR_UNSUPPORTED,
                        "bit_depth: " + std::to_string(bit_depth) + " is not 8, 9, 10, 12 or 14");
        write_struct(table, filled);
        return V3DOFF_OK;
    });
}
