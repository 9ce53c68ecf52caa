// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/itx.hpp"

#include <cstring>

#include "records/vp9_itx.h"
#include "util/error.hpp"
#include "vk/shaders.hpp"
#include "vp9/itx_reference.hpp"

namespace v3doff::vp9 {
namespace {

// No picture has more than one 4x4 block for each 4x4 samples.
size_t most_blocks(const PictureFormat &format) {
    PictureLayout layout = lay_out(format);
    size_t blocks = 0;
    for (unsigned p = 0; p < format.planes(); p++)
        blocks += size_t(layout.plane[p].padded_width) * layout.plane[p].padded_height / 16;
    return blocks;
}

} // namespace

bool Itx::supports(const PictureFormat &format, const ItxBlock &block) {
    return format.bit_depth == 8 && block.tx == 1 && block.type == 0;
}

void Itx::record(uint32_t lane_number, const PictureFormat &format, const ItxBlock &block,
                 void *coefficients) {
    Lane &lane = lanes_[lane_number];
    if (lane.blocks.size() >= most_blocks(format))
        throw Error(V3DOFF_ERROR_LIMIT, "more blocks than the picture has room for");
    size_t bytes = 128, at = lane.coefficients.size();
    lane.coefficients.resize(at + bytes);
    std::memcpy(lane.coefficients.data() + at, coefficients, bytes);
    lane.blocks.push_back({block, uint32_t(at)});
    std::memset(coefficients, 0, bytes);
}

uint64_t Itx::records() const {
    uint64_t sum = 0;
    for (const Lane &lane : lanes_) sum += lane.blocks.size();
    return sum;
}

void Itx::clear() {
    for (Lane &lane : lanes_) {
        lane.blocks.clear();
        lane.coefficients.clear();
    }
}

void Itx::plan(const SampleMap &map, Plan &plan) {
    static const uint32_t shader = vk::shader_index("vp9_itx8");
    uint32_t blocks = uint32_t(records());
    uint32_t groups = (blocks + 63) / 64;
    uint32_t groups_at = uint32_t(plan.arena.size());
    uint32_t records_at = groups_at + 2 * groups, words_at = records_at + 2 * blocks;
    plan.arena.resize(words_at + 32 * blocks);
    for (uint32_t g = 0; g < groups; g++) {
        plan.arena[groups_at + 2 * g] = records_at + 2 * 64 * g;
        plan.arena[groups_at + 2 * g + 1] = 1 | std::min(64u, blocks - 64 * g) << 16;
    }
    uint32_t n = 0;
    for (const Lane &lane : lanes_)
        for (const Recorded &r : lane.blocks) {
            plan.arena[records_at + 2 * n] = r.block.x / 4 | r.block.y / 4 << 14 | r.block.plane << 28;
            plan.arena[records_at + 2 * n + 1] = words_at + 32 * n;
            uint32_t w[32];
            std::memcpy(w, lane.coefficients.data() + r.source, 128);
            for (int l = 0; l < 4; l++)
                for (int c = 0; c < 8; c++) plan.arena[words_at + 32 * n + l * 8 + c] = w[c * 4 + l];
            plan.rows[r.block.plane].add(r.block.y, r.block.y + 8);
            n++;
        }
    ItxPush push{};
    push.groups = groups_at;
    push.sample_max = (1u << map.format.bit_depth) - 1;
    push.plane_offset_0 = map.offset_words[0];
    push.plane_offset_1 = map.offset_words[1];
    push.plane_offset_2 = map.offset_words[2];
    push.plane_stride_0 = map.stride_words[0];
    push.plane_stride_1 = map.stride_words[1];
    push.plane_stride_2 = map.stride_words[2];
    plan.dispatch(shader, {groups, 1, 1}, push);
}

void Itx::run_cpu(const PictureView &picture) {
    for (const Lane &lane : lanes_)
        for (const Recorded &recorded : lane.blocks) {
            const ItxBlock &block = recorded.block;
            const PlaneView &plane = picture.plane[block.plane];
            std::byte *at = plane.data + ptrdiff_t(block.y) * plane.stride +
                            block.x * picture.format.sample_bytes();
            itx_add_reference(at, plane.stride, lane.coefficients.data() + recorded.source,
                              int(block.tx), int(block.type), int(block.eob),
                              int(picture.format.bit_depth));
        }
}

} // namespace v3doff::vp9
