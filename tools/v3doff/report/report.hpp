// SPDX-License-Identifier: BSD-2-Clause
// What a machine tells about itself for the project: sections of one JSON. Nothing in it says whose
// machine it is. A section that cannot be had throws, and its place says why.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>

#include "session.hpp"

namespace tool::report {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

// Kernel, distribution, processor, memory, and who may open the dma-buf devices.
Json system_facts();

// Of the driver itself, not through the library: what a submit and a dispatch cost, and how fast
// the CPU reads and writes each kind of its memory.
Json driver_facts(const v3doff_device_properties &device);

// How fast the CPU reads and writes pictures of each memory path, and what it costs to give a
// picture to the GPU and take it back.
Json memory_facts(const DeviceChoice &choice);

// The pictures that the program carries, a frame of a real stream of each codec: GPU time of each
// pass.
Json stored_pictures(v3doff_device *device);

// Speed of the CPU at memory that it is given, in MB/s.
Json bandwidth(std::byte *data, size_t bytes);

Json median_of(std::vector<double> values);

} // namespace tool::report
