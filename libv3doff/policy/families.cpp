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
ShaderList shaders_of(const PictureFormat &format, const vk::Device &) {
    return Stage::supports(format) ? Stage::shaders(format) : ShaderList();
}

ShaderList vp9_loopfilter_shaders(const PictureFormat &format, const vk::Device &device) {
    if (!vp9::Filter::supports(format)) return {};
    return vp9::Filter::shaders(format, device.caps().is_discrete);
}

ShaderList vp9_reconstruction_shaders(const PictureFormat &format, const vk::Device &device) {
    if (!vp9::Reconstruction::supports(format)) return {};
    return vk::joined(
        {vp9::Reconstruction::shaders(format), vp9_loopfilter_shaders(format, device)});
}

ShaderList h264_reconstruction_shaders(const PictureFormat &format, const vk::Device &) {
    if (!h264::Reconstruction::supports(format)) return {};
    return vk::joined({h264::Reconstruction::shaders(format), h264::Filter::shaders(format)});
}

// In the order of v3doff_family.
constexpr std::array<Family, V3DOFF_FAMILIES> families = {{
    {V3DOFF_CODEC_VP9, V3DOFF_SCOPE_FILTERS, shaders_of<vp9::ResidualCalls>},
    {V3DOFF_CODEC_VP9, V3DOFF_SCOPE_FILTERS, vp9_loopfilter_shaders},
    {V3DOFF_CODEC_H264, V3DOFF_SCOPE_FILTERS, shaders_of<h264::ResidualCalls>},
    {V3DOFF_CODEC_H264, V3DOFF_SCOPE_FILTERS, shaders_of<h264::Filter>},
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
                {shaders, family_of(v3doff_family(family)).shaders(preparation.format, device)});
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
