// SPDX-License-Identifier: BSD-2-Clause
#include "policy/prepare.hpp"

#include "picture/device_copy.hpp"
#include "policy/families.hpp"
#include "util/error.hpp"
#include "util/log.hpp"
#include "util/process.hpp"
#include "vk/pipelines.hpp"

namespace v3doff {
void prepare(vk::Device &device, const Preparation &preparation, const std::atomic<bool> *stop) {
    std::vector<uint32_t> shaders;
    for (uint32_t family = 0; family < V3DOFF_FAMILIES; family++)
        if (preparation.families >> family & 1) {
            const auto some = family_of(v3doff_family(family)).shaders(preparation.format, device);
            shaders.insert(shaders.end(), some.begin(), some.end());
        }
    if (!shaders.empty() && device.caps().passes_in_local_memory)
        for (uint32_t shader : device_copy::shaders())
            shaders.push_back(shader);
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
