// SPDX-License-Identifier: BSD-2-Clause
// The pipeline cache on disk. Drivers differ in how well they check what they are given, so a
// file is handed to the driver only when it is whole and was written for this very device, driver
// and library.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vk/facts.hpp"

namespace v3doff::vk {

std::string pipeline_file_path(const std::string &folder, const Facts &facts);

// The driver's part of such a file; empty if the file is damaged or foreign.
std::vector<uint8_t> pipeline_data(std::span<const uint8_t> file, const Facts &facts);

// Empty if the file is absent, damaged or foreign, or if another user may have written it. Each
// reason but the first is logged.
std::vector<uint8_t> read_pipeline_file(const std::string &path, const Facts &facts);

// Empty, or why it could not be written. After such a failure the folder is not used any more.
std::string write_pipeline_file(const std::string &path, const Facts &facts,
                                std::span<const uint8_t> data);

} // namespace v3doff::vk
