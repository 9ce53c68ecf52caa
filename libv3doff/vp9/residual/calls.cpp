// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/residual/calls.hpp"

#include <algorithm>
#include <cstring>

#include "common/push.hpp"
#include "picture/dump.hpp"
#include "util/error.hpp"
#include "vp9/dump_format.hpp"
#include "vp9/residual/reference.hpp"

namespace v3doff::vp9 {

// VP9 has 8, 10 and 12 bits; the rest of the library more.
bool ResidualCalls::supports(const PictureFormat &format) {
    return format.bit_depth == 8 || format.bit_depth == 10 || format.bit_depth == 12;
}

std::vector<uint32_t> ResidualCalls::shaders(const PictureFormat &format) {
    return {residual_shaders(ResidualUse::calls, format.bit_depth)[0]};
}

void ResidualCalls::record(uint32_t lane_number, const PictureView &picture,
                           const ResidualInput &block, void *coefficients) {
    auto &lane = lanes_[lane_number];
    if (!lane) lane = std::make_unique<Lane>();
    if (lane->index.size() >= most_residual_blocks(picture))
        throw Error(V3DOFF_ERROR_LIMIT, "more blocks than the picture has room for");
    const int edge = transform_edge(block.tx), depth = int(picture.format.bit_depth);
    const size_t bytes = size_t(edge) * size_t(edge) * (depth == 8 ? 2 : 4);
    // A block is recorded as a whole or not at all: after this, only what keeps it can fail.
    const PlaneView &plane = picture.plane[block.plane];
    lane->index.make_room(block.plane, plane.padded_width, plane.padded_height);
    BlockName name{no_kind, uint32_t(lane->large.size())};
    if (residual_fits(block, depth)) {
        name = lane->batch.add(block, depth);
        lane->rows[block.plane].add(block.y, block.y + uint32_t(edge));
    } else {
        LargeBlock large{block, std::vector<int32_t>(bytes / 4)};
        std::memcpy(large.coefficients.data(), coefficients, bytes);
        lane->large.push_back(std::move(large));
    }
    std::memset(coefficients, 0, bytes);
    lane->index.add(block.plane, plane.padded_width, plane.padded_height, block.x, block.y,
                    uint32_t(edge), name);
}

uint64_t ResidualCalls::records() const {
    uint64_t sum = large_blocks();
    for (const auto &lane : lanes_)
        if (lane) sum += lane->batch.size();
    return sum;
}

// Without those that were taken back.
uint64_t ResidualCalls::large_blocks() const {
    uint64_t sum = 0;
    for (const auto &lane : lanes_)
        if (lane)
            for (const LargeBlock &large : lane->large)
                sum += !large.coefficients.empty();
    return sum;
}

void ResidualCalls::clear() {
    for (auto &lane : lanes_)
        if (lane) {
            lane->batch.clear();
            lane->large.clear();
            lane->index.clear();
            std::fill(std::begin(lane->rows), std::end(lane->rows), RowRange());
        }
}

std::optional<RowRange> ResidualCalls::extent(const PictureFormat &format) const {
    RowRange rows;
    for (const auto &lane : lanes_)
        for (unsigned p = 0; lane && p < format.planes(); p++)
            if (!lane->rows[p].empty())
                rows.add(lane->rows[p].first << format.shift_y(p),
                         lane->rows[p].end << format.shift_y(p));
    return rows;
}

// The last kinds are the largest blocks, and come first, so that the small ones fill up the end.
void ResidualCalls::plan(const SampleMap &map, Plan &plan) {
    ResidualPacker<RESIDUAL_KINDS> packer;
    const auto each_lane = [&](auto visit) {
        for (const auto &lane : lanes_)
            if (lane && lane->batch.size()) visit(*lane);
    };
    each_lane([&](const Lane &lane) {
        packer.count(lane.batch);
        for (unsigned p = 0; p < map.format.planes(); p++)
            if (!lane.rows[p].empty()) plan.rows[p].add(lane.rows[p].first, lane.rows[p].end);
    });
    packer.make_room(plan.arena);
    each_lane([&](const Lane &lane) { packer.put(lane.batch, plan.arena); });
    ResidualPush push{};
    set_planes(push, map);
    const int depth = int(map.format.bit_depth);
    for (uint shader = 0; shader < 2; shader++) {
        GroupDispatches dispatches(
            plan, Dispatch(residual_shaders(ResidualUse::calls, map.format.bit_depth)[shader], {},
                           push, vk::in_place));
        for (uint kind = residual_shader_kinds[shader + 1]; kind-- > residual_shader_kinds[shader];)
            packer.add_groups(kind, residual_lanes_log2(kind, depth), residual_group_cost(kind),
                              dispatches);
    }
}

uint64_t ResidualCalls::run_large(LargeBlock &large, const PictureView &picture) const {
    if (large.coefficients.empty()) return 0; // taken back
    const ResidualInput &block = large.block;
    residual_add_reference(residual_place(picture, block.plane, block.x, block.y),
                           picture.plane[block.plane].stride, large.coefficients.data(), block.tx,
                           block.type, block.eob, int(picture.format.bit_depth));
    large.coefficients.clear();
    return 1;
}

uint64_t ResidualCalls::take_back(uint32_t number, unsigned plane, const Rectangle &area,
                                  const PictureView &picture) {
    if (!lanes_[number]) return 0;
    Lane &lane = *lanes_[number];
    uint64_t done = 0;
    lane.index.take(plane, area, [&](BlockName name) {
        done++;
        if (name.kind == no_kind) {
            run_large(lane.large[name.index], picture);
            return;
        }
        lane.batch.run_cpu(name, picture);
        lane.batch.strike(name);
    });
    return done;
}

uint64_t ResidualCalls::run_before_gpu(const PictureView &picture) {
    uint64_t done = 0;
    for (auto &lane : lanes_) {
        if (!lane) continue;
        for (LargeBlock &large : lane->large)
            done += run_large(large, picture);
        lane->large.clear();
    }
    return done;
}

bool ResidualCalls::save(const PictureFormat &format, DumpWriter &writer) const {
    const int depth = int(format.bit_depth);
    std::vector<int32_t> values;
    auto write = [&](const ResidualInput &block) {
        while (!values.empty() && !values.back())
            values.pop_back();
        writer.value(dump::ItxItem{block.plane, block.x, block.y, uint32_t(block.tx),
                                   uint32_t(block.type), uint32_t(block.eob),
                                   uint32_t(values.size())});
        writer.bytes(values.data(), values.size() * sizeof values[0]);
    };
    writer.begin_chunk(dump::vp9_itx);
    for (const auto &lane : lanes_) {
        if (!lane) continue;
        for (uint32_t kind = 0; kind < RESIDUAL_KINDS; kind++)
            for (uint32_t i = 0; i < lane->batch.list(kind).records.size(); i++)
                if (auto block = lane->batch.unpack({kind, i}, depth, values)) write(*block);
        for (const LargeBlock &large : lane->large) {
            values = large.coefficients;
            if (!values.empty()) write(large.block);
        }
    }
    writer.end_chunk();
    return true;
}

void ResidualCalls::run_cpu(const PictureView &picture) {
    run_before_gpu(picture);
    for (const auto &lane : lanes_)
        for (uint kind = 0; lane && kind < RESIDUAL_KINDS; kind++)
            for (uint i = 0; i < lane->batch.list(kind).records.size(); i++)
                lane->batch.run_cpu({kind, i}, picture);
}

} // namespace v3doff::vp9
