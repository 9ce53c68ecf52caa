// SPDX-License-Identifier: BSD-2-Clause
#include "h264/intra/intra.hpp"

#include <algorithm>

#include "util/error.hpp"
#include "vk/shaders.hpp"

namespace v3doff::h264 {
namespace {

// Above 8 bits one serves all depths.
uint32_t intra_shader(uint32_t bit_depth) {
    static const uint32_t shaders[2] = {vk::shader_index("h264_intra_8"),
                                        vk::shader_index("h264_intra_high")};
    return shaders[bit_depth > 8];
}

uint32_t intra_residual_shader(uint32_t bit_depth) {
    static const uint32_t shaders[2] = {vk::shader_index("h264_residual_alone_8"),
                                        vk::shader_index("h264_residual_alone_high")};
    return shaders[bit_depth > 8];
}

bool has_own_chroma(const PictureFormat &format) {
    return format.chroma == V3DOFF_CHROMA_420 || format.chroma == V3DOFF_CHROMA_422;
}

void need_mode(bool exists) {
    if (!exists) throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, "an intra mode that does not exist");
}

// The corner and the row above of a block that has macroblocks' borders above it, or on its left.
constexpr unsigned from_above(unsigned reads) {
    return reads & (reads_above | reads_corner | reads_above_right) ? unsigned(reads_above) : 0u;
}
constexpr unsigned from_left(unsigned reads) {
    return reads & (reads_left | reads_corner) ? unsigned(reads_left) : 0u;
}

unsigned blocks_4x4(const IntraMacroblock &macroblock) {
    for (uint8_t mode : macroblock.mode)
        need_mode(mode < INTRA_MODES);
    const auto reads = [&](int i) -> unsigned { return intra_block_reads[macroblock.mode[i]]; };
    constexpr unsigned inside = reads_left;
    unsigned all = reads(0) & (reads_left | reads_above | reads_corner);
    for (int i : {1, 4})
        all |= from_above(reads(i) & ~inside);
    all |= from_above(reads(5) & reads_above);
    if (macroblock.top_right_available & 1u << (15 - 5)) all |= reads(5) & reads_above_right;
    for (int i : {2, 8, 10})
        all |= from_left(reads(i));
    return all;
}

unsigned blocks_8x8(const IntraMacroblock &macroblock) {
    const auto reads = [&](unsigned i) -> unsigned {
        need_mode(macroblock.mode[i] < INTRA_MODES);
        return intra_block_8x8_reads(macroblock.mode[i],
                                     (macroblock.top_left_available << i & 0x8000) != 0,
                                     (macroblock.top_right_available << i & 0x4000) != 0);
    };
    const unsigned second = reads(4);
    need_mode(macroblock.mode[12] < INTRA_MODES);
    return (reads(0) & (reads_left | reads_above | reads_corner)) | (second & reads_above_right) |
           from_above(second & (reads_above | reads_corner)) | from_left(reads(8));
}

} // namespace

uint8_t intra_macroblock_reads(const IntraMacroblock &macroblock, bool chroma) {
    if (macroblock.kind == IntraKind::pcm) return 0;
    unsigned all = 0;
    if (chroma) {
        need_mode(macroblock.chroma_mode < INTRA_CHROMA_MODES);
        all = intra_whole_reads[macroblock.chroma_mode];
    }
    switch (macroblock.kind) {
    case IntraKind::blocks_4x4:
        all |= blocks_4x4(macroblock);
        break;
    case IntraKind::blocks_8x8:
        all |= blocks_8x8(macroblock);
        break;
    case IntraKind::whole_16x16:
        need_mode(macroblock.mode[0] < INTRA_WHOLE_MODES);
        all |= intra_whole_reads[macroblock.mode[0]];
        break;
    default:
        need_mode(false);
    }
    return uint8_t(all);
}

std::vector<uint32_t> Intra::shaders(const PictureFormat &format) {
    return {MacroblockBatch::shader(), intra_residual_shader(format.bit_depth),
            intra_shader(format.bit_depth)};
}

void Intra::begin(const PictureFormat &format, uint32_t mb_width, uint32_t mb_height,
                  const LaneCoefficients &coefficients, bool mbaff) {
    clear();
    format_ = format;
    coefficients_ = &coefficients;
    residuals_.begin(format, coefficients);
    mb_width_ = mb_width, mb_height_ = mb_height;
    mbaff_ = mbaff;
}

void Intra::append(const IntraMacroblock &macroblock, const MacroblockResidual &residual) {
    const uint8_t reads = intra_macroblock_reads(macroblock, has_own_chroma(format_));
    unsigned missing = 0;
    if (macroblock.x == 0) missing |= reads_left | reads_corner;
    if (macroblock.y >> int(macroblock.field) == 0)
        missing |= reads_above | reads_corner | reads_above_right;
    if (macroblock.x + 1u == mb_width_) missing |= reads_above_right;
    // Right of the upper macroblock of its pair is one that comes later.
    if (mbaff_ && !macroblock.field && macroblock.y % 2) missing |= reads_above_right;
    if (macroblock.x >= mb_width_ || macroblock.y >= mb_height_ || (reads & missing))
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, "an intra macroblock is outside the picture");
    const auto number = uint32_t(residuals_.size());
    macroblocks_.push_back({macroblock, residual, number});
    nodes_.push_back({macroblock.x, macroblock.y, reads, macroblock.field});
    const unsigned pair = macroblock.field; // all of it has some of its lines
    rows_.add(macroblock.y & ~pair, (macroblock.y | pair) + 1u);
    ordered_ = false;
    if (macroblock.kind == IntraKind::pcm) return;
    MacroblockResidual &kept = macroblocks_.back().residual;
    kept.transform_8x8 = macroblock.kind == IntraKind::blocks_8x8 && !kept.bypass;
    kept.field = false; // scratch memory has no fields
    if (kept.coded[0] | kept.coded[1] | kept.coded[2])
        residuals_.append(macroblock.x, macroblock.y, kept);
}

void Intra::clear() {
    macroblocks_.clear();
    nodes_.clear();
    residuals_.clear();
    rows_ = {};
    ordered_ = false;
}

const IntraOrder &Intra::order() {
    if (!ordered_) order_.build(mb_width_, mb_height_, nodes_, mbaff_);
    ordered_ = true;
    return order_;
}

// All residuals at once, before the first prediction. They are written beside what earlier stages
// write.
void Intra::plan_residuals(const SampleMap &map, Plan &plan) {
    const size_t words = MacroblockScratch(map.format).words_of(residuals_.size());
    plan.scratch_words = std::max(plan.scratch_words, words);
    if (!residuals_.size()) return;
    Dispatch like(intra_residual_shader(map.format.bit_depth), {}, ResidualPush{},
                  {vk::memory_arena, vk::memory_scratch});
    like.reference = Plan::scratch_as_samples;
    // The pass that makes its records may be right before it.
    like.follows =
        !plan.dispatches.empty() && plan.dispatches.back().shader != MacroblockBatch::shader();
    h264::plan_residuals(residuals_, map.format, like, plan);
}

void Intra::plan(const SampleMap &map, Plan &plan) {
    for (unsigned p = 0; p < map.format.planes(); p++) {
        const uint32_t edge = 16 >> map.format.shift_y(p);
        const uint32_t first = rows_.first * edge;
        const uint32_t above = first ? 1 + mbaff_ : 0; // what is read above them, too
        plan.rows[p].add(first - above, rows_.end * edge);
    }
    plan_residuals(map, plan);
    planner_.plan(macroblocks_, order(), intra_shader(map.format.bit_depth), map,
                  coefficients_->word(), plan);
}

void Intra::run_cpu(const PictureView &picture) {
    for (const uint32_t i : order().raster())
        intra_reconstruct_reference(picture, macroblocks_[i].intra, macroblocks_[i].residual);
}

} // namespace v3doff::h264
