// SPDX-License-Identifier: BSD-2-Clause
// Reads single edges of H.264 deblocking from a dump, and calls the DSP table for them, as the
// decoder did.
#include "dump_records.hpp"
#include "v3doff/dsp.h"
#include "v3doff/h264dsp.h"

namespace tool {
namespace {

namespace dump = v3doff::dump;

uint32_t chroma_format_idc(v3doff_chroma chroma) {
    return chroma == V3DOFF_CHROMA_400   ? 0
           : chroma == V3DOFF_CHROMA_420 ? 1
           : chroma == V3DOFF_CHROMA_422 ? 2
                                         : 3;
}

struct Functions {
    v3doff_h264_loop_filter filter;
    v3doff_h264_loop_filter_intra strong;
};

// Edges between columns come with all lines of the macroblock or with half of them.
Functions functions_for(const v3doff_h264dsp &table, const dump::EdgeItem &item,
                        v3doff_chroma chroma) {
    if (item.between_rows)
        return item.chroma_style
                   ? Functions{table.h264_v_loop_filter_chroma,
                               table.h264_v_loop_filter_chroma_intra}
                   : Functions{table.h264_v_loop_filter_luma, table.h264_v_loop_filter_luma_intra};
    const unsigned whole = item.chroma_style && chroma == V3DOFF_CHROMA_420 ? 8 : 16;
    if (item.lines == whole)
        return item.chroma_style
                   ? Functions{table.h264_h_loop_filter_chroma,
                               table.h264_h_loop_filter_chroma_intra}
                   : Functions{table.h264_h_loop_filter_luma, table.h264_h_loop_filter_luma_intra};
    return item.chroma_style ? Functions{table.h264_h_loop_filter_chroma_mbaff,
                                         table.h264_h_loop_filter_chroma_mbaff_intra}
                             : Functions{table.h264_h_loop_filter_luma_mbaff,
                                         table.h264_h_loop_filter_luma_mbaff_intra};
}

class Bound {
  public:
    explicit Bound(v3doff_picture *picture) {
        check(v3doff_dsp_bind(picture, 0), "binding the picture");
    }
    ~Bound() { v3doff_dsp_unbind(); }
    Bound(const Bound &) = delete;
    Bound &operator=(const Bound &) = delete;
};

} // namespace

void record_edges(DumpTarget &target, const std::vector<uint8_t> &bytes) {
    DumpReader reader(bytes);
    v3doff_h264dsp table{};
    table.struct_size = sizeof table;
    check(v3doff_h264dsp_init(&table, target.header.bit_depth, chroma_format_idc(target.chroma())),
          "H.264's functions");
    const v3doff_planes planes = planes_of(target.picture);
    const Bound bound(target.picture);
    for (const auto &item : reader.rest<dump::EdgeItem>()) {
        if (item.plane >= planes.count || item.x >= planes.padded_width[item.plane] ||
            item.y >= planes.padded_height[item.plane])
            throw DumpError("damaged: an edge outside of the picture");
        const ptrdiff_t stride = planes.stride[item.plane];
        auto *at = static_cast<uint8_t *>(planes.data[item.plane]) + ptrdiff_t(item.y) * stride +
                   ptrdiff_t(item.x) * (target.wide() ? 2 : 1);
        const Functions functions = functions_for(table, item, target.chroma());
        int8_t tc0[4];
        for (unsigned i = 0; i < 4; i++)
            tc0[i] = int8_t(item.tc0[i] < 0 ? (item.chroma_style ? 0 : -1)
                                            : item.tc0[i] + (item.chroma_style ? 1 : 0));
        const ptrdiff_t step = item.field ? 2 * stride : stride;
        if (item.strong)
            functions.strong(at, step, item.alpha, item.beta);
        else
            functions.filter(at, step, item.alpha, item.beta, tc0);
    }
}

} // namespace tool
