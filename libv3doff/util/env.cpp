// SPDX-License-Identifier: BSD-2-Clause
#include "util/env.hpp"

#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <functional>
#include <map>
#include <mutex>
#include <sys/auxv.h>
#include <unistd.h>

#include "util/log.hpp"

namespace v3doff::env {
namespace {

// The variables as they were read last. Never destroyed: threads may ask until the process ends.
struct Variables {
    std::mutex mutex;
    bool read = false;
    std::map<std::string, std::string, std::less<>> values;
};
Variables &variables() {
    static auto *instance = new Variables;
    return *instance;
}

bool is_ours(std::string_view name) {
    return name.starts_with("V3DOFF") || name == "HOME" || name == "XDG_CACHE_HOME";
}

// "NAME=value". The first value of a name counts.
void add_line(std::map<std::string, std::string, std::less<>> &values, std::string_view line) {
    const size_t equal = line.find('=');
    if (equal == line.npos || !is_ours(line.substr(0, equal))) return;
    values.emplace(line.substr(0, equal), line.substr(equal + 1));
}

// Without a stream of the standard library, whose locales take more memory than all of this.
std::string first_bytes(const char *file) {
    char text[4096];
    const int fd = open(file, O_RDONLY | O_CLOEXEC);
    const ssize_t bytes = fd < 0 ? 0 : ::read(fd, text, sizeof text);
    if (fd >= 0) close(fd);
    return bytes > 0 ? std::string(text, size_t(bytes)) : std::string();
}

} // namespace

bool has_other_rights() {
    return getauxval(AT_SECURE);
}

void read(const char *file) {
    std::map<std::string, std::string, std::less<>> values;
    for (char **each = environ; !has_other_rights() && each && *each; each++)
        add_line(values, *each);
    const std::string text = first_bytes(file);
    std::string_view rest = text;
    while (!rest.empty()) {
        const size_t end = std::min(rest.find('\n'), rest.size());
        if (rest.starts_with("V3DOFF")) add_line(values, rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    Variables &all = variables();
    std::lock_guard lock(all.mutex);
    all.values = std::move(values);
    all.read = true;
}

std::optional<std::string> text(const char *name) {
    Variables &all = variables();
    std::unique_lock lock(all.mutex);
    if (!all.read) {
        lock.unlock();
        read();
        lock.lock();
    }
    const auto found = all.values.find(std::string_view(name));
    if (found == all.values.end() || found->second.empty()) return std::nullopt;
    return found->second;
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
