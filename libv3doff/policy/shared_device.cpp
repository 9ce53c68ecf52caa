// SPDX-License-Identifier: BSD-2-Clause
#include "policy/shared_device.hpp"

#include <algorithm>
#include <vector>

#include "util/log.hpp"
#include "util/process.hpp"

namespace v3doff {

struct SharedDevice::All {
    std::mutex mutex;
    std::array<SharedDevice, V3DOFF_MODE_FORCE + 1> own; // by mode
    std::vector<std::unique_ptr<SharedDevice>> lent;
};

SharedDevice::All &SharedDevice::all() {
    static auto *instance = new All; // outlives every static of the program
    return *instance;
}

SharedDevice::User SharedDevice::join(v3doff_mode mode, std::shared_ptr<const OpenDevice> lent,
                                      bool begin) {
    Lock lock(all().mutex);
    SharedDevice *found = &all().own[mode];
    if (lent) {
        auto &known = all().lent;
        auto at = std::find_if(known.begin(), known.end(),
                               [&](const auto &each) { return each->device_ == lent; });
        if (at == known.end()) {
            at = known.insert(at, std::make_unique<SharedDevice>());
            (*at)->device_ = std::move(lent);
        }
        found = at->get();
    } else if (found->failed_ || (!begin && !found->device_)) {
        return nullptr;
    }
    found->mode_ = mode;
    found->users_++;
    return User(found);
}

// What takes long comes after the mutex is released, so that no other stream waits for it.
void SharedDevice::Leave::operator()(SharedDevice *device) const noexcept {
    std::unique_ptr<SharedDevice> lent;
    std::shared_ptr<const OpenDevice> released;
    std::shared_ptr<Opening> opening;
    {
        const Lock lock(all().mutex);
        if (--device->users_) return;
        released = std::move(device->device_);
        opening = std::move(device->opening_);
        device->prepared_count_ = 0;
        auto &known = all().lent;
        const auto at = std::find_if(known.begin(), known.end(),
                                     [&](const auto &each) { return each.get() == device; });
        if (at != known.end()) {
            lent = std::move(*at);
            known.erase(at);
        }
    }
    if (!opening) return;
    opening->cancel();
    if (lent) opening->wait(UINT64_MAX); // afterwards the program may close its device
}

bool SharedDevice::serves(const Preparation &need) const {
    if (!device_) return false;
    const auto end = prepared_.begin() + prepared_count_ - (opening_ ? 1 : 0);
    return !need.families || std::find(prepared_.begin(), end, need) != end ||
           prepared_count_ == prepared_.size();
}

void SharedDevice::fail(const char *why) {
    failed_ = true;
    if (mode_ == V3DOFF_MODE_FORCE)
        LOG_WARNING("decoding on the CPU: %s", why);
    else
        LOG_INFO("decoding on the CPU: %s", why);
}

void SharedDevice::begin_opening(const Preparation &need) {
    const process::Work work;
    v3doff_device_info info{};
    info.mode = mode_;
    info.flags = V3DOFF_DEVICE_KEEP; // programs often probe a stream before they decode it
    prepared_[prepared_count_++] = need;
    try {
        DeviceRequest request = device_request(info);
        request.preparation = need;
        request.open = device_;
        request.quiet = mode_ != V3DOFF_MODE_FORCE && !device_; // nobody asked for a GPU
        const char *problem = process::ends() ? "the process ends" : why_in_vain(request);
        if (!problem)
            opening_ = Opening::begin(std::move(request));
        else if (!device_)
            fail(problem);
    } catch (const std::exception &problem) {
        if (!device_) fail(problem.what());
    }
}

// Returns whether none is under way.
bool SharedDevice::end_opening(Lock &lock, bool wait) {
    const std::shared_ptr<Opening> opening = opening_;
    if (!opening) return true;
    if (wait) {
        lock.unlock();
        opening->wait(UINT64_MAX);
        lock.lock();
    } else if (!opening->wait(0)) {
        return false;
    }
    if (opening_ != opening) return true; // another stream has noticed it
    opening_ = nullptr;
    const process::Work work;
    try {
        const auto opened = opening->take();
        if (device_) return true; // it was only to compile shaders
        // If pictures can only be in the CPU's memory, the CPU would do all of them.
        if (mode_ == V3DOFF_MODE_AUTO && opened->taken == V3DOFF_MEMORY_CPU)
            fail("the device shares no memory with the CPU");
        else
            device_ = opened;
    } catch (const std::exception &problem) {
        if (!device_) fail(problem.what());
    }
    return true;
}

SharedDevice::State SharedDevice::prepare(const Preparation &need, bool begin, bool wait) {
    const log::Later later;
    Lock lock(all().mutex);
    bool ended = end_opening(lock, wait); // another stream may have begun it
    while (begin && ended && !failed_ && !serves(need)) {
        if (!opening_) begin_opening(need);
        ended = end_opening(lock, wait);
    }
    return serves(need) ? State::ready : failed_ ? State::absent : State::pending;
}

} // namespace v3doff
