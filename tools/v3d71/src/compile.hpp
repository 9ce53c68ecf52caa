// SPDX-License-Identifier: BSD-2-Clause
// Compiles one module with the driver's compiler and collects what it reports about the result.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qpu_text.hpp"
#include "spirv_module.hpp"
#include "vulkan_device.hpp"

namespace v3doff::v3d71 {

// v3dv's compile statistics, as it prints them with V3D_DEBUG=shaderdb.
struct ShaderDb {
    int instructions, threads, loops, uniforms, max_temps, spills, fills, stalls, nops;
};

struct Statistics {
    ShaderDb db{};
    int scratch = 0;  // bytes of scratch memory for a 16-lane vector: spills and private arrays
    int strategy = 0; // 0: the compiler's first attempt fitted into the registers
    QpuCounts qpu;
};

// Owns the Vulkan objects of one compiled module.
class Compiled {
  public:
    Compiled(const VulkanDevice &device, const Module &module, const SpecConstants &spec);
    ~Compiled();
    Compiled(const Compiled &) = delete;
    Compiled &operator=(const Compiled &) = delete;

    // Throws std::runtime_error if the driver gave no statistics.
    Statistics statistics() const;
    // Every internal representation whose name starts with `kind` ("QPU", "NIR"): name, text.
    std::vector<std::pair<std::string, std::string>> representations(const std::string &kind) const;

    std::vector<VkDescriptorSetLayout> set_layouts;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkPipeline pipeline = VK_NULL_HANDLE;
    std::string driver_output; // what the driver wrote to stderr
    double milliseconds = 0;

  private:
    void make_layout(const Module &module);
    void make_pipeline(const Module &module, const SpecConstants &spec);
    void destroy();

    const VulkanDevice &device_;
};

std::optional<ShaderDb> parse_shader_db(const std::string &driver_output);

} // namespace v3doff::v3d71
