// SPDX-License-Identifier: BSD-2-Clause
#include "api/prepare.hpp"

#include "api/background_work.hpp"
#include "picture/device_copy.hpp"
#include "h264/filter.hpp"
#include "h264/residual.hpp"
#include "util/error.hpp"
#include "util/log.hpp"
#include "v3doff/recipe.h"
#include "vk/pipelines.hpp"
#include "vp9/filter.hpp"
#include "vp9/residual.hpp"

namespace v3doff::api {
namespace {

// None where the family does not take such pictures.
std::vector<uint32_t> family_shaders(v3doff_family family, const PictureFormat &format,
                                     const vk::Device &device) {
    switch (family) {
    case V3DOFF_FAMILY_VP9_ITX:
        if (vp9::Residual::supports(format)) return vp9::Residual::shaders(format);
        break;
    case V3DOFF_FAMILY_VP9_LOOPFILTER:
        if (vp9::Filter::supports(format))
            return vp9::Filter::shaders(format, device.caps().is_discrete);
        break;
    case V3DOFF_FAMILY_H264_IDCT:
        if (h264::Residual::supports(format)) return h264::Residual::shaders(format);
        break;
    case V3DOFF_FAMILY_H264_DEBLOCK:
        if (h264::Filter::supports(format)) return h264::Filter::shaders(format);
        break;
    default:
        break;
    }
    return {};
}

} // namespace

void prepare(vk::Device &device, const Preparation &preparation, const std::atomic<bool> *stop) {
    std::vector<uint32_t> shaders;
    for (uint32_t family = 0; family < V3DOFF_FAMILIES; family++)
        if (preparation.families >> family & 1) {
            const auto some = family_shaders(v3doff_family(family), preparation.format, device);
            shaders.insert(shaders.end(), some.begin(), some.end());
        }
    if (!shaders.empty() && device.caps().passes_in_local_memory)
        for (uint32_t shader : DeviceCopy::shaders())
            shaders.push_back(shader);
    for (uint32_t shader : shaders) {
        if (stop && (*stop || BackgroundWork::process_ends())) break;
        try {
            device.pipelines().get(shader);
        } catch (const Error &problem) {
            LOG_INFO("not prepared: %s", problem.what());
        }
    }
    device.pipelines().save_if_new();
}

} // namespace v3doff::api
