// SPDX-License-Identifier: BSD-2-Clause
#include "h264/residual/calls.hpp"

#include <algorithm>
#include <cstring>

#include "h264/dump_format.hpp"
#include "picture/dump.hpp"
#include "util/error.hpp"

namespace v3doff::h264 {
namespace {

ResidualCalls &stage_of(Picture &picture) {
    return picture.stage<ResidualCalls>(Slot::transform);
}

// With constant sizes the compiler expands memset. A call would take as long as all the rest.
inline void clear_block(void *coefficients, ResidualKind kind, size_t bytes) {
    const size_t count = residual_used(kind);
    if (count == 16)
        bytes == 2 ? std::memset(coefficients, 0, 16 * 2) : std::memset(coefficients, 0, 16 * 4);
    else
        std::memset(coefficients, 0, count * bytes);
}

// The samples from which a prediction is made.
Rectangle neighbours_of(const ResidualPlace &at, const Prediction &prediction) {
    const uint32_t rows = prediction.height << at.field;
    const bool filtered = prediction.shape == PredictShape::luma8x8_filtered;
    const uint32_t before = filtered && prediction.has_top_left;
    if (prediction.direction == PredictDirection::vertical) {
        const uint32_t behind = filtered && prediction.has_top_right;
        return {at.x - before, at.y - (1u << at.field), before + prediction.width + behind, 1};
    }
    const uint32_t above = before << at.field;
    return {at.x - 1, at.y - above, 1, above + rows};
}

// The sums are residuals of 4x4 blocks.
void record_sums(Picture &picture, uint32_t lane, const ResidualPlace &at,
                 const Prediction &prediction, const int32_t *sums) {
    for (uint32_t y = 0; y < prediction.height; y += 4)
        for (uint32_t x = 0; x < prediction.width; x += 4) {
            int32_t wide[16];
            int16_t narrow[16];
            for (uint32_t i = 0; i < 16; i++)
                narrow[i] = int16_t(wide[i] = sums[(y + i / 4) * prediction.width + x + i % 4]);
            const bool is_wide = picture.format().bit_depth > 8;
            stage_of(picture).record(lane, picture.view(),
                                     {{at.plane, at.x + x, at.y + (y << at.field), at.field},
                                      ResidualKind::bypass_4x4,
                                      is_wide ? static_cast<const void *>(wide) : narrow});
        }
}

} // namespace

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
    lane.rows.plane[at.plane].add(
        at.y, at.y + ((uint32_t(residual_edge(block.kind)) - 1) << at.field) + 1);
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

void ResidualCalls::reserve(uint32_t number, const PictureView &picture, size_t blocks) {
    if (lanes_.make(number).added + blocks > most_residual_blocks(picture))
        throw Error(V3DOFF_ERROR_LIMIT, "more blocks than the picture has room for");
}

void ResidualCalls::record(uint32_t number, const PictureView &picture,
                           const ResidualInput &block) {
    Lane &lane = *lanes_.find(number); // reserve() has made it
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
    lanes_.each([&](const Lane &lane) { sum += lane.batch.size(); });
    return sum;
}

void ResidualCalls::clear() {
    lanes_.each([](Lane &lane) {
        lane.batch.clear();
        lane.added = 0;
        lane.index.clear();
        lane.indexed = {};
        lane.rows.clear();
    });
}

void ResidualCalls::plan(const SampleMap &map, Plan &plan) {
    std::array<const ResidualBatch *, V3DOFF_LANES> batches;
    size_t count = 0;
    lanes_.each([&](const Lane &lane) {
        if (lane.batch.size()) batches[count++] = &lane.batch;
        lane.rows.add_to(plan);
    });
    if (count) plan_residuals({batches.data(), count}, map, plan);
}

uint64_t ResidualCalls::take_back(uint32_t number, unsigned plane, const Rectangle &area,
                                  const PictureView &picture) {
    Lane *const lane = lanes_.find(number);
    if (!lane) return 0;
    const PlaneView &view = picture.plane[plane];
    uint64_t done = 0;
    index_rest(*lane, picture);
    lane->index.take(plane, area, [&](ResidualBatch::Handle name) {
        done++;
        lane->batch.run_cpu(name, view.data, view.stride, int(picture.format.bit_depth));
        lane->batch.strike(name);
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
    lanes_.each([&](const Lane &lane) {
        lane.batch.each([&](ResidualBatch::Handle name) {
            if (auto block = lane.batch.unpack(name, depth, coefficients)) write(*block);
        });
    });
    writer.end_chunk();
    return true;
}

void ResidualCalls::run_cpu(const PictureView &picture) {
    lanes_.each([&](const Lane &lane) {
        lane.batch.each([&](ResidualBatch::Handle name) {
            const auto at = lane.batch.place(name);
            if (!at) return;
            const PlaneView &plane = picture.plane[at->plane];
            lane.batch.run_cpu(name, plane.data, plane.stride, int(picture.format.bit_depth));
        });
    });
}

void record_block(Picture &picture, uint32_t lane, const ResidualPlace &place, ResidualKind kind,
                  void *coefficients) {
    ResidualCalls &stage = stage_of(picture);
    stage.reserve(lane, picture.view(), kind == ResidualKind::bypass_8x8 ? 4 : 1);
    stage.record(lane, picture.view(), {place, kind, coefficients});
    clear_block(coefficients, kind, coefficient_bytes(int(picture.format().bit_depth)));
}

void record_macroblock(Picture &picture, uint32_t lane, const ResidualPlace &at,
                       MacroblockGroup group, void *coefficients, const uint8_t *counts) {
    const PictureView &view = picture.view();
    const int bit_depth = int(view.format.bit_depth);
    const size_t bytes = coefficient_bytes(bit_depth);
    const auto blocks =
        macroblock_blocks(group, view.format.chroma, bit_depth, counts, coefficients);
    ResidualCalls &stage = stage_of(picture);
    stage.reserve(lane, view, blocks.count);
    for (uint32_t i = 0; i < blocks.count; i++) {
        const MacroblockBlock &block = blocks.block[i];
        auto *first = static_cast<std::byte *>(coefficients) + size_t(block.number) * 16 * bytes;
        const uint plane = block.plane ? block.plane : at.plane;
        stage.record(
            lane, view,
            {{plane, at.x + block.x, at.y + (block.y << at.field), at.field}, block.kind, first});
        clear_block(first, block.kind, bytes);
    }
}

void record_prediction(Picture &picture, uint32_t lane, const ResidualPlace &at,
                       const Prediction &prediction, void *coefficients) {
    const PlaneView &plane = picture.view().plane[at.plane];
    const int bit_depth = int(picture.format().bit_depth);
    const uint32_t samples = prediction.width * prediction.height;
    stage_of(picture).reserve(lane, picture.view(), samples / 16);
    picture.require(lane, at.plane, neighbours_of(at, prediction));
    int32_t sums[16 * 16];
    sum_differences(prediction, coefficients, bit_depth, sums);
    write_prediction(prediction,
                     plane.data + ptrdiff_t(at.y) * plane.stride +
                         ptrdiff_t(at.x) * picture.format().sample_bytes(),
                     plane.stride << at.field, bit_depth);
    record_sums(picture, lane, at, prediction, sums);
    std::memset(coefficients, 0, samples * coefficient_bytes(bit_depth));
}

} // namespace v3doff::h264
