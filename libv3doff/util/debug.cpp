// SPDX-License-Identifier: BSD-2-Clause
#include "util/debug.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <list>
#include <mutex>
#include <string>

#include "util/env.hpp"
#include "util/log.hpp"

namespace v3doff::debug {
namespace {

constexpr const char *variable = "V3DOFF_DEBUG";
constexpr size_t key_count = size_t(Key::count);

struct Known {
    std::string_view name;
    std::array<std::string_view, 4> values; // none: a number
};

// In the order of Key.
constexpr std::array<Known, key_count> known = {{
    {"copy_out", {"all", "changed"}},
    {"dsp", {"auto", "force", "cpu"}},
    {"dump_pictures", {}},
    {"local_memory", {"off", "on"}},
    {"merge_submits", {"off", "on"}},
    {"piece_bytes", {}},
    {"submit_thread", {"off", "on"}},
    {"uncached_reads", {"off", "on"}},
    {"vp9_loopfilter", {"fewest", "wave", "cuts", "cuts-phased"}},
    {"band_rows", {}},
    {"open", {"wait"}},
    {"vp9_passes", {"1", "2"}},
    {"vp9_transforms", {"none", "large", "all"}},
}};

std::optional<unsigned> parse_number(std::string_view text) {
    unsigned number = 0;
    const char *end = text.data() + text.size();
    auto [last, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || last != end) return std::nullopt;
    return number;
}

std::optional<unsigned> index_of(const Known &key, std::string_view value) {
    for (unsigned i = 0; i < key.values.size() && !key.values[i].empty(); i++)
        if (key.values[i] == value) return i;
    return std::nullopt;
}

bool suits(const Known &key, std::string_view value) {
    return key.values[0].empty() ? parse_number(value).has_value()
                                 : index_of(key, value).has_value();
}

struct Settings {
    std::string whole; // the variable
    std::array<std::optional<std::string>, key_count> value;
    std::string unknown; // what was not understood, with commas
    mutable std::atomic<bool> named{false};

    explicit Settings(const std::string &text) : whole(text) {
        std::string_view rest = whole;
        while (!rest.empty()) {
            const size_t comma = rest.find(',');
            parse_item(rest.substr(0, comma));
            rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
        }
    }

    void parse_item(std::string_view item) {
        if (item.empty()) return;
        const size_t equal = std::min(item.find('='), item.size());
        const std::string_view name = item.substr(0, equal);
        const std::string_view wanted = item.substr(std::min(equal + 1, item.size()));
        for (size_t i = 0; i < key_count; i++) {
            if (known[i].name != name) continue;
            if (!suits(known[i], wanted)) break;
            value[i] = wanted;
            return;
        }
        unknown += (unknown.empty() ? "" : ",") + std::string(item);
    }

    // Once, and not before a program listens: FFmpeg asks for a key before it sets its log.
    void name_unknown() const {
        if (unknown.empty() || !log::wanted(V3DOFF_LOG_WARNING) || named.exchange(true)) return;
        LOG_WARNING("%s: not known, or without such a value, and ignored: %.200s", variable,
                    unknown.c_str());
    }
};

// A list, and never freed: values stay where they are, also for threads that outlive main().
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
    now.name_unknown(); // without the lock: whoever takes the line may ask for a key
    return now;
}

} // namespace

const char *text(Key key) {
    const auto &value = settings().value[size_t(key)];
    return value ? value->c_str() : nullptr;
}

const char *text(std::string_view key) {
    for (size_t i = 0; i < key_count; i++)
        if (known[i].name == key) return text(Key(i));
    return nullptr;
}

std::optional<unsigned> choice(Key key) {
    const char *value = text(key);
    return value ? index_of(known[size_t(key)], value) : std::nullopt;
}

bool switched(Key key, bool otherwise) {
    return choice(key).value_or(otherwise) == 1;
}

std::optional<unsigned> number(Key key) {
    const char *value = text(key);
    return value ? parse_number(value) : std::nullopt;
}

} // namespace v3doff::debug
