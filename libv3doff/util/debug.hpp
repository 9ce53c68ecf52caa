// SPDX-License-Identifier: BSD-2-Clause
// Keys that only tests and measurements need, not users: V3DOFF_DEBUG="key=value,key=value".
// docs/testing.md describes them. If a key is repeated, its last value counts. A key is declared in
// debug_keys.hpp of the folder that it concerns, and listed in api/debug_keys.cpp.
//
// Each text of the variable is parsed once. Unknown keys and values in it are logged once, when a
// key is asked for and a program takes warnings.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace v3doff::debug {

struct Key {
    std::string_view name;
    std::array<std::string_view, 4> values; // none: a number
};

// All keys. Called once, before anybody asks for a key. The list must stay valid.
void set_known(std::span<const Key *const> keys);

// Null if the key is not set, or set to a value that it does not have. The text stays valid until
// the process ends.
const char *text(const Key &key);

// The index of the value in the key's list.
std::optional<unsigned> choice(const Key &key);
bool switched(const Key &key, bool otherwise); // for keys with the values off, on
std::optional<unsigned> number(const Key &key);

} // namespace v3doff::debug
