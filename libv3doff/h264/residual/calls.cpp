// SPDX-License-Identifier: BSD-2-Clause
#include "h264/residual/calls.hpp"

#include <algorithm>
#include <cstring>

#include "h264/dump_format.hpp"
#include "picture/dump.hpp"
#include "util/error.hpp"

namespace v3doff::h264 {
bool residual_fits(const PictureView &picture, const ResidualPlace &place, uint width,
                   uint height) {
    const PlaneView &plane = picture.plane[place.plane];
    const uint rows = ((height - 1) << place.field) + 1;
    return place.x < plane.padded_width && width <= plane.padded_width - place.x &&
           place.y < plane.padded_height && rows <= plane.padded_height - place.y;
}

// 4:4:0 is no format of H.264.
bool ResidualCalls::supports(const PictureFormat &format) {
    return format.chroma != V3DOFF_CHROMA_440;
}

std::vector<uint32_t> ResidualCalls::shaders(const PictureFormat &format) {
    return {residual_shader(format.bit_depth)};
}

void ResidualCalls::record_one(Lane &lane, const ResidualInput &block, int bit_depth) {
    const ResidualPlace &at = block.place;
    lane.batch.add(block, bit_depth);
    lane.added++;
    lane.rows[at.plane].add(at.y,
                            at.y + ((uint32_t(residual_edge(block.kind)) - 1) << at.field) + 1);
}

void ResidualCalls::record_bypass_8x8(Lane &lane, const ResidualInput &block, int bit_depth) {
    const size_t bytes = coefficient_bytes(bit_depth);
    const auto *from = static_cast<const std::byte *>(block.coefficients);
    alignas(int32_t) std::byte quarter[16 * 4];
    for (uint32_t y = 0; y < 8; y += 4)
        for (uint32_t x = 0; x < 8; x += 4) {
            for (uint32_t row = 0; row < 4; row++)
                std::memcpy(quarter + row * 4 * bytes, from + ((y + row) * 8 + x) * bytes,
                            4 * bytes);
            ResidualInput part{block.place, ResidualKind::bypass_4x4, quarter};
            part.place.x += x;
            part.place.y += y << part.place.field;
            record_one(lane, part, bit_depth);
        }
}

ResidualCalls::Lane &ResidualCalls::lane(uint32_t number) {
    auto &lane = lanes_[number];
    if (!lane) lane = std::make_unique<Lane>();
    return *lane;
}

void ResidualCalls::reserve(uint32_t number, const PictureView &picture, size_t blocks) {
    if (lane(number).added + blocks > most_residual_blocks(picture))
        throw Error(V3DOFF_ERROR_LIMIT, "more blocks than the picture has room for");
}

void ResidualCalls::record(uint32_t number, const PictureView &picture,
                           const ResidualInput &block) {
    Lane &lane = *lanes_[number];
    if (block.kind == ResidualKind::bypass_8x8)
        record_bypass_8x8(lane, block, int(picture.format.bit_depth));
    else
        record_one(lane, block, int(picture.format.bit_depth));
}

void ResidualCalls::index_rest(Lane &lane, const PictureView &picture) {
    for (uint32_t kind = 0; kind < RESIDUAL_KINDS; kind++) {
        uint32_t &next = lane.indexed[kind];
        for (; next < lane.batch.list(kind).records.size(); next++) {
            const auto at = lane.batch.place({kind, next});
            const PlaneView &plane = picture.plane[at->plane];
            lane.index.add(at->plane, plane.padded_width, plane.padded_height, at->x, at->y,
                           lane.batch.edge(kind) << at->field, {kind, next});
        }
    }
}

uint64_t ResidualCalls::records() const {
    uint64_t sum = 0;
    for (const auto &lane : lanes_)
        if (lane) sum += lane->batch.size();
    return sum;
}

void ResidualCalls::clear() {
    for (auto &lane : lanes_)
        if (lane) {
            lane->batch.clear();
            lane->added = 0;
            lane->index.clear();
            lane->indexed = {};
            std::fill(std::begin(lane->rows), std::end(lane->rows), RowRange());
        }
}

void ResidualCalls::plan(const SampleMap &map, Plan &plan) {
    std::array<const ResidualBatch *, V3DOFF_LANES> batches;
    size_t count = 0;
    for (const auto &lane : lanes_) {
        if (!lane) continue;
        if (lane->batch.size()) batches[count++] = &lane->batch;
        for (unsigned p = 0; p < map.format.planes(); p++)
            if (!lane->rows[p].empty()) plan.rows[p].add(lane->rows[p].first, lane->rows[p].end);
    }
    if (count) plan_residuals({batches.data(), count}, map, plan);
}

uint64_t ResidualCalls::take_back(uint32_t number, unsigned plane, const Rectangle &area,
                                  const PictureView &picture) {
    if (!lanes_[number]) return 0;
    Lane &lane = *lanes_[number];
    const PlaneView &view = picture.plane[plane];
    uint64_t done = 0;
    index_rest(lane, picture);
    lane.index.take(plane, area, [&](ResidualBatch::Handle name) {
        done++;
        lane.batch.run_cpu(name, view.data, view.stride, int(picture.format.bit_depth));
        lane.batch.strike(name);
    });
    return done;
}

bool ResidualCalls::save(const PictureFormat &format, DumpWriter &writer) const {
    const int depth = int(format.bit_depth);
    auto write = [&](const ResidualInput &block) {
        const auto edge = size_t(residual_edge(block.kind));
        std::vector<int32_t> values(edge * edge);
        for (size_t i = 0; i < values.size(); i++)
            values[i] = depth == 8 ? static_cast<const int16_t *>(block.coefficients)[i]
                                   : static_cast<const int32_t *>(block.coefficients)[i];
        while (!values.empty() && !values.back())
            values.pop_back();
        const ResidualPlace &at = block.place;
        writer.value(dump::IdctItem{at.plane, at.x, at.y, at.field, uint32_t(block.kind),
                                    uint32_t(values.size())});
        writer.bytes(values.data(), values.size() * sizeof values[0]);
    };
    writer.begin_chunk(dump::h264_idct);
    int32_t coefficients[64];
    for (const auto &lane : lanes_)
        for (uint32_t kind = 0; lane && kind < RESIDUAL_KINDS; kind++)
            for (uint32_t i = 0; i < lane->batch.list(kind).records.size(); i++)
                if (auto block = lane->batch.unpack({kind, i}, depth, coefficients)) write(*block);
    writer.end_chunk();
    return true;
}

void ResidualCalls::run_cpu(const PictureView &picture) {
    for (auto &lane : lanes_) {
        if (!lane) continue;
        const ResidualBatch &batch = lane->batch;
        for (uint32_t kind = 0; kind < RESIDUAL_KINDS; kind++)
            for (uint32_t i = 0; i < batch.list(kind).records.size(); i++)
                if (const auto at = batch.place({kind, i})) {
                    const PlaneView &plane = picture.plane[at->plane];
                    batch.run_cpu({kind, i}, plane.data, plane.stride,
                                  int(picture.format.bit_depth));
                }
    }
}

} // namespace v3doff::h264
