// SPDX-License-Identifier: BSD-2-Clause
#include "policy/families.hpp"

#include <array>

#include "h264/filter/filter.hpp"
#include "h264/reconstruction/reconstruction.hpp"
#include "h264/residual/calls.hpp"
#include "h264/trial.hpp"
#include "vk/device.hpp"
#include "vp9/filter/filter.hpp"
#include "vp9/reconstruction/reconstruction.hpp"
#include "vp9/residual/calls.hpp"
#include "vp9/trial.hpp"

namespace v3doff {
namespace {

using Shaders = std::vector<uint32_t>;

// Transforms and filters are about a quarter of a decoder's CPU time: 14 to 31 % of one thread's,
// on natural clips, measured by leaving them out.
constexpr double share_of_filters = 0.25;
// Parsing is the rest: without everything else 27 to 45 % of the instructions were left, on such
// clips.
constexpr double share_of_reconstruction = 0.6;
// All pictures that follow wait for an intra picture, so the device must be as fast as the
// functions that it replaces (docs/recipe.md).
constexpr double share_of_intra = 1;

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

template <Trial (*make)(unsigned, const v3doff_vp9dsp &)>
std::optional<Trial> vp9_trial(unsigned size, const Functions &simd) {
    return simd.vp9 ? std::optional(make(size, *simd.vp9)) : std::nullopt;
}

template <Trial (*make)(unsigned, const v3doff_h264dsp &)>
std::optional<Trial> h264_trial(unsigned size, const Functions &simd) {
    return simd.h264 ? std::optional(make(size, *simd.h264)) : std::nullopt;
}

template <auto make>
std::optional<Trial> vp9_whole_trial(unsigned size, const Functions &simd) {
    if (!simd.vp9 || !simd.vp9_intra || !simd.vp9->mc[0][0][0][0][0]) return std::nullopt;
    return make(size, *simd.vp9, simd.vp9_intra);
}

template <auto make>
std::optional<Trial> h264_whole_trial(unsigned size, const Functions &simd) {
    if (!simd.h264 || !simd.h264_predictors) return std::nullopt;
    return make(size, *simd.h264, *simd.h264_predictors);
}

// In the order of v3doff_family.
constexpr std::array<Family, V3DOFF_FAMILIES> families = {{
    // While the filter runs on the CPU, row by row, no transform can be deferred.
    {"vp9_itx", V3DOFF_CODEC_VP9, V3DOFF_SCOPE_FILTERS, 1u << V3DOFF_FAMILY_VP9_LOOPFILTER,
     share_of_filters, shaders_of<vp9::ResidualCalls>, vp9_trial<vp9::residual_trial>},
    {"vp9_loopfilter", V3DOFF_CODEC_VP9, V3DOFF_SCOPE_FILTERS, 0, share_of_filters,
     vp9_loopfilter_shaders, vp9_trial<vp9::filter_trial>},
    {"h264_idct", V3DOFF_CODEC_H264, V3DOFF_SCOPE_FILTERS, 0, share_of_filters,
     shaders_of<h264::ResidualCalls>, h264_trial<h264::residual_trial>},
    {"h264_deblock", V3DOFF_CODEC_H264, V3DOFF_SCOPE_FILTERS, 0, share_of_filters,
     shaders_of<h264::Filter>, h264_trial<h264::filter_trial>},
    {"vp9_reconstruction", V3DOFF_CODEC_VP9, V3DOFF_SCOPE_RECONSTRUCTION, 0,
     share_of_reconstruction, vp9_reconstruction_shaders,
     vp9_whole_trial<vp9::reconstruction_trial>},
    {"h264_reconstruction", V3DOFF_CODEC_H264, V3DOFF_SCOPE_RECONSTRUCTION, 0,
     share_of_reconstruction, h264_reconstruction_shaders,
     h264_whole_trial<h264::reconstruction_trial>},
    {"vp9_intra", V3DOFF_CODEC_VP9, V3DOFF_SCOPE_RECONSTRUCTION,
     1u << V3DOFF_FAMILY_VP9_RECONSTRUCTION, share_of_intra, vp9_reconstruction_shaders,
     vp9_whole_trial<vp9::intra_trial>},
    {"h264_intra", V3DOFF_CODEC_H264, V3DOFF_SCOPE_RECONSTRUCTION,
     1u << V3DOFF_FAMILY_H264_RECONSTRUCTION, share_of_intra, h264_reconstruction_shaders,
     h264_whole_trial<h264::intra_trial>},
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
