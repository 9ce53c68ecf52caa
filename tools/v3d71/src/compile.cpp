// SPDX-License-Identifier: BSD-2-Clause
#include "compile.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "stderr_capture.hpp"

namespace v3doff::v3d71 {

std::optional<ShaderDb> parse_shader_db(const std::string &driver_output) {
    const size_t at = driver_output.rfind("shader: ");
    if (at == std::string::npos) return {};
    ShaderDb s{};
    int instructions_and_stalls = 0;
    const int n = sscanf(driver_output.c_str() + at,
                         "shader: %d inst, %d threads, %d loops, %d uniforms, %d max-temps, "
                         "%d:%d spills:fills, %d sfu-stalls, %d inst-and-stalls, %d nops",
                         &s.instructions, &s.threads, &s.loops, &s.uniforms, &s.max_temps,
                         &s.spills, &s.fills, &s.stalls, &instructions_and_stalls, &s.nops);
    if (n != 10) return {};
    return s;
}

Compiled::Compiled(const VulkanDevice &device, const Module &module, const SpecConstants &spec)
    : device_(device) {
    try {
        make_layout(module);
        make_pipeline(module, spec);
    } catch (...) {
        destroy();
        throw;
    }
}

Compiled::~Compiled() {
    destroy();
}

void Compiled::destroy() {
    vkDestroyPipeline(device_.device, pipeline, nullptr);
    vkDestroyPipelineLayout(device_.device, layout, nullptr);
    for (VkDescriptorSetLayout set : set_layouts)
        vkDestroyDescriptorSetLayout(device_.device, set, nullptr);
}

void Compiled::make_layout(const Module &module) {
    uint32_t sets = 0;
    for (const Binding &b : module.bindings)
        sets = std::max(sets, b.set + 1);
    set_layouts.resize(sets);
    for (uint32_t s = 0; s < sets; s++) {
        std::vector<VkDescriptorSetLayoutBinding> bindings;
        for (const Binding &b : module.bindings)
            if (b.set == s)
                bindings.push_back(
                    {b.binding, b.type, b.count, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
        VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
        info.bindingCount = uint32_t(bindings.size());
        info.pBindings = bindings.data();
        V3D71_CHECK(vkCreateDescriptorSetLayout(device_.device, &info, nullptr, &set_layouts[s]));
    }
    const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                   device_.properties.limits.maxPushConstantsSize};
    VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    info.setLayoutCount = sets;
    info.pSetLayouts = set_layouts.data();
    info.pushConstantRangeCount = module.push_constants;
    info.pPushConstantRanges = &push;
    V3D71_CHECK(vkCreatePipelineLayout(device_.device, &info, nullptr, &layout));
}

void Compiled::make_pipeline(const Module &module, const SpecConstants &spec) {
    std::vector<VkSpecializationMapEntry> entries;
    std::vector<uint32_t> values;
    for (const auto &[id, value] : spec) {
        entries.push_back({id, uint32_t(values.size() * sizeof value), sizeof value});
        values.push_back(value);
    }
    const VkSpecializationInfo constants{uint32_t(entries.size()), entries.data(),
                                         values.size() * sizeof(uint32_t), values.data()};
    VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    module_info.codeSize = module.words.size() * sizeof(uint32_t);
    module_info.pCode = module.words.data();
    VkShaderModule shader = VK_NULL_HANDLE;
    V3D71_CHECK(vkCreateShaderModule(device_.device, &module_info, nullptr, &shader));

    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = shader;
    info.stage.pName = module.entry.c_str();
    info.stage.pSpecializationInfo = &constants;
    info.layout = layout;
    if (device_.executable_properties)
        info.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
                     VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
    StderrCapture capture;
    const auto start = std::chrono::steady_clock::now();
    const VkResult result =
        vkCreateComputePipelines(device_.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    driver_output = capture.finish();
    milliseconds = took.count();
    vkDestroyShaderModule(device_.device, shader, nullptr);
    check(result, "vkCreateComputePipelines");
}

Statistics Compiled::statistics() const {
    const auto db = parse_shader_db(driver_output);
    if (!db || !device_.executable_properties)
        throw std::runtime_error("the driver gave no statistics");
    Statistics s;
    s.db = *db;
    VkPipelineExecutableInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR};
    info.pipeline = pipeline; // a compute pipeline of v3dv is one executable: index 0
    uint32_t count = 0;
    V3D71_CHECK(vkGetPipelineExecutableStatisticsKHR(device_.device, &info, &count, nullptr));
    VkPipelineExecutableStatisticKHR blank{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR};
    std::vector<VkPipelineExecutableStatisticKHR> all(count, blank);
    V3D71_CHECK(vkGetPipelineExecutableStatisticsKHR(device_.device, &info, &count, all.data()));
    int known = 0;
    for (const auto &stat : all) {
        // not its "TMU Spills" and "TMU Fills": Mesa 25.0.7 puts the spill size in both
        if (!strcmp(stat.name, "Spill Size")) s.scratch = int(stat.value.u64), known++;
        if (!strcmp(stat.name, "Compile Strategy")) s.strategy = int(stat.value.u64), known++;
    }
    const auto assembly = representations("QPU");
    if (known != 2 || assembly.empty())
        throw std::runtime_error("the driver gave no scratch size or no assembly");
    s.qpu = count_qpu(assembly.front().second);
    return s;
}

std::vector<std::pair<std::string, std::string>>
Compiled::representations(const std::string &kind) const {
    VkPipelineExecutableInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR};
    info.pipeline = pipeline;
    uint32_t count = 0;
    V3D71_CHECK(
        vkGetPipelineExecutableInternalRepresentationsKHR(device_.device, &info, &count, nullptr));
    VkPipelineExecutableInternalRepresentationKHR blank{
        VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR};
    std::vector<VkPipelineExecutableInternalRepresentationKHR> all(count, blank);
    V3D71_CHECK(vkGetPipelineExecutableInternalRepresentationsKHR(device_.device, &info, &count,
                                                                  all.data()));
    std::vector<std::string> texts(count);
    for (uint32_t i = 0; i < count; i++) {
        texts[i].resize(all[i].dataSize);
        all[i].pData = texts[i].data();
    }
    V3D71_CHECK(vkGetPipelineExecutableInternalRepresentationsKHR(device_.device, &info, &count,
                                                                  all.data()));
    std::vector<std::pair<std::string, std::string>> wanted;
    for (uint32_t i = 0; i < count; i++)
        if (!strncmp(all[i].name, kind.c_str(), kind.size()))
            wanted.emplace_back(all[i].name, texts[i].c_str()); // up to the terminating zero
    return wanted;
}

} // namespace v3doff::v3d71
