// SPDX-License-Identifier: BSD-2-Clause
#include "policy/prepare.hpp"

#include "core/local_memory.hpp"
#include "h264/deblock.hpp"
#include "h264/idct.hpp"
#include "policy/background_work.hpp"
#include "util/error.hpp"
#include "util/log.hpp"
#include "v3doff/recipe.h"
#include "vk/pipelines.hpp"
#include "vp9/itx.hpp"
#include "vp9/loopfilter.hpp"

namespace v3doff {
namespace {

// None where the family does not take such pictures.
std::vector<uint32_t> family_shaders(v3doff_family family, const PictureFormat &format,
                                     const vk::Device &device) {
    switch (family) {
    case V3DOFF_FAMILY_VP9_ITX:
        if (vp9::Itx::supports(format)) return vp9::Itx::shaders(format);
        break;
    case V3DOFF_FAMILY_VP9_LOOPFILTER:
        if (vp9::Loopfilter::supports(format))
            return vp9::Loopfilter::shaders(format, device.caps().many_lanes);
        break;
    case V3DOFF_FAMILY_H264_IDCT:
        if (h264::Idct::supports(format)) return h264::Idct::shaders(format);
        break;
    case V3DOFF_FAMILY_H264_DEBLOCK:
        if (h264::Deblock::supports(format)) return h264::Deblock::shaders(format);
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
        for (uint32_t shader : LocalMemory::shaders())
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

} // namespace v3doff
