// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/inter/calls.hpp"

#include <algorithm>

#include "util/error.hpp"
#include "vp9/dump_format.hpp"

namespace v3doff::vp9 {
namespace {

// No picture has more than two predictions of each 4x4 block.
size_t most_inter_blocks(const PictureView &picture) {
    size_t blocks = 0;
    for (unsigned p = 0; p < picture.format.planes(); p++)
        blocks += size_t(picture.plane[p].padded_width) * picture.plane[p].padded_height / 8;
    return blocks;
}

bool overlap(const InterInput &block, unsigned plane, const Rectangle &area) {
    return block.plane == plane && block.x < area.x + area.width &&
           area.x < block.x + block.width && block.y < area.y + area.height &&
           area.y < block.y + block.height;
}

} // namespace

uint8_t InterCalls::number_of(const std::shared_ptr<Surface> &reference) {
    auto &all = references_.surface;
    const auto find = [&](unsigned count) {
        return unsigned(std::find(all.begin(), all.begin() + count, reference) - all.begin());
    };
    unsigned count = reference_count_.load(std::memory_order_acquire), number = find(count);
    if (number < count) return uint8_t(number);
    std::lock_guard lock(mutex_);
    count = reference_count_.load(std::memory_order_relaxed), number = find(count);
    if (number < count) return uint8_t(number);
    if (count == inter_references)
        throw Error(V3DOFF_ERROR_LIMIT, "reference: a picture has at most three");
    all[count] = reference;
    reference_count_.store(count + 1, std::memory_order_release);
    return uint8_t(count);
}

void InterCalls::record(uint32_t lane_number, const PictureView &picture, const InterInput &block,
                        const std::shared_ptr<Surface> &reference) {
    Lane &lane = lanes_.make(lane_number);
    if (lane.blocks.size() >= most_inter_blocks(picture))
        throw Error(V3DOFF_ERROR_LIMIT, "more blocks than the picture has room for");
    InterInput added = block;
    added.reference = number_of(reference);
    const PlaneView &from = reference->view().plane[block.plane];
    added.ref_x = inter_near(block.ref_x, from.width);
    added.ref_y = inter_near(block.ref_y, from.height);
    lane.blocks.push_back(added);
    lane.rows.plane[block.plane].add(block.y, block.y + block.height);
}

uint64_t InterCalls::records() const {
    uint64_t sum = 0;
    lanes_.each([&](const Lane &lane) { sum += lane.blocks.size(); });
    return sum;
}

void InterCalls::clear() {
    lanes_.each([](Lane &lane) {
        lane.blocks.clear();
        lane.rows.clear();
    });
    references_ = {};
    reference_count_ = 0;
}

void InterCalls::plan(const SampleMap &map, Plan &plan) {
    references_.begin(map, packer_, plan);
    lanes_.each([&](const Lane &lane) {
        packer_.add(lane.blocks);
        lane.rows.add_to(plan);
    });
    packer_.finish(plan);
}

uint64_t InterCalls::take_back(uint32_t lane_number, unsigned plane, const Rectangle &area,
                               const PictureView &picture) {
    Lane *const lane = lanes_.find(lane_number);
    if (!lane) return 0;
    auto &blocks = lane->blocks;
    const auto taken =
        std::stable_partition(blocks.begin(), blocks.end(), [&](const InterInput &block) {
            return !overlap(block, plane, area);
        });
    std::stable_partition(taken, blocks.end(),
                          [](const InterInput &block) { return !block.average; });
    for (auto block = taken; block != blocks.end(); block++)
        references_.predict(picture, *block);
    const auto count = uint64_t(blocks.end() - taken);
    blocks.erase(taken, blocks.end());
    return count;
}

template <typename Visit>
void InterCalls::each_block(Visit visit) const {
    lanes_.each(
        [&](const Lane &lane) { std::for_each(lane.blocks.begin(), lane.blocks.end(), visit); });
}

bool InterCalls::save(const PictureFormat &, DumpWriter &writer) const {
    const uint32_t first = writer.references;
    for (unsigned i = 0; i < reference_count_; i++)
        InterSources::save(*references_.surface[i], writer);
    writer.begin_chunk(dump::vp9_mc);
    each_block([&](const InterInput &block) {
        writer.value(dump::McItem{block.x,
                                  block.y,
                                  block.ref_x,
                                  block.ref_y,
                                  uint8_t(block.plane),
                                  block.width,
                                  block.height,
                                  block.mx,
                                  block.my,
                                  block.step_x,
                                  block.step_y,
                                  block.filter,
                                  block.average,
                                  uint8_t(first + block.reference),
                                  {}});
    });
    writer.end_chunk();
    return true;
}

void InterCalls::run_cpu(const PictureView &picture) {
    references_.run_cpu(picture, [&](auto predict) { each_block(predict); });
}

} // namespace v3doff::vp9
