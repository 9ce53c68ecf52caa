// SPDX-License-Identifier: BSD-2-Clause
// Chunks of h264/dump_format.hpp that say what deblocking was asked for.
#pragma once

#include <vector>

#include "picture/dump.hpp"
#include "h264/filter_calls.hpp"
#include "h264/filter_mbaff_records.hpp"
#include "h264/filter_pack.hpp"
#include "h264/filter_records.hpp"
#include "h264/filter_strength_input.hpp"

namespace v3doff::h264 {

void dump_inputs(const FilterArea &area, const FilterInput *inputs, DumpWriter &writer);
void dump_mbaff(const MbaffInput *inputs, size_t count, DumpWriter &writer);
// An input that was packed without a complaint.
void dump_arrays(const FilterArea &area, const StrengthInput &input, DumpWriter &writer);
void dump_edges(const std::vector<PlacedEdge> &edges, DumpWriter &writer);

} // namespace v3doff::h264
