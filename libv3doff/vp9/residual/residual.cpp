// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/residual/residual.hpp"

#include <algorithm>
#include <cstring>

#include "common/push.hpp"
#include "picture/dump.hpp"
#include "util/error.hpp"
#include "vk/shaders.hpp"
#include "vp9/dump_format.hpp"
#include "vp9/residual/reference.hpp"

namespace v3doff::vp9 {
namespace {

void *place_of(const PictureView &picture, unsigned plane, uint32_t x, uint32_t y) {
    const PlaneView &view = picture.plane[plane];
    return view.data + ptrdiff_t(y) * view.stride + ptrdiff_t(x) * picture.format.sample_bytes();
}

// Above 8 bits one of each serves all depths.
const ResidualShaders &shaders_of(uint32_t bit_depth) {
    static const ResidualShaders shaders[2] = {
        {vk::shader_index("vp9_residual_8"), vk::shader_index("vp9_residual_adst_8")},
        {vk::shader_index("vp9_residual_high"), vk::shader_index("vp9_residual_adst_high")}};
    return shaders[bit_depth > 8];
}
const ResidualShaders &words_shaders_of(uint32_t bit_depth) {
    static const ResidualShaders shaders[2] = {
        {vk::shader_index("vp9_residual_words_8"), vk::shader_index("vp9_residual_adst_words_8")},
        {vk::shader_index("vp9_residual_words_high"),
         vk::shader_index("vp9_residual_adst_words_high")}};
    return shaders[bit_depth > 8];
}

// VP9 has 8, 10 and 12 bits; the rest of the library more.
bool is_vp9_depth(uint32_t bit_depth) {
    return bit_depth == 8 || bit_depth == 10 || bit_depth == 12;
}

} // namespace

bool Residual::supports(const PictureFormat &format) {
    return is_vp9_depth(format.bit_depth);
}

std::vector<uint32_t> Residual::shaders(const PictureFormat &format) {
    return {shaders_of(format.bit_depth)[0]};
}

std::vector<uint32_t> Residual::words_shaders(const PictureFormat &format) {
    return {words_shaders_of(format.bit_depth)[0]};
}

void Residual::record(uint32_t lane_number, const PictureView &picture, const ResidualInput &block,
                      void *coefficients) {
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

ResidualWordsBatch &Residual::begin_whole(const LaneCoefficients &coefficients) {
    coefficients_ = &coefficients;
    return whole_;
}

uint64_t Residual::records() const {
    uint64_t sum = whole_.size();
    for (const auto &lane : lanes_)
        if (lane)
            sum +=
                lane->batch.size() + uint64_t(std::count_if(lane->large.begin(), lane->large.end(),
                                                            [](const LargeBlock &large) {
                                                                return !large.coefficients.empty();
                                                            }));
    return sum;
}

void Residual::clear() {
    for (auto &lane : lanes_)
        if (lane) {
            lane->batch.clear();
            lane->large.clear();
            lane->index.clear();
            std::fill(std::begin(lane->rows), std::end(lane->rows), RowRange());
        }
    whole_.clear();
}

std::optional<RowRange> Residual::extent(const PictureFormat &format) const {
    if (!whole_.empty()) return std::nullopt;
    RowRange rows;
    for (const auto &lane : lanes_)
        for (unsigned p = 0; lane && p < format.planes(); p++)
            if (!lane->rows[p].empty())
                rows.add(lane->rows[p].first << format.shift_y(p),
                         lane->rows[p].end << format.shift_y(p));
    return rows;
}

void Residual::plan(const SampleMap &map, Plan &plan) {
    std::array<const ResidualBatch *, V3DOFF_LANES> batches;
    size_t count = 0;
    for (const auto &lane : lanes_) {
        if (!lane || !lane->batch.size()) continue;
        batches[count++] = &lane->batch;
        for (unsigned p = 0; p < map.format.planes(); p++)
            if (!lane->rows[p].empty()) plan.rows[p].add(lane->rows[p].first, lane->rows[p].end);
    }
    ResidualPush push{};
    set_planes(push, map);
    const int depth = int(map.format.bit_depth);
    const auto like = [&] { return Dispatch(0, {}, push, vk::in_place); };
    if (count)
        residual_plan({batches.data(), count}, shaders_of(map.format.bit_depth), like(), depth,
                      plan);
    if (whole_.empty()) return;
    push.coefficients = coefficients_->word();
    whole_.plan(words_shaders_of(map.format.bit_depth), like(), 1, depth, plan);
}

void Residual::run_large(LargeBlock &large, const PictureView &picture) const {
    if (large.coefficients.empty()) return; // taken back
    const ResidualInput &block = large.block;
    residual_add_reference(place_of(picture, block.plane, block.x, block.y),
                           picture.plane[block.plane].stride, large.coefficients.data(), block.tx,
                           block.type, block.eob, int(picture.format.bit_depth));
    large.coefficients.clear();
}

uint64_t Residual::run_all_large(Lane &lane, const PictureView &picture) const {
    uint64_t done = 0;
    for (LargeBlock &large : lane.large) {
        done += !large.coefficients.empty();
        run_large(large, picture);
    }
    lane.large.clear();
    return done;
}

uint64_t Residual::take_back(uint32_t number, unsigned plane, const Rectangle &area,
                             const PictureView &picture) {
    if (!lanes_[number]) return 0;
    Lane &lane = *lanes_[number];
    const PlaneView &view = picture.plane[plane];
    uint64_t done = 0;
    lane.index.take(plane, area, [&](BlockName name) {
        done++;
        if (name.kind == no_kind) {
            run_large(lane.large[name.index], picture);
            return;
        }
        lane.batch.run_cpu(name, view.data, view.stride, int(picture.format.bit_depth));
        lane.batch.strike(name);
    });
    return done;
}

bool Residual::runs_before_gpu() const {
    return std::any_of(lanes_.begin(), lanes_.end(), [](const auto &lane) {
        return lane && std::any_of(lane->large.begin(), lane->large.end(),
                                   [](const auto &large) { return !large.coefficients.empty(); });
    });
}

uint64_t Residual::run_before_gpu(const PictureView &picture) {
    uint64_t done = 0;
    for (auto &lane : lanes_)
        if (lane) done += run_all_large(*lane, picture);
    return done;
}

void Residual::run_batch(const ResidualBatch &batch, const PictureView &picture) const {
    for (uint32_t kind = 0; kind < RESIDUAL_KINDS; kind++) {
        const auto records = batch.list(kind).records.span();
        for (uint32_t i = 0; i < records.size(); i++) {
            const uint32_t number = records[i].place >> 28;
            if (number >= picture.format.planes()) continue; // struck
            const PlaneView &plane = picture.plane[number];
            batch.run_cpu({kind, i}, plane.data, plane.stride, int(picture.format.bit_depth));
        }
    }
}

bool Residual::save(const PictureFormat &format, DumpWriter &writer) const {
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
    if (!whole_.empty()) return records() == whole_.size(); // saved as words
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

void Residual::run_cpu(const PictureView &picture) {
    for (auto &lane : lanes_)
        if (lane) {
            run_all_large(*lane, picture);
            run_batch(lane->batch, picture);
        }
    for (uint32_t kind = 0; kind < RESIDUAL_KINDS; kind++) {
        const auto records = whole_.records(kind);
        for (uint32_t i = 0; i < records.size(); i++) {
            const PlaneView &plane = picture.plane[records[i].place >> 28];
            whole_.run_cpu({kind, i}, *coefficients_, plane.data, plane.stride,
                           int(picture.format.bit_depth));
        }
    }
}

} // namespace v3doff::vp9
