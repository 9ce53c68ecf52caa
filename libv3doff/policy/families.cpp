// SPDX-License-Identifier: BSD-2-Clause
#include "policy/families.hpp"

#include <array>

#include "h264/filter/filter.hpp"
#include "h264/reconstruction/reconstruction.hpp"
#include "h264/residual/calls.hpp"
#include "picture/device_copy.hpp"
#include "util/error.hpp"
#include "util/log.hpp"
#include "util/process.hpp"
#include "vk/pipelines.hpp"
#include "vp9/filter/filter.hpp"
#include "vp9/reconstruction/reconstruction.hpp"
#include "vp9/residual/calls.hpp"

namespace v3doff {
namespace {

using vk::ShaderList;

template <typename Stage>
ShaderList shaders_of(const Preparation &of, const vk::Device &) {
    return Stage::supports(of.format) ? Stage::shaders(of.format) : ShaderList();
}

ShaderList vp9_loopfilter_shaders(const Preparation &of, const vk::Device &device) {
    if (!vp9::Filter::supports(of.format)) return {};
    return vp9::Filter::shaders(of.format, device.caps().is_discrete);
}

ShaderList h264_deblock_shaders(const Preparation &of, const vk::Device &) {
    if (!h264::Filter::supports(of.format)) return {};
    return h264::Filter::shaders(of.format, of.mbaff);
}

ShaderList vp9_reconstruction_shaders(const Preparation &of, const vk::Device &device) {
    return vk::joined(
        {shaders_of<vp9::Reconstruction>(of, device), vp9_loopfilter_shaders(of, device)});
}

ShaderList h264_reconstruction_shaders(const Preparation &of, const vk::Device &device) {
    return vk::joined(
        {shaders_of<h264::Reconstruction>(of, device), h264_deblock_shaders(of, device)});
}

// In the order of v3doff_family.
constexpr std::array<Family, V3DOFF_FAMILIES> families = {{
    {V3DOFF_CODEC_VP9, V3DOFF_SCOPE_FILTERS, shaders_of<vp9::ResidualCalls>},
    {V3DOFF_CODEC_VP9, V3DOFF_SCOPE_FILTERS, vp9_loopfilter_shaders},
    {V3DOFF_CODEC_H264, V3DOFF_SCOPE_FILTERS, shaders_of<h264::ResidualCalls>},
    {V3DOFF_CODEC_H264, V3DOFF_SCOPE_FILTERS, h264_deblock_shaders},
    {V3DOFF_CODEC_VP9, V3DOFF_SCOPE_RECONSTRUCTION, vp9_reconstruction_shaders},
    {V3DOFF_CODEC_H264, V3DOFF_SCOPE_RECONSTRUCTION, h264_reconstruction_shaders},
    {V3DOFF_CODEC_VP9, V3DOFF_SCOPE_RECONSTRUCTION, vp9_reconstruction_shaders},
    {V3DOFF_CODEC_H264, V3DOFF_SCOPE_RECONSTRUCTION, h264_reconstruction_shaders},
}};

} // namespace

const Family &family_of(v3doff_family family) {
    return families[size_t(family)];
}

void make_pipelines(vk::Device &device, const Preparation &preparation,
                    const std::atomic<bool> *stop) {
    ShaderList shaders;
    for (uint32_t family = 0; family < V3DOFF_FAMILIES; family++)
        if (preparation.families >> family & 1)
            shaders = vk::joined(
                {shaders, family_of(v3doff_family(family)).shaders(preparation, device)});
    if (!shaders.empty() && device.caps().passes_in_local_memory)
        shaders = vk::joined({shaders, device_copy::shaders()});
    for (uint32_t shader : shaders) {
        if (stop && (*stop || process::ends())) break;
        try {
            device.pipelines().get(shader);
        } catch (const Error &problem) {
            LOG_INFO("shaders were not prepared: %s", problem.what());
        }
    }
    device.pipelines().save_if_new();
}

} // namespace v3doff
