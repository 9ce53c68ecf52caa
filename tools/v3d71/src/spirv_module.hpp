// SPDX-License-Identifier: BSD-2-Clause
// Everything needed to make a pipeline from a SPIR-V compute module without knowing its source.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <volk.h>

namespace v3doff::v3d71 {

struct Binding {
    uint32_t set;
    uint32_t binding;
    uint32_t count;
    VkDescriptorType type;
};

struct Module {
    std::vector<uint32_t> words;
    std::vector<Binding> bindings;
    bool push_constants = false;
    std::string entry = "main";
    std::array<uint32_t, 3> local_size{0, 0, 0};
};

using SpecConstants = std::map<uint32_t, uint32_t>; // constant id -> value

// Throws std::runtime_error if the file cannot be read or is not SPIR-V. The workgroup size
// takes `spec` into account.
Module load_module(const std::string &path, const SpecConstants &spec);

} // namespace v3doff::v3d71
