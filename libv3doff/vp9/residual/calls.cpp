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
    Lane &lane = lanes_.make(lane_number);
    if (lane.index.size() >= most_residual_blocks(picture))
        throw Error(V3DOFF_ERROR_LIMIT, "more blocks than the picture has room for");
    const int edge = transform_edge(block.tx), depth = int(picture.format.bit_depth);
    const size_t bytes = size_t(edge) * size_t(edge) * (depth == 8 ? 2 : 4);
    // A block is recorded as a whole or not at all: after this, only what keeps it can fail.
    const PlaneView &plane = picture.plane[block.plane];
    lane.index.make_room(block.plane, plane.padded_width, plane.padded_height);
    BlockName name{no_kind, uint32_t(lane.large.size())};
    if (residual_fits(block, depth)) {
        name = lane.batch.add(block, depth);
        lane.rows.plane[block.plane].add(block.y, block.y + uint32_t(edge));
    } else {
        LargeBlock large{block, std::vector<int32_t>(bytes / 4)};
        std::memcpy(large.coefficients.data(), coefficients, bytes);
        lane.large.push_back(std::move(large));
    }
    std::memset(coefficients, 0, bytes);
    lane.index.add(block.plane, plane.padded_width, plane.padded_height, block.x, block.y,
                   uint32_t(edge), name);
}

uint64_t ResidualCalls::records() const {
    uint64_t sum = large_blocks();
    lanes_.each([&](const Lane &lane) { sum += lane.batch.size(); });
    return sum;
}

// Without those that were taken back.
uint64_t ResidualCalls::large_blocks() const {
    uint64_t sum = 0;
    lanes_.each([&](const Lane &lane) {
        for (const LargeBlock &large : lane.large)
            sum += !large.coefficients.empty();
    });
    return sum;
}

void ResidualCalls::clear() {
    lanes_.each([](Lane &lane) {
        lane.batch.clear();
        lane.large.clear();
        lane.index.clear();
        lane.rows.clear();
    });
}

std::optional<RowRange> ResidualCalls::extent(const PictureFormat &format) const {
    RowRange rows;
    lanes_.each([&](const Lane &lane) {
        for (unsigned p = 0; p < format.planes(); p++)
            if (const RowRange &own = lane.rows.plane[p]; !own.empty())
                rows.add(own.first << format.shift_y(p), own.end << format.shift_y(p));
    });
    return rows;
}

// The last kinds are the largest blocks, and come first, so that the small ones fill up the end.
void ResidualCalls::plan(const SampleMap &map, Plan &plan) {
    ResidualPacker<RESIDUAL_KINDS> packer;
    lanes_.each([&](const Lane &lane) {
        if (!lane.batch.size()) return;
        packer.count(lane.batch);
        lane.rows.add_to(plan);
    });
    packer.make_room(plan.arena);
    lanes_.each([&](const Lane &lane) {
        if (lane.batch.size()) packer.put(lane.batch, plan.arena);
    });
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
    Lane *const lane = lanes_.find(number);
    if (!lane) return 0;
    uint64_t done = 0;
    lane->index.take(plane, area, [&](BlockName name) {
        done++;
        if (name.kind == no_kind) {
            run_large(lane->large[name.index], picture);
            return;
        }
        lane->batch.run_cpu(name, picture);
        lane->batch.strike(name);
    });
    return done;
}

uint64_t ResidualCalls::run_before_gpu(const PictureView &picture) {
    uint64_t done = 0;
    lanes_.each([&](Lane &lane) {
        for (LargeBlock &large : lane.large)
            done += run_large(large, picture);
        lane.large.clear();
    });
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
    lanes_.each([&](const Lane &lane) {
        lane.batch.each([&](BlockName name) {
            if (auto block = lane.batch.unpack(name, depth, values)) write(*block);
        });
        for (const LargeBlock &large : lane.large) {
            values = large.coefficients;
            if (!values.empty()) write(large.block);
        }
    });
    writer.end_chunk();
    return true;
}

void ResidualCalls::run_cpu(const PictureView &picture) {
    run_before_gpu(picture);
    lanes_.each([&](const Lane &lane) {
        lane.batch.each([&](BlockName name) { lane.batch.run_cpu(name, picture); });
    });
}

} // namespace v3doff::vp9
