// SPDX-License-Identifier: BSD-2-Clause
#include "util/fault.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include "util/env.hpp"
#include "util/log.hpp"

namespace v3doff::fault {
namespace {

constexpr std::array<std::string_view, size_t(Point::count)> names = {
    "loader",   "create_device", "allocate",    "host_import",  "pipeline", "submit",
    "lost",     "hang",          "barrier",     "call",         "order",    "small_buffers",
    "uncached", "kind",          "idle",        "wrong_shader", "wrong",    "wait",
    "late",     "slow_open",     "slow_shader", "turns",        "awaited",  "switching"};

struct Plan {
    bool armed = false;
    unsigned nth = 0; // 0: every time
    unsigned seen = 0;
    uint64_t random = 0; // of the points with a seed
    bool failing = false;
};

// A run of failures begins with a chance of one in eight, and ends with one in two. So some
// pictures have three references that all came without a failure. The generator is Marsaglia's
// xorshift64.
bool fails_at_random(Plan &plan) {
    plan.random ^= plan.random << 13;
    plan.random ^= plan.random >> 7;
    plan.random ^= plan.random << 17;
    if (!(plan.random >> 40 & (plan.failing ? 1 : 7))) plan.failing = !plan.failing;
    return plan.failing;
}

std::mutex mutex;
std::array<Plan, names.size()> plans;
std::atomic<bool> any{false};
std::once_flag loaded;

void parse_item(std::string_view item) {
    std::string_view name = item.substr(0, item.find(':'));
    for (size_t i = 0; i < names.size(); i++) {
        if (names[i] != name) continue;
        unsigned nth = 0;
        if (name.size() < item.size())
            nth = unsigned(
                std::strtoul(std::string(item.substr(name.size() + 1)).c_str(), nullptr, 10));
        plans[i] = {true, nth, 0, (nth + 1) * 0x9e3779b97f4a7c15ull, false};
        any = true;
        return;
    }
    LOG_WARNING("V3DOFF_FAULT: no such point: %.*s", int(item.size()), item.data());
}

void load() {
    std::lock_guard lock(mutex);
    plans = {};
    any = false;
    std::string text = env::text("V3DOFF_FAULT").value_or("");
    std::string_view rest = text;
    while (!rest.empty()) {
        size_t comma = rest.find(',');
        parse_item(rest.substr(0, comma));
        rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
    }
}

} // namespace

void reload() {
    env::read();
    load();
}

bool hit(Point point) {
    std::call_once(loaded, load);
    if (!any.load(std::memory_order_relaxed)) return false;
    std::lock_guard lock(mutex);
    Plan &plan = plans[size_t(point)];
    if (!plan.armed) return false;
    if (point == Point::switching) return fails_at_random(plan);
    plan.seen++;
    return plan.nth == 0 || plan.seen == plan.nth;
}

bool armed(Point point) {
    std::call_once(loaded, load);
    if (!any.load(std::memory_order_relaxed)) return false;
    std::lock_guard lock(mutex);
    return plans[size_t(point)].armed;
}

} // namespace v3doff::fault
