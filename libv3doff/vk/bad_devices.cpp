// SPDX-License-Identifier: BSD-2-Clause
#include "vk/bad_devices.hpp"

#include <algorithm>
#include <cstdio>
#include <mutex>

namespace v3doff::vk {
namespace {

// Nothing here is allocated or destroyed: a device can fail while there is no memory, and while the
// process ends.
struct BadDevice {
    std::array<uint8_t, 16> uuid;
    char reason[192];
};
std::mutex mutex;
std::array<BadDevice, 16> devices; // more than a machine has
size_t count = 0;

// Needs the mutex.
const BadDevice *find(const std::array<uint8_t, 16> &uuid) {
    const auto end = devices.begin() + ptrdiff_t(count);
    const auto found = std::find_if(devices.begin(), end,
                                    [&](const BadDevice &each) { return each.uuid == uuid; });
    return found == end ? nullptr : &*found;
}

} // namespace

bool register_bad(const std::array<uint8_t, 16> &uuid, const char *reason) {
    std::lock_guard lock(mutex);
    if (find(uuid)) return false;
    BadDevice &added = devices[std::min(count, devices.size() - 1)];
    added.uuid = uuid;
    std::snprintf(added.reason, sizeof added.reason, "%s", reason);
    count = std::min(count + 1, devices.size());
    return true;
}

std::string bad_reason(const std::array<uint8_t, 16> &uuid) {
    std::lock_guard lock(mutex);
    const BadDevice *found = find(uuid);
    return found ? found->reason : std::string();
}

} // namespace v3doff::vk
