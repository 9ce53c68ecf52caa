// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter/dump.hpp"

#include <algorithm>

#include "h264/dump_format.hpp"
#include "h264/lines.hpp"

namespace v3doff::h264 {
namespace {

uint32_t structure_of(const MacroblockArea &area) {
    return Lines(area.field, area.parity).structure();
}

} // namespace

void dump_inputs(const MacroblockArea &area, const FilterInput *inputs, DumpWriter &writer) {
    writer.begin_chunk(dump::h264_deblock);
    writer.value(structure_of(area));
    writer.bytes(inputs, size_t(area.mb_width) * area.mb_height * sizeof *inputs);
    writer.end_chunk();
}

void dump_mbaff(const MbaffInput *inputs, size_t count, DumpWriter &writer) {
    writer.begin_chunk(dump::h264_deblock_mbaff);
    writer.bytes(inputs, count * sizeof *inputs);
    writer.end_chunk();
}

void dump_edges(const std::vector<PlacedEdge> &edges, DumpWriter &writer) {
    writer.begin_chunk(dump::h264_edges);
    for (const PlacedEdge &edge : edges) {
        const EdgeCall &call = edge.call;
        dump::EdgeItem item{edge.plane,        edge.x,      edge.y,
                            edge.between_rows, edge.field,  call.alpha,
                            call.beta,         {},          uint8_t(call.lines()),
                            call.chroma_style, call.strong, 0};
        std::copy_n(call.tc0, 4, item.tc0);
        writer.value(item);
    }
    writer.end_chunk();
}

} // namespace v3doff::h264
