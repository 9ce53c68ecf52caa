// SPDX-License-Identifier: BSD-2-Clause
// What the project needs to know about a machine: sections of one JSON. Nothing identifies the
// machine's owner. A section that is unavailable throws, and the report has the reason in its
// place.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>

#include "session.hpp"

namespace tool::report {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

// Kernel, distribution, processor, memory, and who may open the dma-buf devices.
Json system_facts();

// Measured on the driver, without the library: what a submit and a dispatch cost, and how fast the
// CPU reads and writes each kind of the driver's memory.
Json driver_facts(const v3doff_device_properties &device);

// How fast the CPU reads and writes pictures of each memory path, and what it costs to give a
// picture to the GPU and take it back.
Json memory_facts(const DeviceChoice &choice);

// GPU time of each pass for the pictures in the program, a frame of a real stream for each codec.
Json stored_pictures(v3doff_device *device);

// How fast the CPU reads and writes this memory, in MB/s.
Json bandwidth(std::byte *data, size_t bytes);

Json median_of(std::vector<double> values);

} // namespace tool::report
