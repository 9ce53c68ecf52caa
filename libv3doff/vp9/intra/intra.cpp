// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/intra/intra.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "common/push.hpp"
#include "vk/shaders.hpp"

namespace v3doff::vp9 {
namespace {

uint32_t shader_for(uint32_t bit_depth) {
    static const uint32_t shaders[] = {vk::shader_index("vp9_intra_8"),
                                       vk::shader_index("vp9_intra_high")};
    return shaders[bit_depth > 8];
}

// As in IntraBorder::chain: 55 us of one core of a small GPU, some 25 blocks of 4x4. A discrete one
// waits a few microseconds between dispatches, and as long for a block or two.
constexpr uint32_t intra_dispatch_cost = 13200, discrete_dispatch_cost = 1000;

} // namespace

std::vector<uint32_t> Intra::shaders(const PictureFormat &format) {
    const auto &[dct, adst] = residual_shaders(ResidualUse::alone, format.bit_depth);
    return {dct, adst, shader_for(format.bit_depth)};
}

void Intra::begin(uint32_t cols, uint32_t rows) {
    cols_ = cols;
    superblocks_.assign(size_t(cols) * rows, {});
    borders_.assign(size_t(cols) * rows, {});
}

std::size_t Intra::size() const {
    return blocks_[0].size() + blocks_[1].size() + blocks_[2].size();
}

void Intra::clear() {
    superblocks_.clear();
    borders_.clear();
    for (auto &blocks : blocks_)
        blocks.clear();
    residuals_.clear();
}

// All residuals at once, before the first prediction, into memory laid out as the picture is.
Intra::Scratch Intra::plan_residuals(const SampleMap &map, const LaneCoefficients &coefficients,
                                     Plan &plan) const {
    Scratch scratch;
    ResidualPush push{};
    uint32_t words = 0;
    for (unsigned p = 0; p < max_planes; p++) {
        scratch.offset[p] = words;
        words +=
            map.stride_words[p] * ((map.format.height + 63) / 64 * 64 >> map.format.shift_y(p));
    }
    std::memcpy(&push.plane_offset_0, scratch.offset, sizeof scratch.offset);
    std::memcpy(&push.plane_stride_0, map.stride_words, sizeof map.stride_words);
    if (residuals_.empty()) return scratch;
    const bool narrow = map.format.bit_depth == 8;
    scratch.part = push.part_words = narrow ? words : 0;
    plan.scratch_words = std::max(plan.scratch_words, size_t(words) * (narrow ? 2 : 1));
    push.sample_max = narrow ? 255 : 65535;
    push.before = narrow ? 0 : 0x80008000;
    push.coefficients = coefficients.word();
    Dispatch like(0, {}, push, {vk::memory_arena, vk::memory_scratch});
    like.reference = Plan::scratch_as_samples;
    like.follows = true;
    residuals_.plan(ResidualUse::alone, like, narrow ? 2 : 1, int(map.format.bit_depth), plan);
    return scratch;
}

// A workgroup for each plane that has blocks.
void Intra::plan_group(const IntraOrder::Group &group, ArenaWords &arena) {
    const auto superblocks = order_.superblocks().subspan(group.first, group.end - group.first);
    for (unsigned p = 0; p < max_planes; p++) {
        const auto first = uint32_t(arena.size());
        uint32_t count = 0;
        for (const uint32_t at : superblocks) {
            const Range &range = superblocks_[at][p];
            const auto blocks = blocks_[p].span().subspan(range.first, range.end - range.first);
            arena.append(reinterpret_cast<const uint32_t *>(blocks.data()),
                         blocks.size() * (sizeof(IntraRecord) / 4));
            count += uint32_t(blocks.size());
        }
        if (count) groups_.push_back({first, count});
    }
}

void Intra::plan(const SampleMap &map, const LaneCoefficients &coefficients, Plan &plan) {
    auto &arena = plan.arena;
    const Scratch scratch = plan_residuals(map, coefficients, plan);
    arena.align(2);
    IntraPush push{};
    set_planes(push, map);
    std::memcpy(&push.scratch_offset_0, scratch.offset, sizeof scratch.offset);
    push.scratch_part = scratch.part;
    order_.find(cols_, borders_, plan.is_discrete ? discrete_dispatch_cost : intra_dispatch_cost);
    for (const IntraOrder::Dispatch &dispatch : order_.dispatches()) {
        groups_.clear();
        for (uint32_t i = dispatch.first; i < dispatch.end; i++)
            plan_group(order_.groups()[i], arena);
        // Long ones first, so that none begins when the others are done.
        std::sort(groups_.begin(), groups_.end(), [](const WorkGroup &a, const WorkGroup &b) {
            return a.what != b.what ? a.what > b.what : a.records > b.records;
        });
        push.groups = uint32_t(arena.size());
        arena.append(reinterpret_cast<const uint32_t *>(groups_.data()),
                     groups_.size() * (sizeof(WorkGroup) / 4));
        plan.dispatch(
            shader_for(map.format.bit_depth), {uint32_t(groups_.size()), 1, 1}, push,
            {vk::memory_samples | vk::memory_arena | vk::memory_scratch, vk::memory_samples});
    }
}

void Intra::run_cpu(const LaneCoefficients &coefficients, const PictureView &picture) const {
    // The residual of each block that has one; a block is decoded once.
    std::map<uint32_t, Residual::Handle> residual;
    for (uint32_t kind = 0; kind < RESIDUAL_KINDS; kind++) {
        const auto records = residuals_.records(kind);
        for (uint32_t i = 0; i < records.size(); i++)
            residual[records[i].place] = {kind, i};
    }
    for (const auto &blocks : blocks_)
        for (const IntraRecord &block : blocks.span()) {
            intra_predict_reference(picture, intra_input(block));
            if (block.shape & INTRA_HAS_RESIDUAL)
                residuals_.run_cpu(residual.at(block.place), coefficients, picture);
        }
}

} // namespace v3doff::vp9
