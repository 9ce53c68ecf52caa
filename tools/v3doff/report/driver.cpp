// SPDX-License-Identifier: BSD-2-Clause
#include <ctime>
#include <fmt/format.h>

#include "report/report.hpp"
#include "report/vulkan.hpp"

namespace tool::report {
namespace {

constexpr unsigned submits = 50, warm_up_submits = 5;

double cpu_us(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return double(now.tv_sec) * 1e6 + double(now.tv_nsec) / 1e3;
}

// cpu: of the calling thread in the call; process: of all threads, the driver's too, until done.
Json submit_times(Vulkan &vulkan, unsigned dispatches) {
    std::vector<double> cpu, wall, done, process;
    vulkan.record(dispatches);
    for (unsigned i = 0; i < submits + warm_up_submits; i++) {
        const double thread_start = cpu_us(CLOCK_THREAD_CPUTIME_ID);
        const double process_start = cpu_us(CLOCK_PROCESS_CPUTIME_ID);
        const auto start = Clock::now();
        auto elapsed = [&] {
            return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
        };
        vulkan.submit();
        const double called = elapsed();
        const double thread_end = cpu_us(CLOCK_THREAD_CPUTIME_ID);
        vulkan.wait();
        if (i < warm_up_submits) continue;
        done.push_back(elapsed());
        wall.push_back(called);
        cpu.push_back(thread_end - thread_start);
        process.push_back(cpu_us(CLOCK_PROCESS_CPUTIME_ID) - process_start);
    }
    return {{"dispatches", dispatches},
            {"call_cpu_us", median_of(cpu)},
            {"call_us", median_of(wall)},
            {"done_us", median_of(done)},
            {"process_cpu_us", median_of(process)}};
}

double median(const Json &spread) {
    return spread["median"].get<double>();
}

Json submits_and_dispatches(Vulkan &vulkan) {
    Json json{{"submits", submits}, {"times", Json::array()}};
    for (unsigned dispatches : {0u, 1u, 4u, 16u})
        json["times"].push_back(submit_times(vulkan, dispatches));
    // The cost of one more dispatch, from the difference between 1 and 16.
    const Json one = json["times"][1], many = json["times"][3]; // copies: adding keys moves them
    for (const char *name : {"done_us", "process_cpu_us"})
        json[std::string("one_more_dispatch_") + name] =
            (median(many[name]) - median(one[name])) / 15;
    return json;
}

std::string flags_text(VkMemoryPropertyFlags flags) {
    std::string text;
    auto add = [&](VkMemoryPropertyFlags bit, const char *name) {
        if (flags & bit) text += (text.empty() ? "" : " ") + std::string(name);
    };
    add(VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, "device-local");
    add(VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, "coherent");
    add(VK_MEMORY_PROPERTY_HOST_CACHED_BIT, "cached");
    return text;
}

Json memory_types(Vulkan &vulkan) {
    constexpr size_t bytes = 2 << 20;
    Json list = Json::array();
    const auto &memory = vulkan.memory();
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++) {
        const VkMemoryPropertyFlags flags = memory.memoryTypes[i].propertyFlags;
        if (!(flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)) continue;
        Json type{{"type", i}, {"flags", flags_text(flags)}};
        if (void *data = vulkan.map(i, bytes))
            type.update(bandwidth(static_cast<std::byte *>(data), bytes));
        else
            type["problem"] = "unavailable";
        vulkan.unmap();
        list.push_back(std::move(type));
    }
    return list;
}

} // namespace

Json driver_facts(const v3doff_device_properties &device) {
    Vulkan vulkan(device.uuid);
    return {{"submit", submits_and_dispatches(vulkan)}, {"memory_types", memory_types(vulkan)}};
}

} // namespace tool::report
