// SPDX-License-Identifier: BSD-2-Clause
// Writes the deblocking that was asked for as chunks of h264/dump_format.hpp.
#pragma once

#include <vector>

#include "h264/filter/edge.hpp"
#include "h264/filter/mbaff_records.hpp"
#include "h264/filter/records.hpp"
#include "picture/dump.hpp"

namespace v3doff::h264 {

void dump_inputs(const MacroblockArea &area, const FilterInput *inputs, DumpWriter &writer);
void dump_mbaff(const MbaffInput *inputs, size_t count, DumpWriter &writer);
void dump_edges(const std::vector<PlacedEdge> &edges, DumpWriter &writer);

} // namespace v3doff::h264
