// SPDX-License-Identifier: BSD-2-Clause
// What follows from a device's facts: whether it can be used, in which order to try the memory
// paths, and its quirks. Only files caps* may name a vendor or a driver.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "v3doff/v3doff.h"
#include "vk/facts.hpp"

namespace v3doff::vk {

// The limits that the shaders are written for. V3D 7.1 has exactly these (docs/architecture.md).
inline constexpr uint32_t min_group_size = 256;
inline constexpr uint32_t min_shared_bytes = 16384;
inline constexpr uint32_t push_bytes = 128;

struct Caps {
    std::string missing; // empty: usable
    v3doff_device_kind kind = V3DOFF_DEVICE_KIND_OTHER;
    bool software = false;
    unsigned submit_timeout_ms = 2000;            // where the caller set none
    std::vector<v3doff_memory_path> memory_paths; // best first, STAGING always last
    std::string memory_reason;                    // why the first of them
    // The CPU may read results from uncached memory. Only the environment sets this, for the driver
    // without hardware, which computes nothing.
    bool uncached_reads = false;
    // The desktop uses the same GPU, and a dispatch cannot be interrupted. So passes over a picture
    // of more bytes are cut into pieces of this size. 0: never.
    size_t piece_bytes = 0;
    // Shaders reach the CPU's memory over a bus. It pays to copy a picture into the device's own
    // memory for its passes, and back.
    bool passes_in_local_memory = false;
    // Runs tens of thousands of invocations at a time: short chains matter, not few instructions.
    bool is_discrete = false;

    bool operator==(const Caps &) const = default;
};

Caps judge(const Facts &facts);

// Whether some GPU's device node exists, or this process can open it. Without one there can only be
// devices in software. Neither the loader nor a driver is needed to find that out.
enum class Node { exists, opens };
bool has_gpu_node(Node must);

// In the order of v3doff_memory_path.
inline constexpr std::array<std::string_view, 7> memory_path_names = {
    "auto", "udmabuf", "dma-heap", "host-import", "host-cached", "staging", "cpu"};
inline const char *memory_path_name(v3doff_memory_path path) {
    return memory_path_names[size_t(path)].data();
}

} // namespace v3doff::vk
