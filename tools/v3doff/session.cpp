// SPDX-License-Identifier: BSD-2-Clause
#include "session.hpp"

#include <fmt/format.h>

namespace tool {

Device open_device(const DeviceChoice &choice) {
    v3doff_device_info info{};
    info.struct_size = sizeof info;
    info.mode = choice.mode;
    info.select = choice.select.empty() ? nullptr : choice.select.c_str();
    info.memory = choice.memory;
    info.flags = choice.timers ? V3DOFF_DEVICE_TIMERS : 0;
    info.cache_dir = choice.no_cache ? "" : nullptr;
    v3doff_device *device = nullptr;
    check(v3doff_device_create(&device, &info), "opening the device");
    return Device(device);
}

Device open_cpu() {
    DeviceChoice choice;
    choice.mode = V3DOFF_MODE_CPU;
    return open_device(choice);
}

v3doff_device_properties properties_of(v3doff_device *device) {
    v3doff_device_properties properties{};
    properties.struct_size = sizeof properties;
    check(v3doff_device_get_properties(device, &properties), "device properties");
    return properties;
}

Pool make_pool(v3doff_device *device, uint32_t width, uint32_t height, uint32_t bit_depth,
               v3doff_chroma chroma) {
    v3doff_pool_info info{};
    info.struct_size = sizeof info;
    info.width = width;
    info.height = height;
    info.bit_depth = bit_depth;
    info.chroma = chroma;
    v3doff_pool *pool = nullptr;
    check(v3doff_pool_create(&pool, device, &info), "making a pool");
    return Pool(pool);
}

Picture open_picture(v3doff_pool *pool, const v3doff_planes *planes) {
    v3doff_picture *picture = nullptr;
    check(v3doff_picture_open(&picture, pool, planes), "opening a picture");
    return Picture(picture);
}

v3doff_planes planes_of(v3doff_picture *picture) {
    v3doff_planes planes{};
    planes.struct_size = sizeof planes;
    check(v3doff_picture_get_planes(picture, &planes), "planes of a picture");
    return planes;
}

v3doff_picture_report run_picture(v3doff_picture *picture, v3doff_executor expected) {
    check(v3doff_picture_submit(picture, nullptr), "submit");
    check(v3doff_picture_wait(picture, UINT64_MAX), "wait");
    v3doff_picture_report report{};
    report.struct_size = sizeof report;
    check(v3doff_picture_get_report(picture, &report), "report");
    if (report.executor != expected)
        throw std::runtime_error(fmt::format("the work was done on the {}, not on the {} ({})",
                                             report.executor == V3DOFF_EXECUTOR_GPU ? "GPU" : "CPU",
                                             expected == V3DOFF_EXECUTOR_GPU ? "GPU" : "CPU",
                                             report.reason));
    return report;
}

std::string library_version() {
    const uint32_t version = v3doff_version();
    return fmt::format("{}.{}.{}", version >> 16, version >> 8 & 0xff, version & 0xff);
}

const char *memory_name(v3doff_memory_path path) {
    switch (path) {
    case V3DOFF_MEMORY_AUTO:
        return "auto";
    case V3DOFF_MEMORY_UDMABUF:
        return "udmabuf";
    case V3DOFF_MEMORY_DMA_HEAP:
        return "dma-heap";
    case V3DOFF_MEMORY_HOST_IMPORT:
        return "host-import";
    case V3DOFF_MEMORY_HOST_CACHED:
        return "host-cached";
    case V3DOFF_MEMORY_STAGING:
        return "staging";
    case V3DOFF_MEMORY_CPU:
        return "cpu";
    }
    return "unknown";
}

const char *kind_name(v3doff_device_kind kind) {
    switch (kind) {
    case V3DOFF_DEVICE_KIND_DISCRETE:
        return "discrete";
    case V3DOFF_DEVICE_KIND_INTEGRATED:
        return "integrated";
    case V3DOFF_DEVICE_KIND_VIRTUAL:
        return "virtual";
    case V3DOFF_DEVICE_KIND_SOFTWARE:
        return "software";
    case V3DOFF_DEVICE_KIND_NONE:
        return "none";
    default:
        return "other";
    }
}

std::string uuid_text(const uint8_t (&uuid)[16]) {
    std::string text;
    for (int i = 0; i < 16; i++)
        text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
    return text;
}

void log_to_stderr(v3doff_log_level level) {
    v3doff_log_add([](void *, v3doff_log_level,
                      const char *line) { fmt::print(stderr, "v3doff: {}\n", line); },
                   nullptr, level);
}

} // namespace tool
