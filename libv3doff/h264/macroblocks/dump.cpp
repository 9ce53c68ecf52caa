// SPDX-License-Identifier: BSD-2-Clause
#include "h264/macroblocks/dump.hpp"

#include <array>

#include "h264/dump_format.hpp"

namespace v3doff::h264 {
namespace {

// Whether the macroblock exists and uses the list. Otherwise its memory may hold anything.
bool uses(const Arrays &input, size_t at, unsigned list) {
    const uint32_t type = input.mb_type[at];
    return input.slice_table[at] != no_slice && !(type & mb_intra) &&
           type & (list ? mb_uses_list_1 : mb_uses_list_0);
}

template <typename Visit>
void each_macroblock(const Arrays &input, Visit visit) {
    for (uint32_t y = 0; y < input.mb_height; y++)
        for (uint32_t x = 0; x < input.mb_width; x++)
            visit(y * input.mb_stride + x);
}

std::array<uint32_t, 2> used_lists(const Arrays &input) {
    std::array<uint32_t, 2> used{};
    each_macroblock(input, [&](size_t at) {
        for (unsigned list = 0; list < 2; list++)
            used[list] |= input.motion[list] && input.reference[list] && uses(input, at, list);
    });
    return used;
}

void dump_motion(const Arrays &input, unsigned list, DumpWriter &writer) {
    static constexpr int16_t still[4][2] = {};
    for (uint32_t y = 0; y < input.mb_height * 4; y++)
        for (uint32_t x = 0; x < input.mb_width; x++) {
            const size_t at = y / 4 * input.mb_stride + x;
            const size_t first = y / 4 * input.motion_mb_stride + y % 4 * input.motion_stride;
            writer.bytes(uses(input, at, list) ? input.motion[list] + first + 4 * size_t(x) : still,
                         sizeof still);
        }
    each_macroblock(input, [&](size_t at) {
        static constexpr int8_t none[4] = {-1, -1, -1, -1};
        writer.bytes(uses(input, at, list) ? input.reference[list] + 4 * at : none, sizeof none);
    });
}

} // namespace

void dump_arrays(const MacroblockArea &area, const Arrays &input, DumpWriter &writer) {
    const std::array<uint32_t, 2> has = used_lists(input);
    writer.begin_chunk(dump::h264_arrays);
    uint32_t flags = 0;
    if (input.field && !area.field) flags |= V3DOFF_H264_ARRAYS_FIELD;
    if (input.mbaff) flags |= V3DOFF_H264_ARRAYS_MBAFF;
    if (input.luma_only) flags |= V3DOFF_H264_ARRAYS_LUMA_ONLY;
    if (!input.filtered) flags |= V3DOFF_H264_ARRAYS_UNFILTERED;
    writer.value(dump::ArraysHeader{uint32_t(Lines(area.field, area.parity).structure()),
                                    flags,
                                    input.mb_width,
                                    input.mb_height,
                                    uint32_t(input.slice_count),
                                    input.filtered && input.cbp,
                                    {has[0], has[1]}});
    if (input.filtered) writer.bytes(input.slices, input.slice_count * sizeof input.slices[0]);
    if (input.filtered && input.mbaff)
        writer.bytes(input.field_pictures, input.slice_count * sizeof input.field_pictures[0]);
    each_macroblock(input, [&](size_t at) { writer.value(input.mb_type[at]); });
    each_macroblock(input, [&](size_t at) { writer.value(input.slice_table[at]); });
    if (input.filtered) {
        each_macroblock(input, [&](size_t at) { writer.value(input.qp[at]); });
        each_macroblock(input, [&](size_t at) { writer.bytes(input.non_zero_count[at], 16); });
        if (input.cbp) each_macroblock(input, [&](size_t at) { writer.value(input.cbp[at]); });
    }
    for (unsigned list = 0; list < 2; list++)
        if (has[list]) dump_motion(input, list, writer);
    writer.end_chunk();
}

} // namespace v3doff::h264
