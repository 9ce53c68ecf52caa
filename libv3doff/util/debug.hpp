// SPDX-License-Identifier: BSD-2-Clause
// What tests and measurements change and users do not: keys of V3DOFF_DEBUG="key=value,key=value".
// docs/testing.md describes them. The last value of a key counts. A key is declared in
// debug_keys.hpp of the folder that it concerns, and listed in api/debug_keys.cpp.
//
// Each text that the variable has had is parsed once. What is unknown in it is logged once, as soon
// as a key is asked for while a program takes warnings.
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

// All keys that there are. Called once, before a key is asked for; what is listed must stay.
void set_known(std::span<const Key *const> keys);

// Null where the key is not set, or to a value that it does not have. It stays until the process
// ends.
const char *text(const Key &key);

// The index of the value in the key's list.
std::optional<unsigned> choice(const Key &key);
bool switched(const Key &key, bool otherwise); // of a key that is off or on, in this order
std::optional<unsigned> number(const Key &key);

} // namespace v3doff::debug
