// SPDX-License-Identifier: BSD-2-Clause
#include "policy/families.hpp"

#include <array>

#include "h264/filter/filter.hpp"
#include "h264/reconstruction/reconstruction.hpp"
#include "h264/residual/calls.hpp"
#include "vp9/filter/filter.hpp"
#include "vp9/reconstruction/reconstruction.hpp"
#include "vp9/residual/calls.hpp"

namespace v3doff {
namespace {

using Shaders = std::vector<uint32_t>;

template <typename Stage>
Shaders shaders_of(const PictureFormat &format, const vk::Device &) {
    return Stage::supports(format) ? Stage::shaders(format) : Shaders();
}

Shaders vp9_loopfilter_shaders(const PictureFormat &format, const vk::Device &device) {
    if (!vp9::Filter::supports(format)) return {};
    return vp9::Filter::shaders(format, device.caps().is_discrete);
}

Shaders vp9_reconstruction_shaders(const PictureFormat &format, const vk::Device &device) {
    if (!vp9::Reconstruction::supports(format)) return {};
    Shaders all = vp9::Reconstruction::shaders(format);
    const Shaders filter = vp9_loopfilter_shaders(format, device);
    all.insert(all.end(), filter.begin(), filter.end());
    return all;
}

Shaders h264_reconstruction_shaders(const PictureFormat &format, const vk::Device &) {
    if (!h264::Reconstruction::supports(format)) return {};
    Shaders all = h264::Reconstruction::shaders(format), filter = h264::Filter::shaders(format);
    all.insert(all.end(), filter.begin(), filter.end());
    return all;
}

// In the order of v3doff_family.
constexpr std::array<Family, V3DOFF_FAMILIES> families = {{
    // While the filter runs on the CPU, row by row, no transform can be deferred.
    {"vp9_itx", V3DOFF_CODEC_VP9, V3DOFF_SCOPE_FILTERS, 1u << V3DOFF_FAMILY_VP9_LOOPFILTER,
     shaders_of<vp9::ResidualCalls>},
    {"vp9_loopfilter", V3DOFF_CODEC_VP9, V3DOFF_SCOPE_FILTERS, 0, vp9_loopfilter_shaders},
    {"h264_idct", V3DOFF_CODEC_H264, V3DOFF_SCOPE_FILTERS, 0, shaders_of<h264::ResidualCalls>},
    {"h264_deblock", V3DOFF_CODEC_H264, V3DOFF_SCOPE_FILTERS, 0, shaders_of<h264::Filter>},
    {"vp9_reconstruction", V3DOFF_CODEC_VP9, V3DOFF_SCOPE_RECONSTRUCTION, 0,
     vp9_reconstruction_shaders},
    {"h264_reconstruction", V3DOFF_CODEC_H264, V3DOFF_SCOPE_RECONSTRUCTION, 0,
     h264_reconstruction_shaders},
    {"vp9_intra", V3DOFF_CODEC_VP9, V3DOFF_SCOPE_RECONSTRUCTION,
     1u << V3DOFF_FAMILY_VP9_RECONSTRUCTION, vp9_reconstruction_shaders},
    {"h264_intra", V3DOFF_CODEC_H264, V3DOFF_SCOPE_RECONSTRUCTION,
     1u << V3DOFF_FAMILY_H264_RECONSTRUCTION, h264_reconstruction_shaders},
}};

} // namespace

const Family &family_of(v3doff_family family) {
    return families[size_t(family)];
}

std::optional<v3doff_family> find_family(const std::string &name) {
    for (size_t i = 0; i < families.size(); i++)
        if (name == families[i].name) return v3doff_family(i);
    return std::nullopt;
}

} // namespace v3doff
