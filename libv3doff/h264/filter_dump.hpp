// SPDX-License-Identifier: BSD-2-Clause
// Writes the deblocking that was asked for as chunks of h264/dump_format.hpp.
#pragma once

#include <array>
#include <vector>

#include "h264/filter_calls.hpp"
#include "h264/filter_mbaff_records.hpp"
#include "h264/filter_pack.hpp"
#include "h264/filter_records.hpp"
#include "h264/filter_strength_input.hpp"
#include "picture/dump.hpp"

namespace v3doff::h264 {

void dump_inputs(const FilterArea &area, const FilterInput *inputs, DumpWriter &writer);
void dump_mbaff(const MbaffInput *inputs, size_t count, DumpWriter &writer);
// An input that was packed without a complaint.
void dump_arrays(const FilterArea &area, const StrengthInput &input, DumpWriter &writer);
// Of it: whether vectors of each list are looked at; the vectors and references of one.
std::array<uint32_t, 2> used_lists(const StrengthInput &input);
void dump_motion(const StrengthInput &input, unsigned list, DumpWriter &writer);
template <typename Visit>
void each_macroblock(const StrengthInput &input, Visit visit) {
    for (uint32_t y = 0; y < input.mb_height; y++)
        for (uint32_t x = 0; x < input.mb_width; x++)
            visit(y * input.mb_stride + x);
}
void dump_edges(const std::vector<PlacedEdge> &edges, DumpWriter &writer);

} // namespace v3doff::h264
