// SPDX-License-Identifier: BSD-2-Clause
#include "util/debug.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <list>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "util/env.hpp"
#include "util/log.hpp"

namespace v3doff::debug {
namespace {

constexpr const char *variable = "V3DOFF_DEBUG";
std::span<const Key *const> known; // set when the library is loaded

std::optional<unsigned> parse_number(std::string_view text) {
    unsigned number = 0;
    const char *end = text.data() + text.size();
    auto [last, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || last != end) return std::nullopt;
    return number;
}

std::optional<unsigned> index_of(const Key &key, std::string_view value) {
    for (unsigned i = 0; i < key.values.size() && !key.values[i].empty(); i++)
        if (key.values[i] == value) return i;
    return std::nullopt;
}

bool suits(const Key &key, std::string_view value) {
    return key.values[0].empty() ? parse_number(value).has_value()
                                 : index_of(key, value).has_value();
}

struct Settings {
    std::string whole;                                       // the variable
    std::vector<std::pair<const Key *, std::string>> values; // the last one of each key
    std::string unknown;                                     // with commas
    mutable std::atomic<bool> named{false};

    explicit Settings(const std::string &text) : whole(text) {
        std::string_view rest = whole;
        while (!rest.empty()) {
            const size_t comma = rest.find(',');
            parse_item(rest.substr(0, comma));
            rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
        }
    }

    const std::string *value_of(const Key &key) const {
        for (const auto &[set, value] : values)
            if (set->name == key.name) return &value;
        return nullptr;
    }

    void parse_item(std::string_view item) {
        if (item.empty()) return;
        const size_t equal = std::min(item.find('='), item.size());
        const std::string_view name = item.substr(0, equal);
        const std::string_view wanted = item.substr(std::min(equal + 1, item.size()));
        const auto key = std::find_if(known.begin(), known.end(),
                                      [&](const Key *each) { return each->name == name; });
        if (key == known.end() || !suits(**key, wanted)) {
            unknown += (unknown.empty() ? "" : ",") + std::string(item);
            return;
        }
        std::erase_if(values, [&](const auto &earlier) { return earlier.first == *key; });
        values.emplace_back(*key, wanted);
    }

    // Logs it once, and only when a program listens: FFmpeg asks for a key before it sets its log.
    void name_unknown() const {
        if (unknown.empty() || !log::wanted(V3DOFF_LOG_WARNING) || named.exchange(true)) return;
        LOG_WARNING("%s: unknown key or value, ignored: %.200s", variable, unknown.c_str());
    }
};

// A list that is never freed: values keep their addresses, even for threads that outlive main().
const Settings &parsed_once(const std::string &text) {
    static auto &mutex = *new std::mutex;
    static auto &parsed = *new std::list<Settings>;
    std::lock_guard lock(mutex);
    const auto found = std::find_if(parsed.begin(), parsed.end(),
                                    [&](const Settings &each) { return each.whole == text; });
    return found != parsed.end() ? *found : parsed.emplace_back(text);
}

const Settings &settings() {
    const Settings &now = parsed_once(env::text(variable).value_or(""));
    now.name_unknown(); // without the lock: the log's callback may ask for a key
    return now;
}

} // namespace

void set_known(std::span<const Key *const> keys) {
    known = keys;
}

const char *text(const Key &key) {
    const std::string *value = settings().value_of(key);
    return value ? value->c_str() : nullptr;
}

std::optional<unsigned> choice(const Key &key) {
    const char *value = text(key);
    return value ? index_of(key, value) : std::nullopt;
}

bool switched(const Key &key, bool otherwise) {
    return choice(key).value_or(otherwise) == 1;
}

std::optional<unsigned> number(const Key &key) {
    const char *value = text(key);
    return value ? parse_number(value) : std::nullopt;
}

} // namespace v3doff::debug
