// SPDX-License-Identifier: BSD-2-Clause
// The environment: nonsense in it is named in the log, once, and then ignored, never fatal.
// Programs with the rights of another user (set-user-ID, capabilities) have no environment here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace v3doff::env {

// Unset and empty are the same.
std::optional<std::string> text(const char *name);

// The index of the variable's value among the names; a value that is none of them is logged.
std::optional<size_t> choice(const char *name, std::span<const std::string_view> names);

// on or off: both ways can be tested on every device.
bool switched(const char *name, bool otherwise);

// A whole number from 1 to most; other text is logged.
std::optional<unsigned> number(const char *name, unsigned most);

} // namespace v3doff::env
