// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>
#include <utility>

#include "api/device_request.hpp"
#include "api/guard.hpp"
#include "api/handles.hpp"
#include "picture/surface.hpp"
#include "policy/kept_device.hpp"
#include "util/cache_dir.hpp"
#include "util/env.hpp"
#include "util/process.hpp"
#include "v3doff/recipe.h"
#include "v3doff/vulkan.h"
#include "vk/bad_devices.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

constexpr uint32_t known_flags = V3DOFF_DEVICE_TIMERS | V3DOFF_DEVICE_KEEP;
constexpr unsigned max_time_limit_ms = 3600 * 1000;

void copy_text(char (&to)[256], const std::string &from) {
    std::snprintf(to, sizeof to, "%s", from.c_str());
}

v3doff_memory_path memory_from_environment() {
    static constexpr std::array<std::string_view, 7> names = {
        "auto", "udmabuf", "dma-heap", "host-import", "host-cached", "staging", "cpu"};
    return v3doff_memory_path(env::choice("V3DOFF_MEMORY", names).value_or(V3DOFF_MEMORY_AUTO));
}

v3doff_device_info read_info(const v3doff_device_info *from) {
    process::watch_main_thread();
    v3doff_device_info info{};
    if (from) info = read_struct(from, "info");
    if (info.mode < V3DOFF_MODE_AUTO || info.mode > V3DOFF_MODE_CPU) refuse("info->mode: unknown");
    if (info.flags & ~known_flags) refuse("info->flags: unknown bits");
    if (info.memory < V3DOFF_MEMORY_AUTO || info.memory > V3DOFF_MEMORY_CPU)
        refuse("info->memory: unknown");
    if (info.memory == V3DOFF_MEMORY_AUTO) info.memory = memory_from_environment();
    if (info.prepare >> V3DOFF_FAMILIES) refuse("info->prepare: unknown bits");
    if (info.prepare && (info.prepare_bit_depth < 8 || info.prepare_bit_depth > 14))
        refuse("info->prepare_bit_depth: not from 8 to 14");
    if (info.prepare_chroma < V3DOFF_CHROMA_400 || info.prepare_chroma > V3DOFF_CHROMA_440)
        refuse("info->prepare_chroma: unknown");
    return info;
}

Preparation preparation_from(const v3doff_device_info &info) {
    return {info.prepare, {64, 64, info.prepare_bit_depth, info.prepare_chroma}};
}

vk::DeviceOptions options_from(const v3doff_device_info &info) {
    vk::DeviceOptions options;
    options.select = info.select ? info.select : env::text("V3DOFF_DEVICE").value_or("");
    options.allow_software = info.mode == V3DOFF_MODE_FORCE;
    options.timers = info.flags & V3DOFF_DEVICE_TIMERS;
    options.keep = (info.flags & V3DOFF_DEVICE_KEEP) && env::switched("V3DOFF_KEEP", true);
    options.submit_timeout_ms =
        info.submit_timeout_ms ? info.submit_timeout_ms
                               : env::number("V3DOFF_TIME_LIMIT", max_time_limit_ms).value_or(0);
    options.memory = info.memory;
    options.cache_dir = info.cache_dir ? info.cache_dir : cache_dir().value_or("");
    return options;
}

void fill(v3doff_device_properties &to, const vk::Facts &facts, const vk::Caps &caps) {
    to.kind = caps.kind;
    to.vendor_id = facts.vendor_id;
    to.device_id = facts.device_id;
    to.api_version = facts.api_version;
    to.subgroup_size = facts.subgroup_size;
    std::copy(facts.uuid.begin(), facts.uuid.end(), to.uuid);
    to.max_buffer_range = facts.limits.maxStorageBufferRange;
    to.max_shared_bytes = facts.limits.maxComputeSharedMemorySize;
    to.max_push_bytes = facts.limits.maxPushConstantsSize;
    to.max_group_size = facts.limits.maxComputeWorkGroupInvocations;
    to.usable = caps.missing.empty();
    to.bad = !vk::bad_reason(facts.uuid).empty();
    copy_text(to.name, facts.name);
    copy_text(to.driver, facts.driver);
    copy_text(to.missing, caps.missing);
    copy_text(to.memory_reason, caps.memory_reason);
}

// Gets memory for a small picture, so that the reported path is the one that will be taken.
void probe_memory(DeviceObject &device) {
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

v3doff_device *hand_out(std::shared_ptr<vk::Device> vulkan, v3doff_memory_path memory) {
    auto object = std::make_shared<DeviceObject>();
    object->vulkan = std::move(vulkan);
    object->memory = memory;
    if (object->vulkan)
        probe_memory(*object);
    else
        object->memory_reason = "no Vulkan in use";
    return slots<v3doff_device>().give(std::shared_ptr<const DeviceObject>(std::move(object)));
}

} // namespace

DeviceRequest v3doff::api::read_request(const v3doff_device_info *info) {
    const v3doff_device_info known = read_info(info);
    const v3doff_mode mode = env::has_other_rights() ? V3DOFF_MODE_CPU : known.mode;
    DeviceRequest request{mode, options_from(known), preparation_from(known), nullptr};
    if (known.device) request.open = resolve(known.device, "info->device");
    return request;
}

v3doff_device *v3doff::api::open_device(const DeviceRequest &request,
                                        const std::atomic<bool> *stop) {
    std::shared_ptr<vk::Device> vulkan;
    if (request.open)
        vulkan = request.open->vulkan;
    else if (request.mode != V3DOFF_MODE_CPU)
        vulkan = KeptDevice::open(request.options);
    if (vulkan) prepare(*vulkan, request.preparation, stop);
    return request.open ? slots<v3doff_device>().give(request.open)
                        : hand_out(std::move(vulkan), request.options.memory);
}

v3doff_result v3doff_device_list(v3doff_device_properties *list, size_t *count) {
    return guarded(__func__, [&] {
        require_pointer(count, "count");
        env::read();
        auto candidates = vk::Instance::get()->devices();
        size_t room = list ? std::min(*count, candidates.size()) : 0;
        // The caller's elements may be shorter than ours.
        auto *element = reinterpret_cast<std::byte *>(list);
        for (size_t i = 0; i < room; i++) {
            auto *to = reinterpret_cast<v3doff_device_properties *>(element);
            v3doff_device_properties properties = read_struct(to, "list");
            fill(properties, candidates[i].facts, candidates[i].caps);
            properties.memory = V3DOFF_MEMORY_AUTO;
            element += to->struct_size;
            write_struct(to, properties);
        }
        *count = candidates.size();
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_device_create(v3doff_device **out, const v3doff_device_info *info) {
    return creating(__func__, out, [&] {
        env::read();
        return open_device(read_request(info));
    });
}

v3doff_result v3doff_device_create_borrowed(v3doff_device **out,
                                            const v3doff_borrowed_vulkan *borrowed,
                                            const v3doff_device_info *info) {
    return creating(__func__, out, [&] {
        v3doff_borrowed_vulkan from = read_struct(borrowed, "borrowed");
        require_pointer(from.get_instance_proc_addr, "borrowed->get_instance_proc_addr");
        require_pointer(from.instance, "borrowed->instance");
        require_pointer(from.physical_device, "borrowed->physical_device");
        require_pointer(from.device, "borrowed->device");
        require_pointer(from.queue, "borrowed->queue");
        if (from.extension_count) require_pointer(from.extensions, "borrowed->extensions");
        if (!from.lock_queue != !from.unlock_queue)
            refuse("borrowed->lock_queue and unlock_queue: both or none");
        v3doff_device_info known = read_info(info);
        if (known.device) refuse("info->device: must be null for a borrowed device");
        if (known.mode == V3DOFF_MODE_CPU) refuse("info->mode: a borrowed device is a Vulkan one");
        auto vulkan = vk::Device::borrow(from, options_from(known));
        prepare(*vulkan, preparation_from(known));
        return hand_out(std::move(vulkan), known.memory);
    });
}

void v3doff_device_destroy(v3doff_device **device) {
    ending(__func__, device, [&] {
        resolve(*device, "device");
        refuse_in_callback();
        slots<v3doff_device>().take(std::exchange(*device, nullptr));
    });
}

v3doff_result v3doff_device_get_properties(v3doff_device *device,
                                           v3doff_device_properties *properties) {
    return guarded(__func__, [&] {
        auto &object = resolve(device, "device");
        v3doff_device_properties result = read_struct(properties, "properties");
        if (object->vulkan) {
            fill(result, object->vulkan->facts(), object->vulkan->caps());
        } else {
            result.kind = V3DOFF_DEVICE_KIND_NONE;
            result.usable = 1;
            copy_text(result.name, "CPU");
            copy_text(result.driver, "none");
        }
        result.memory = object->taken;
        copy_text(result.memory_reason, object->memory_reason);
        write_struct(properties, result);
        return V3DOFF_OK;
    });
}
