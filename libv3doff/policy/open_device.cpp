// SPDX-License-Identifier: BSD-2-Clause
#include "policy/open_device.hpp"

#include "picture/surface.hpp"
#include "policy/kept_device.hpp"
#include "util/cache_file.hpp"
#include "util/clock.hpp"
#include "util/env.hpp"
#include "util/log.hpp"

namespace v3doff {
namespace {

constexpr unsigned max_time_limit_ms = 3600 * 1000;

v3doff_memory_path memory_from_environment() {
    static_assert(V3DOFF_MEMORY_AUTO == 0 && V3DOFF_MEMORY_CPU == 6);
    return v3doff_memory_path(
        env::choice("V3DOFF_MEMORY", vk::memory_path_names).value_or(V3DOFF_MEMORY_AUTO));
}

// Gets memory for a small picture, so that the reported path is the one that will be taken.
void probe_memory(OpenDevice &device) {
    PictureFormat small{64, 64, 8, V3DOFF_CHROMA_420};
    auto memory = Surface::create(device.vulkan.get(), lay_out(small), device.memory);
    device.taken = memory->path();
    const auto &paths = device.vulkan->caps().memory_paths;
    if (device.memory != V3DOFF_MEMORY_AUTO && device.taken == device.memory)
        device.memory_reason = "asked for";
    else if (device.taken == paths.front())
        device.memory_reason = device.vulkan->caps().memory_reason;
    else
        device.memory_reason =
            std::string(vk::memory_path_name(device.memory != V3DOFF_MEMORY_AUTO ? device.memory
                                                                                 : paths.front())) +
            " is unavailable here";
    if (!memory->gpu()) {
        device.memory_reason = "CPU and GPU share no memory that the CPU reads cached";
        LOG_WARNING_ONCE(
            "pictures are done on the CPU: it shares no cached memory with the GPU (may this "
            "user open /dev/udmabuf or /dev/dma_heap/system?)");
    } else if (!memory->gpu()->cached()) {
        device.memory_reason += "; samples come back through uncached memory, which is slow";
        LOG_WARNING_ONCE("samples come back through memory that is not cached: that is slow");
    }
    LOG_INFO("memory path: %s (%s)", vk::memory_path_name(device.taken),
             device.memory_reason.c_str());
}

std::shared_ptr<const OpenDevice> opened(std::shared_ptr<vk::Device> vulkan,
                                         const DeviceRequest &request,
                                         const std::atomic<bool> *stop) {
    const uint64_t began = steady_ns();
    if (vulkan) make_pipelines(*vulkan, request.preparation, stop);
    LOG_DEBUG("device: shaders are ready after %u ms", unsigned((steady_ns() - began) / 1'000'000));
    if (request.open) return request.open;
    auto device = std::make_shared<OpenDevice>();
    device->vulkan = std::move(vulkan);
    device->memory = request.options.memory;
    if (device->vulkan)
        probe_memory(*device);
    else
        device->memory_reason = "no Vulkan in use";
    return device;
}

} // namespace

DeviceRequest device_request(const v3doff_device_info &info) {
    DeviceRequest request;
    request.mode = env::has_other_rights() ? V3DOFF_MODE_CPU : info.mode;
    vk::DeviceOptions &options = request.options;
    options.select = info.select ? info.select : env::text("V3DOFF_DEVICE").value_or("");
    options.allow_software = info.mode == V3DOFF_MODE_FORCE;
    options.timers = info.flags & V3DOFF_DEVICE_TIMERS;
    options.keep = (info.flags & V3DOFF_DEVICE_KEEP) && env::switched("V3DOFF_KEEP", true);
    options.submit_timeout_ms =
        info.submit_timeout_ms ? info.submit_timeout_ms
                               : env::number("V3DOFF_TIME_LIMIT", max_time_limit_ms).value_or(0);
    options.memory = info.memory == V3DOFF_MEMORY_AUTO ? memory_from_environment() : info.memory;
    options.cache_dir = info.cache_dir ? info.cache_dir : cache_dir().value_or("");
    request.preparation = {info.prepare,
                           {64, 64, info.prepare_bit_depth, info.prepare_chroma},
                           info.prepare_mbaff != 0};
    return request;
}

std::shared_ptr<const OpenDevice> open_device(const DeviceRequest &request,
                                              const std::atomic<bool> *stop) {
    const uint64_t began = steady_ns();
    std::shared_ptr<vk::Device> vulkan;
    if (request.open)
        vulkan = request.open->vulkan;
    else if (request.mode != V3DOFF_MODE_CPU)
        vulkan = KeptDevice::open(request.options);
    LOG_DEBUG("device: there after %u ms", unsigned((steady_ns() - began) / 1'000'000));
    return opened(std::move(vulkan), request, stop);
}

std::shared_ptr<const OpenDevice> borrow_device(const v3doff_borrowed_vulkan &from,
                                                const DeviceRequest &request) {
    return opened(vk::Device::borrow(from, request.options), request, nullptr);
}

} // namespace v3doff
