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
    if (!superblocks_.empty() || !calls_.empty())
        throw Error(V3DOFF_ERROR_INVALID_STATE, "the picture has its loop filter already");
    if (const char *problem = check_loopfilter(input))
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, std::string("superblocks: ") + problem);
    superblocks_.assign(input.superblocks, input.superblocks + size_t(input.cols()) * input.rows());
    input_ = input;
}

void Loopfilter::record_call(uint32_t lane, const PictureFormat &format, const EdgeCall &call) {
    if (!superblocks_.empty())
        throw Error(V3DOFF_ERROR_INVALID_STATE, "the picture has its loop filter already");
    calls_.record(lane, format, call);
}

void Loopfilter::clear() {
    superblocks_.clear();
    calls_.clear();
}

void Loopfilter::plan(const SampleMap &map, Plan &plan) {
    if (!loopfilter_fits(map))
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "planes or strides not aligned to 16 bytes");
    input_.superblocks = superblocks_.data();
    if (!calls_.empty())
        if (const char *problem = calls_.resolve(map.format, input_, resolved_))
            throw Error(V3DOFF_ERROR_UNSUPPORTED,
                        std::string("the loop filter's calls make no VP9 picture: ") + problem);
    plan_loopfilter(input_, map, shaders_of(map.format.bit_depth), plan);
}

bool Loopfilter::save(const PictureFormat &format, DumpWriter &writer) const {
    LoopfilterInput input = input_;
    std::vector<LoopfilterSuperblock> resolved;
    if (!calls_.empty() && calls_.resolve(format, input, resolved)) return false;
    const auto &superblocks = calls_.empty() ? superblocks_ : resolved;
    writer.begin_chunk(dump::vp9_loopfilter);
    writer.value(input.sharpness);
    writer.value(uint32_t(0));
    writer.bytes(superblocks.data(), superblocks.size() * sizeof superblocks[0]);
    writer.end_chunk();
    return true;
}

void Loopfilter::run_cpu(const PictureView &picture) {
    if (!calls_.empty()) return calls_.run_cpu(picture);
    input_.superblocks = superblocks_.data();
    filter_picture(picture, input_);
}

} // namespace v3doff::vp9
