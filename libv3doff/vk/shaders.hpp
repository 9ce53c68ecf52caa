// SPDX-License-Identifier: BSD-2-Clause
// The SPIR-V built into the library, from the table in shaders/meson.build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace v3doff::vk {

struct ShaderCode {
    const char *name;
    const uint32_t *words;
    size_t count;
};

std::span<const ShaderCode> shader_codes(); // generated

// Throws INTERNAL for a name that is not in the table.
uint32_t shader_index(std::string_view name);

} // namespace v3doff::vk
