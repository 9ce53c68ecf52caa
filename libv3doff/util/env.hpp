// SPDX-License-Identifier: BSD-2-Clause
// The environment. A value that makes no sense is logged once and then ignored; it is never fatal.
// Programs with the rights of another user (set-user-ID, capabilities) have no environment here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace v3doff::env {

// Whether this is such a program. It uses no device.
bool has_other_rights();

// An empty variable counts as unset.
std::optional<std::string> text(const char *name);

// The index of the variable's value among the names; any other value is logged.
std::optional<size_t> choice(const char *name, std::span<const std::string_view> names);

// A variable that is on or off, so that both cases can be tested on every device.
bool switched(const char *name, bool otherwise);

// A whole number from 1 to most; other text is logged.
std::optional<unsigned> number(const char *name, unsigned most);

} // namespace v3doff::env
