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

} // namespace v3doff
