// SPDX-License-Identifier: BSD-2-Clause
// V3DOFF_FAULT=call:n: the nth call of a device's function that returns a VkResult fails.
#pragma once

#include "vk/functions.hpp"

namespace v3doff::vk {

// Puts a function before each of the table's that asks whether it is to fail. For tests with one
// driver in the process.
void make_calls_fail(DeviceFunctions &table);

} // namespace v3doff::vk
