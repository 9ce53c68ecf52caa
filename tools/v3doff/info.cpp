// SPDX-License-Identifier: BSD-2-Clause
#include "commands.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "session.hpp"

namespace tool {
namespace {

using Json = nlohmann::ordered_json;

struct Findings {
    std::vector<v3doff_device_properties> devices;
    std::string problem; // why there are none
    bool opened = false;
    v3doff_device_properties chosen{};
    std::string refusal; // why none was opened
};

std::string version_text(uint32_t packed) {
    return fmt::format("{}.{}.{}", packed >> 22 & 0x7f, packed >> 12 & 0x3ff, packed & 0xfff);
}

Findings look(const DeviceChoice &choice) {
    Findings found;
    size_t count = 0;
    v3doff_result result = v3doff_device_list(nullptr, &count);
    if (result < 0) {
        found.problem = v3doff_result_text(result);
        return found;
    }
    found.devices.resize(count);
    for (auto &device : found.devices)
        device.struct_size = sizeof device;
    check(v3doff_device_list(found.devices.data(), &count), "listing devices");
    try {
        Device device = open_device(choice);
        found.chosen = properties_of(device.get());
        found.opened = true;
    } catch (const Failure &problem) {
        found.refusal = problem.what();
    }
    return found;
}

Json device_json(const v3doff_device_properties &device, size_t index) {
    return {{"index", index},
            {"name", device.name},
            {"driver", device.driver},
            {"kind", kind_name(device.kind)},
            {"uuid", uuid_text(device.uuid)},
            {"vendor_id", device.vendor_id},
            {"device_id", device.device_id},
            {"vulkan", version_text(device.api_version)},
            {"usable", device.usable != 0},
            {"missing", device.missing},
            {"limits",
             {{"subgroup_size", device.subgroup_size},
              {"storage_buffer_range", device.max_buffer_range},
              {"shared_memory", device.max_shared_bytes},
              {"push_constants", device.max_push_bytes},
              {"workgroup", device.max_group_size}}}};
}

Json to_json(const Findings &found) {
    Json json{{"library", library_version()}, {"devices", Json::array()}};
    if (!found.problem.empty()) json["problem"] = found.problem;
    for (size_t i = 0; i < found.devices.size(); i++)
        json["devices"].push_back(device_json(found.devices[i], i));
    if (found.opened)
        json["chosen"] = {{"name", found.chosen.name},
                          {"uuid", uuid_text(found.chosen.uuid)},
                          {"memory_path", memory_name(found.chosen.memory)},
                          {"memory_reason", found.chosen.memory_reason}};
    else
        json["chosen"] = nullptr;
    if (!found.refusal.empty()) json["refusal"] = found.refusal;
    return json;
}

void print(const Findings &found) {
    fmt::print("libv3doff {}\n", library_version());
    if (!found.problem.empty()) fmt::print("no GPU work here: {}\n", found.problem);
    for (size_t i = 0; i < found.devices.size(); i++) {
        const auto &device = found.devices[i];
        fmt::print("\ndevice {}: {} ({})\n", i, device.name, kind_name(device.kind));
        fmt::print("  driver      {}, Vulkan {}\n", device.driver,
                   version_text(device.api_version));
        fmt::print("  uuid        {}\n", uuid_text(device.uuid));
        fmt::print(
            "  limits      subgroup {}, workgroup {}, shared {} B, push {} B, buffer {} MiB\n",
            device.subgroup_size, device.max_group_size, device.max_shared_bytes,
            device.max_push_bytes, device.max_buffer_range >> 20);
        fmt::print("  usable      {}{}\n",
                   device.usable ? "yes" : "no, it lacks: ", device.missing);
    }
    if (found.opened)
        fmt::print("\nchosen: {}\n  memory path {} ({})\n", found.chosen.name,
                   memory_name(found.chosen.memory), found.chosen.memory_reason);
    else if (!found.refusal.empty())
        fmt::print("\nchosen: none. {}\n", found.refusal);
}

} // namespace

Json info_json(const DeviceChoice &choice, bool identities) {
    Json json = to_json(look(choice));
    if (identities) return json;
    for (Json &device : json["devices"])
        device.erase("uuid");
    if (json["chosen"].is_object()) json["chosen"].erase("uuid");
    return json;
}

void add_info(CLI::App &app, int &) {
    auto *command = app.add_subcommand(
        "info", "list devices, their limits, what they lack, and their memory path");
    auto choice = std::make_shared<DeviceChoice>();
    auto json = std::make_shared<bool>(false);
    add_device_option(command, *choice);
    command->add_flag("--json", *json, "print JSON");
    command->callback([choice, json] {
        if (*json)
            fmt::print("{}\n", info_json(*choice, true).dump(2));
        else
            print(look(*choice));
    });
}

} // namespace tool
