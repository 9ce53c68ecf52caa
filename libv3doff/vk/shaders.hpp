// SPDX-License-Identifier: BSD-2-Clause
// The SPIR-V built into the library, from the table in shaders/meson.build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace v3doff::vk {

struct ShaderCode {
    const char *name;
    const uint32_t *words;
    size_t count;
};

std::span<const ShaderCode> shader_codes(); // generated

// Throws INTERNAL for a name that is not in the table.
uint32_t shader_index(std::string_view name);

using ShaderList = std::vector<uint32_t>; // by shader_index()
ShaderList joined(std::initializer_list<ShaderList> lists);

} // namespace v3doff::vk
