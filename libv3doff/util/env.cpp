// SPDX-License-Identifier: BSD-2-Clause
#include "util/env.hpp"

#include <charconv>
#include <cstdlib>
#include <sys/auxv.h>

#include "util/log.hpp"

namespace v3doff::env {

bool has_other_rights() {
    return getauxval(AT_SECURE);
}

std::optional<std::string> text(const char *name) {
    // Null in a program that runs with more rights than the user who set the variable.
    const char *value = secure_getenv(name);
    if (!value || !*value) return std::nullopt;
    return std::string(value);
}

std::optional<size_t> choice(const char *name, std::span<const std::string_view> names) {
    auto value = text(name);
    if (!value) return std::nullopt;
    std::string known;
    for (size_t i = 0; i < names.size(); i++) {
        if (names[i] == *value) return i;
        known += (i ? ", " : "") + std::string(names[i]);
    }
    LOG_WARNING_ONCE("%s=%.64s is not known and is ignored (known: %s)", name, value->c_str(),
                     known.c_str());
    return std::nullopt;
}

std::optional<unsigned> number(const char *name, unsigned most) {
    auto value = text(name);
    if (!value) return std::nullopt;
    unsigned number = 0;
    const char *end = value->data() + value->size();
    auto [last, error] = std::from_chars(value->data(), end, number);
    if (error == std::errc() && last == end && number > 0 && number <= most) return number;
    LOG_WARNING_ONCE("%s=%.64s is not a number from 1 to %u and is ignored", name, value->c_str(),
                     most);
    return std::nullopt;
}

bool switched(const char *name, bool otherwise) {
    static constexpr std::string_view names[] = {"off", "on"};
    const auto chosen = choice(name, names);
    return chosen ? *chosen == 1 : otherwise;
}

} // namespace v3doff::env
