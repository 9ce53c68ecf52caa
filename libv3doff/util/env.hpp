// SPDX-License-Identifier: BSD-2-Clause
// The environment. A value that makes no sense is logged once and then ignored; it is never fatal.
// Programs with the rights of another user (set-user-ID, capabilities) have no environment here.
//
// getenv() races with setenv() of other threads, which programs may call while they decode. So all
// variables are read once, by the first who asks, and again only if a program asks for it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace v3doff::env {

// Reads all variables again. What the environment lacks is taken from the file, which has lines
// "NAME=value": desktop programs and services rarely get an environment of their user's choice.
void read(const char *file = "/etc/v3doff.conf");

// Whether this is a program with the rights of another user. It uses no device.
bool has_other_rights();

// As read last. An empty variable counts as unset.
std::optional<std::string> text(const char *name);

// The index of the variable's value among the names; any other value is logged.
std::optional<size_t> choice(const char *name, std::span<const std::string_view> names);

// A variable that is on or off, so that both cases can be tested on every device.
bool switched(const char *name, bool otherwise);

// A whole number from 1 to most; other text is logged.
std::optional<unsigned> number(const char *name, unsigned most);

} // namespace v3doff::env
