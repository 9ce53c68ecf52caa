// SPDX-License-Identifier: BSD-2-Clause
#include "vk/pipelines.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "util/error.hpp"
#include "util/fault.hpp"
#include "util/file.hpp"
#include "util/log.hpp"
#include "vk/device.hpp"
#include "vk/pipeline_file.hpp"

namespace v3doff::vk {

uint32_t shader_index(std::string_view name) {
    auto codes = shader_codes();
    for (uint32_t i = 0; i < codes.size(); i++)
        if (codes[i].name == name) return i;
    throw Error(V3DOFF_ERROR_INTERNAL, "no shader is called " + std::string(name));
}

ShaderList joined(std::initializer_list<ShaderList> lists) {
    ShaderList all;
    for (const ShaderList &list : lists)
        all.insert(all.end(), list.begin(), list.end());
    return all;
}

Pipelines::Pipelines(Device &device) : device_(device), entries_(shader_codes().size()) {
    create_layouts();
    create_cache();
}

Pipelines::~Pipelines() {
    if (device_.abandoned()) return;
    const DeviceFunctions &fn = device_.fn();
    for (const Entry &entry : entries_)
        fn.vkDestroyPipeline(device_.handle(), entry.pipeline, nullptr);
    fn.vkDestroyPipelineCache(device_.handle(), cache_, nullptr);
    fn.vkDestroyPipelineLayout(device_.handle(), layout_, nullptr);
    fn.vkDestroyDescriptorSetLayout(device_.handle(), set_layout_, nullptr);
}

void Pipelines::create_layouts() {
    const DeviceFunctions &fn = device_.fn();
    VkDescriptorSetLayoutBinding bindings[binding_count]{};
    for (uint32_t i = 0; i < binding_count; i++)
        bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                       nullptr};
    VkDescriptorSetLayoutCreateInfo set{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    set.bindingCount = binding_count;
    set.pBindings = bindings;
    check(fn.vkCreateDescriptorSetLayout(device_.handle(), &set, nullptr, &set_layout_),
          "vkCreateDescriptorSetLayout");
    VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes};
    VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout.setLayoutCount = 1;
    layout.pSetLayouts = &set_layout_;
    layout.pushConstantRangeCount = 1;
    layout.pPushConstantRanges = &push;
    check(fn.vkCreatePipelineLayout(device_.handle(), &layout, nullptr, &layout_),
          "vkCreatePipelineLayout");
}

std::string Pipelines::cache_path() const {
    return device_.options().cache_dir.empty()
               ? std::string()
               : pipeline_file_path(device_.options().cache_dir, device_.facts());
}

void Pipelines::create_cache() {
    std::vector<uint8_t> known;
    if (auto path = cache_path(); !path.empty()) known = read_pipeline_file(path, device_.facts());
    VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    info.initialDataSize = known.size();
    info.pInitialData = known.data();
    // A cache is a convenience: without one pipelines are only made more slowly.
    if (device_.fn().vkCreatePipelineCache(device_.handle(), &info, nullptr, &cache_) != VK_SUCCESS)
        cache_ = VK_NULL_HANDLE;
    if (!known.empty()) saved_bytes_ = cache_bytes();
}

// The size of what the driver would save now.
size_t Pipelines::cache_bytes() const {
    size_t size = 0;
    if (cache_ && device_.fn().vkGetPipelineCacheData(device_.handle(), cache_, &size, nullptr) < 0)
        size = 0;
    return size;
}

VkPipeline Pipelines::get(uint32_t shader) {
    Entry &entry = entries_[shader];
    VkPipeline pipeline = entry.pipeline.load(std::memory_order_acquire);
    if (pipeline) return pipeline;
    const log::Later later;
    std::lock_guard lock(entry.making);
    pipeline = entry.pipeline.load(std::memory_order_relaxed);
    if (pipeline) return pipeline;
    pipeline = create(shader);
    entry.pipeline.store(pipeline, std::memory_order_release);
    new_pipelines_ = true;
    return pipeline;
}

size_t Pipelines::made() const {
    return size_t(std::count_if(entries_.begin(), entries_.end(),
                                [](const Entry &entry) { return entry.pipeline.load(); }));
}

namespace {

// For the fault wrong_shader: OpISub becomes OpIAdd, which has the same operands.
std::vector<uint32_t> with_sums_for_differences(const ShaderCode &code) {
    constexpr uint32_t header_words = 5, op_i_add = 128, op_i_sub = 130;
    std::vector<uint32_t> words(code.words, code.words + code.count);
    for (size_t at = header_words; at < words.size(); at += words[at] >> 16) {
        if (!(words[at] >> 16)) break;
        if ((words[at] & 0xffff) == op_i_sub) words[at] = (words[at] & 0xffff0000) | op_i_add;
    }
    return words;
}

} // namespace

VkPipeline Pipelines::create(uint32_t shader) {
    const DeviceFunctions &fn = device_.fn();
    const ShaderCode &code = shader_codes()[shader];
    if (fault::hit(fault::Point::slow_shader))
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (fault::hit(fault::Point::pipeline))
        throw Error(V3DOFF_ERROR_UNSUPPORTED,
                    std::string(code.name) + ": does not compile (fault)");
    VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    module_info.codeSize = code.count * sizeof(uint32_t);
    module_info.pCode = code.words;
    std::vector<uint32_t> wrong;
    if (fault::hit(fault::Point::wrong_shader)) {
        wrong = with_sums_for_differences(code);
        module_info.pCode = wrong.data();
    }
    VkShaderModule module = VK_NULL_HANDLE;
    check(fn.vkCreateShaderModule(device_.handle(), &module_info, nullptr, &module),
          "vkCreateShaderModule");
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    // Needed even if no dispatch is cut into pieces. NVIDIA's caches (580.159), the library's file
    // and the driver's own, give a pipeline that was made without this flag to a request with the
    // flag. Then every piece would be the first one.
    info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = "main";
    info.layout = layout_;
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkResult result =
        fn.vkCreateComputePipelines(device_.handle(), cache_, 1, &info, nullptr, &pipeline);
    fn.vkDestroyShaderModule(device_.handle(), module, nullptr);
    check(result, code.name);
    LOG_DEBUG("device: compiled %s", code.name);
    return pipeline;
}

void Pipelines::save_if_new() {
    const log::Later later;
    std::lock_guard lock(saving_); // otherwise an older cache could replace a newer file
    if (!cache_ || device_.bad() || !new_pipelines_.exchange(false)) return;
    size_t size = cache_bytes();
    if (size == saved_bytes_) return;
    std::vector<uint8_t> data(size);
    // Fails if another thread made a pipeline meanwhile. That pipeline counts as new again.
    if (device_.fn().vkGetPipelineCacheData(device_.handle(), cache_, &size, data.data()) !=
        VK_SUCCESS)
        return;
    data.resize(size);
    saved_bytes_ = size;
    auto path = cache_path();
    if (path.empty()) return;
    if (auto problem = write_pipeline_file(path, device_.facts(), data); !problem.empty())
        LOG_WARNING_ONCE("pipeline cache %s: %s; continuing without it", path.c_str(),
                         problem.c_str());
}

} // namespace v3doff::vk
