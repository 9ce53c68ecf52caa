// SPDX-License-Identifier: BSD-2-Clause
// A dump's work on the CPU, as `v3doff replay` does it.
#pragma once

#include "dump_planes.hpp"

namespace fuzz {

inline v3doff_device *cpu() {
    static const tool::Device device = [] {
        tool::DeviceChoice choice;
        choice.mode = V3DOFF_MODE_CPU;
        return tool::open_device(choice);
    }();
    return device.get();
}

// Refusals are what is expected of most inputs.
inline void replay(const std::vector<uint8_t> &file) {
    constexpr uint32_t most_side = 512; // what the CPU does soon enough
    try {
        const tool::DumpFile dump(file);
        const auto &header = dump.header();
        if (header.width > most_side || header.height > most_side) return;
        tool::DumpPlanes memory(dump);
        tool::Picture picture = memory.open(cpu());
        try {
            dump.record(picture.get(), cpu());
        } catch (const std::runtime_error &) { // what was recorded before counts
        }
        tool::run_picture(picture.get(), V3DOFF_EXECUTOR_CPU);
        (void)memory.compare(std::move(picture));
    } catch (const std::runtime_error &) {
    }
}

} // namespace fuzz
