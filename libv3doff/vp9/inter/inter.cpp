// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/inter/inter.hpp"

#include <algorithm>

#include "util/error.hpp"
#include "vk/shaders.hpp"

namespace v3doff::vp9 {
namespace {

// No picture has more than two predictions of each 4x4 block.
size_t most_inter_blocks(const PictureView &picture) {
    size_t blocks = 0;
    for (unsigned p = 0; p < picture.format.planes(); p++)
        blocks += size_t(picture.plane[p].padded_width) * picture.plane[p].padded_height / 8;
    return blocks;
}

const InterPacker::Shaders &inter_shaders(uint32_t bit_depth) {
    static const InterPacker::Shaders shaders[2] = {
        {{vk::shader_index("vp9_inter_8"), vk::shader_index("vp9_inter_average_8")},
         vk::shader_index("vp9_inter_scaled_8")},
        {{vk::shader_index("vp9_inter_high"), vk::shader_index("vp9_inter_average_high")},
         vk::shader_index("vp9_inter_scaled_high")}};
    return shaders[bit_depth > 8];
}

InterSource source_of(const Surface &reference) {
    InterSource source;
    source.map = reference.map();
    for (unsigned p = 0; p < source.map.format.planes(); p++) {
        source.width[p] = reference.view().plane[p].width;
        source.height[p] = reference.view().plane[p].height;
    }
    return source;
}

bool overlap(const InterInput &block, unsigned plane, const Rectangle &area) {
    return block.plane == plane && block.x < area.x + area.width &&
           area.x < block.x + block.width && block.y < area.y + area.height &&
           area.y < block.y + block.height;
}

} // namespace

bool Inter::supports(const PictureFormat &format) {
    return (format.bit_depth == 8 || format.bit_depth == 10 || format.bit_depth == 12) &&
           format.chroma != V3DOFF_CHROMA_400; // VP9 has no monochrome
}

std::vector<uint32_t> Inter::shaders(const PictureFormat &format) {
    const InterPacker::Shaders &all = inter_shaders(format.bit_depth);
    return {all.unscaled[0], all.unscaled[1]};
}

uint8_t Inter::number_of(const std::shared_ptr<Surface> &reference) {
    auto find = [&](unsigned first, unsigned end) {
        while (first < end && references_[first] != reference)
            first++;
        return first;
    };
    const unsigned known = reference_count_.load(std::memory_order_acquire);
    unsigned number = find(0, known);
    if (number < known) return uint8_t(number);
    std::lock_guard lock(mutex_);
    const unsigned count = reference_count_.load(std::memory_order_relaxed);
    number = find(known, count);
    if (number < count) return uint8_t(number);
    if (count == inter_references)
        throw Error(V3DOFF_ERROR_LIMIT, "reference: a picture has at most three");
    references_[count] = reference;
    reference_count_.store(count + 1, std::memory_order_release);
    return uint8_t(count);
}

void Inter::record(uint32_t lane_number, const PictureView &picture, const InterInput &block,
                   const std::shared_ptr<Surface> &reference) {
    auto &lane = lanes_[lane_number];
    if (!lane) lane = std::make_unique<Lane>();
    if (lane->blocks.size() >= most_inter_blocks(picture))
        throw Error(V3DOFF_ERROR_LIMIT, "more blocks than the picture has room for");
    InterInput added = block;
    added.reference = number_of(reference);
    const PlaneView &from = reference->view().plane[block.plane];
    added.ref_x = inter_near(block.ref_x, from.width);
    added.ref_y = inter_near(block.ref_y, from.height);
    lane->blocks.push_back(added);
    lane->rows[block.plane].add(block.y, block.y + block.height);
}

InterWords &Inter::begin_whole(const PictureFormat &format,
                               std::span<const std::shared_ptr<Surface>> references) {
    std::array<const PictureFormat *, inter_references> formats{};
    for (size_t i = 0; i < references.size(); i++) {
        if (!references[i]) continue;
        formats[i] = &references[i]->view().format;
        predictors_[i] = InterPredictor(format, *formats[i]);
    }
    whole_.begin(format, formats);
    std::copy(references.begin(), references.end(), references_.begin());
    reference_count_ = unsigned(references.size());
    return whole_;
}

uint64_t Inter::records() const {
    uint64_t sum = whole_.size();
    for (const auto &lane : lanes_)
        if (lane) sum += lane->blocks.size();
    return sum;
}

void Inter::clear() {
    for (auto &lane : lanes_)
        if (lane) {
            lane->blocks.clear();
            std::fill(std::begin(lane->rows), std::end(lane->rows), RowRange());
        }
    whole_.clear();
    references_.fill(nullptr);
    reference_count_ = 0;
}

void Inter::plan(const SampleMap &map, Plan &plan) {
    std::array<InterSource, inter_references> sources;
    const unsigned count = reference_count_;
    for (unsigned i = 0; i < count; i++) {
        if (!references_[i]) continue;
        sources[i] = source_of(*references_[i]);
        plan.references[i] = references_[i].get();
    }
    packer_.begin(map, {sources.data(), count}, inter_shaders(map.format.bit_depth), plan);
    for (const auto &lane : lanes_) {
        if (!lane) continue;
        packer_.add(lane->blocks);
        for (unsigned p = 0; p < map.format.planes(); p++)
            if (!lane->rows[p].empty()) plan.rows[p].add(lane->rows[p].first, lane->rows[p].end);
    }
    packer_.add(whole_, predictors_);
    packer_.finish(plan);
}

void Inter::predict(const PictureView &picture, const InterInput &block) const {
    inter_predict_reference(picture, block, references_[block.reference]->view());
}

uint64_t Inter::take_back(uint32_t lane_number, unsigned plane, const Rectangle &area,
                          const PictureView &picture) {
    auto &lane = lanes_[lane_number];
    if (!lane) return 0;
    auto &blocks = lane->blocks;
    const auto taken =
        std::stable_partition(blocks.begin(), blocks.end(), [&](const InterInput &block) {
            return !overlap(block, plane, area);
        });
    std::stable_partition(taken, blocks.end(),
                          [](const InterInput &block) { return !block.average; });
    for (auto block = taken; block != blocks.end(); block++)
        predict(picture, *block);
    const auto count = uint64_t(blocks.end() - taken);
    blocks.erase(taken, blocks.end());
    return count;
}

void Inter::run_cpu(const PictureView &picture) {
    for (const auto &reference : references_)
        if (reference) reference->wait_for_submit();
    for (bool average : {false, true})
        each_block([&](const InterInput &block) {
            if (block.average == average) predict(picture, block);
        });
}

} // namespace v3doff::vp9
