// SPDX-License-Identifier: BSD-2-Clause
#include "vk/bad_devices.hpp"

#include <map>
#include <mutex>

namespace v3doff::vk {
namespace {

std::mutex mutex;

std::map<std::array<uint8_t, 16>, std::string> &reasons() {
    static std::map<std::array<uint8_t, 16>, std::string> map;
    return map;
}

} // namespace

bool register_bad(const std::array<uint8_t, 16> &uuid, const std::string &reason) {
    std::lock_guard lock(mutex);
    return reasons().emplace(uuid, reason).second;
}

std::string bad_reason(const std::array<uint8_t, 16> &uuid) {
    std::lock_guard lock(mutex);
    auto found = reasons().find(uuid);
    return found == reasons().end() ? std::string() : found->second;
}

} // namespace v3doff::vk
