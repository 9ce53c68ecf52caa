// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/intra.hpp"

#include <algorithm>
#include <cstring>

#include "util/error.hpp"
#include "vk/shaders.hpp"

namespace v3doff::vp9 {
namespace {

uint32_t shader_for(uint32_t bit_depth) {
    static const uint32_t shaders[] = {vk::shader_index("vp9_intra_8"),
                                       vk::shader_index("vp9_intra_high")};
    return shaders[bit_depth > 8];
}

// In the order of ResidualDispatch::shader.
uint32_t residual_shader(uint32_t bit_depth, uint32_t number) {
    static const uint32_t shaders[2][2] = {
        {vk::shader_index("vp9_residual_alone_8"), vk::shader_index("vp9_residual_adst_alone_8")},
        {vk::shader_index("vp9_residual_alone_high"), vk::shader_index("vp9_residual_adst_alone_high")}};
    return shaders[bit_depth > 8][number];
}

} // namespace

std::vector<uint32_t> Intra::shaders(const PictureFormat &format) {
    return {residual_shader(format.bit_depth, 0), residual_shader(format.bit_depth, 1),
            shader_for(format.bit_depth)};
}

void Intra::begin(uint32_t cols, uint32_t rows) {
    cols_ = cols, rows_ = rows;
    superblocks_.assign(size_t(cols) * rows, {});
}

Intra::Block &Intra::add(uint32_t superblock, const IntraInput &input) {
    auto &blocks = blocks_[input.plane];
    Range &range = superblocks_[superblock][input.plane];
    if (range.first == range.end)
        range.first = range.end = uint32_t(blocks.size());
    else if (range.end != blocks.size())
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, "intra blocks of a superblock are not together");
    blocks.push_back({input, {no_kind, 0}});
    range.end++;
    return blocks.back();
}

void Intra::append(uint32_t superblock, const IntraInput &input, const ResidualWords &residual,
                   DecoderResiduals &raw, int bit_depth) {
    add(superblock, input).residual = residuals_.add(residual, raw, bit_depth);
}

uint64_t Intra::records() const {
    return blocks_[0].size() + blocks_[1].size() + blocks_[2].size();
}

void Intra::clear() {
    superblocks_.clear();
    for (auto &blocks : blocks_)
        blocks.clear();
    residuals_.clear();
}

const std::vector<uint16_t> &Intra::levels() {
    levels_.assign(superblocks_.size(), 0);
    for (uint32_t row = 0, at = 0; row < rows_; row++)
        for (uint32_t col = 0; col < cols_; col++, at++) {
            const Planes &planes = superblocks_[at];
            if (std::all_of(planes.begin(), planes.end(),
                            [](const Range &range) { return range.first == range.end; }))
                continue;
            uint16_t before = col ? levels_[at - 1] : uint16_t(0);
            if (row) before = std::max(before, levels_[at - cols_]);
            if (row && col) before = std::max(before, levels_[at - cols_ - 1]);
            levels_[at] = uint16_t(before + 1);
        }
    return levels_;
}

IntraRecord Intra::record_of(const Block &block) {
    const IntraInput &input = block.input;
    return {input.x / 4 | input.y / 4 << 14 | input.plane << 28,
            uint32_t(input.mode) | uint32_t(input.edge_log2) << 4 | uint32_t(input.above) << 8 |
                uint32_t(input.left) << 16 | (input.above ? INTRA_HAS_ABOVE : 0) |
                (input.left ? INTRA_HAS_LEFT : 0) |
                (block.residual.kind != no_kind ? INTRA_HAS_RESIDUAL : 0)};
}

// All residuals at once, before the first prediction, into memory laid out as the picture is.
Intra::Scratch Intra::plan_residuals(const SampleMap &map, Plan &plan) {
    Scratch scratch;
    ResidualPush push{};
    uint32_t words = 0;
    for (unsigned p = 0; p < max_planes; p++) {
        scratch.offset[p] = words;
        words += map.stride_words[p] * ((map.format.height + 63) / 64 * 64 >> map.format.shift_y(p));
    }
    std::memcpy(&push.plane_offset_0, scratch.offset, sizeof scratch.offset);
    std::memcpy(&push.plane_stride_0, map.stride_words, sizeof map.stride_words);
    if (!residuals_.size()) return scratch;
    const bool narrow = map.format.bit_depth == 8;
    scratch.part = narrow ? words : 0;
    plan.scratch_words = std::max(plan.scratch_words, size_t(words) * (narrow ? 2 : 1));
    push.sample_max = narrow ? 255 : 65535;
    push.before = narrow ? 0 : 0x80008000;
    dispatches_.clear();
    const ResidualBatch *batch = &residuals_;
    residual_plan({&batch, 1}, push, int(map.format.bit_depth), plan.arena, dispatches_);
    for (unsigned part = 0; part < (narrow ? 2 : 1); part++)
        for (ResidualDispatch dispatch : dispatches_) {
            if (part) {
                dispatch.push.before = ~0u;
                dispatch.push.plane_offset_0 += words;
                dispatch.push.plane_offset_1 += words;
                dispatch.push.plane_offset_2 += words;
            }
            plan.dispatch(residual_shader(map.format.bit_depth, dispatch.shader),
                          {dispatch.groups, 1, 1}, dispatch.push);
            plan.dispatches.back().reference = Plan::scratch_as_samples;
            plan.dispatches.back().follows = true;
        }
    return scratch;
}

void Intra::plan(const SampleMap &map, Plan &plan) {
    auto &arena = plan.arena;
    const Scratch scratch = plan_residuals(map, plan);
    plan.scratch_words = std::max(plan.scratch_words, size_t(1)); // the shader names it in any case
    arena.resize((arena.size() + 1) / 2 * 2);
    std::array<uint32_t, max_planes> records{};
    for (unsigned p = 0; p < max_planes; p++) {
        uint32_t at = records[p] = uint32_t(arena.size());
        arena.grow(arena.size() + blocks_[p].size() * (sizeof(IntraRecord) / 4));
        for (const Block &block : blocks_[p]) {
            const IntraRecord record = record_of(block);
            std::memcpy(&arena[at], &record, sizeof record);
            at += sizeof record / 4;
        }
    }
    IntraPush push{};
    push.sample_max = (1u << map.format.bit_depth) - 1;
    std::memcpy(&push.plane_offset_0, map.offset_words, sizeof map.offset_words);
    std::memcpy(&push.plane_stride_0, map.stride_words, sizeof map.stride_words);
    std::memcpy(&push.scratch_offset_0, scratch.offset, sizeof scratch.offset);
    push.scratch_part = scratch.part;
    const std::vector<uint16_t> &levels = this->levels();
    const uint16_t most = *std::max_element(levels.begin(), levels.end());
    for (uint16_t level = 1; level <= most; level++) {
        push.groups = uint32_t(arena.size());
        uint32_t groups = 0;
        for (size_t at = 0; at < levels.size(); at++)
            for (unsigned p = 0; levels[at] == level && p < max_planes; p++) {
                const Range &range = superblocks_[at][p];
                if (range.first == range.end) continue;
                arena.push_back(records[p] + range.first * uint32_t(sizeof(IntraRecord) / 4));
                arena.push_back(range.end - range.first);
                groups++;
            }
        plan.dispatch(shader_for(map.format.bit_depth), {groups, 1, 1}, push);
    }
}

bool Intra::save(const PictureFormat &, DumpWriter &) const {
    return false;
}

void Intra::run_cpu(const PictureView &picture) {
    for (const auto &blocks : blocks_)
        for (const Block &block : blocks) {
            intra_predict_reference(picture, block.input);
            if (block.residual.kind == no_kind) continue;
            const PlaneView &plane = picture.plane[block.input.plane];
            residuals_.run_cpu(block.residual, plane.data, plane.stride,
                               int(picture.format.bit_depth));
        }
}

} // namespace v3doff::vp9
