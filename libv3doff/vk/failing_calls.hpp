// SPDX-License-Identifier: BSD-2-Clause
// V3DOFF_FAULT=call:n: the nth call of a device's function that returns a VkResult fails.
#pragma once

#include "vk/functions.hpp"

namespace v3doff::vk {

// Replaces each function of the table by one that first asks whether it must fail. Only for tests
// with one driver in the process.
void make_calls_fail(DeviceFunctions &table);

} // namespace v3doff::vk
