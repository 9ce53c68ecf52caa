// SPDX-License-Identifier: BSD-2-Clause
// A device that is opened on a thread of the library.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>

#include "policy/open_device.hpp"

namespace v3doff {

// Shared by the caller and the thread. If the opening is cancelled, the thread may end later, and
// closes the device that nobody wants.
class Opening {
  public:
    explicit Opening(DeviceRequest request) : request_(std::move(request)) {}
    Opening(const Opening &) = delete;
    Opening &operator=(const Opening &) = delete;

    static std::shared_ptr<Opening> begin(DeviceRequest request);

    // False: it has not ended in time.
    bool wait(uint64_t timeout_ns);
    // Only after wait() has returned true. Throws what kept the device from being opened.
    std::shared_ptr<const OpenDevice> take();
    void cancel();

  private:
    void run();

    const DeviceRequest request_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    std::atomic<bool> stop_ = false; // cancelled
    std::exception_ptr problem_;
    std::shared_ptr<const OpenDevice> device_;
};

} // namespace v3doff
