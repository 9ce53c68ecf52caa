// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/loopfilter.hpp"

#include <array>

#include "core/dump.hpp"
#include "util/error.hpp"
#include "vk/shaders.hpp"
#include "vp9/loopfilter_pack.hpp"
#include "vp9/loopfilter_reference.hpp"

namespace v3doff::vp9 {
namespace {

LoopfilterShaders shaders_of(uint32_t bit_depth) {
    static const std::array<uint32_t, 3> waves = {vk::shader_index("vp9_loopfilter_wave_8"),
                                                  vk::shader_index("vp9_loopfilter_wave_10"),
                                                  vk::shader_index("vp9_loopfilter_wave_12")};
    LoopfilterShaders shaders;
    shaders.wave = waves[(bit_depth - 8) / 2];
    return shaders;
}

} // namespace

bool Loopfilter::supports(const PictureFormat &format) {
    return (format.bit_depth == 8 || format.bit_depth == 10 || format.bit_depth == 12) &&
           format.chroma != V3DOFF_CHROMA_400; // VP9 has no monochrome
}

void Loopfilter::record(const LoopfilterInput &input) {
    if (!superblocks_.empty())
        throw Error(V3DOFF_ERROR_INVALID_STATE, "the picture has its loop filter already");
    if (const char *problem = check_loopfilter(input))
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, std::string("superblocks: ") + problem);
    superblocks_.assign(input.superblocks, input.superblocks + size_t(input.cols()) * input.rows());
    input_ = input;
}

void Loopfilter::plan(const SampleMap &map, Plan &plan) {
    if (!loopfilter_fits(map))
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "planes or strides not aligned to 16 bytes");
    input_.superblocks = superblocks_.data();
    plan_loopfilter(input_, map, shaders_of(map.format.bit_depth), plan);
}

bool Loopfilter::save(const PictureFormat &, DumpWriter &writer) const {
    writer.begin_chunk(dump::vp9_loopfilter);
    writer.value(input_.sharpness);
    writer.value(uint32_t(0));
    writer.bytes(superblocks_.data(), superblocks_.size() * sizeof superblocks_[0]);
    writer.end_chunk();
    return true;
}

void Loopfilter::run_cpu(const PictureView &picture) {
    input_.superblocks = superblocks_.data();
    filter_picture(picture, input_);
}

} // namespace v3doff::vp9
