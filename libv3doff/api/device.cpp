// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <utility>

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "util/env.hpp"
#include "util/process.hpp"
#include "v3doff/vulkan.h"
#include "vk/bad_devices.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

constexpr uint32_t known_flags = V3DOFF_DEVICE_TIMERS | V3DOFF_DEVICE_KEEP;

void copy_text(char (&to)[256], const std::string &from) {
    std::snprintf(to, sizeof to, "%s", from.c_str());
}

v3doff_device_info read_info(const v3doff_device_info *from) {
    process::watch_main_thread();
    v3doff_device_info info{};
    if (from) info = read_struct(from, "info");
    if (info.mode < V3DOFF_MODE_AUTO || info.mode > V3DOFF_MODE_CPU) refuse("info->mode: unknown");
    if (info.flags & ~known_flags) refuse("info->flags: unknown bits");
    if (info.memory < V3DOFF_MEMORY_AUTO || info.memory > V3DOFF_MEMORY_CPU)
        refuse("info->memory: unknown");
    if (info.prepare >> V3DOFF_FAMILIES) refuse("info->prepare: unknown bits");
    if (info.prepare && (info.prepare_bit_depth < 8 || info.prepare_bit_depth > 14))
        refuse("info->prepare_bit_depth: not from 8 to 14");
    if (info.prepare_chroma < V3DOFF_CHROMA_400 || info.prepare_chroma > V3DOFF_CHROMA_440)
        refuse("info->prepare_chroma: unknown");
    return info;
}

DeviceRequest read_request(const v3doff_device_info *from) { // null: automatic
    return device_request(read_info(from));
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

} // namespace

v3doff_result v3doff_device_list(v3doff_device_properties *list, size_t *count) {
    return on_device(__func__, [&] {
        require_pointer(count, "count");
        env::read();
        auto candidates = vk::Instance::list();
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
        return slots<v3doff_device>().give(open_device(read_request(info)));
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
        const v3doff_device_info known = read_info(info);
        if (known.mode == V3DOFF_MODE_CPU) refuse("info->mode: a borrowed device is a Vulkan one");
        return slots<v3doff_device>().give(borrow_device(from, device_request(known)));
    });
}

void v3doff_device_destroy(v3doff_device **device) {
    ending(__func__, device, [&] {
        resolve(*device, "device");
        refuse_in_callback();
        slots<v3doff_device>().take(std::exchange(*device, nullptr));
    });
}

void api::write_properties(const OpenDevice &device, v3doff_device_properties *properties) {
    v3doff_device_properties result = read_struct(properties, "properties");
    if (device.vulkan) {
        fill(result, device.vulkan->facts(), device.vulkan->caps());
    } else {
        result.kind = V3DOFF_DEVICE_KIND_NONE;
        result.usable = 1;
        copy_text(result.name, "CPU");
        copy_text(result.driver, "none");
    }
    result.memory = device.taken;
    copy_text(result.memory_reason, device.memory_reason);
    write_struct(properties, result);
}

v3doff_result v3doff_device_get_properties(v3doff_device *device,
                                           v3doff_device_properties *properties) {
    return guarded(__func__, [&] {
        write_properties(*resolve(device, "device"), properties);
        return V3DOFF_OK;
    });
}
