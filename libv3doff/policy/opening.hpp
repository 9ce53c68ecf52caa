// SPDX-License-Identifier: BSD-2-Clause
// A device that is opened on a thread of the library.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>

#include "policy/open_device.hpp"

namespace v3doff {

// Why the device cannot be opened, if that is known at once; otherwise null. Neither a thread nor
// an exception is needed to know that there is no GPU. Both take memory, and this happens in every
// program of a machine without one.
const char *why_in_vain(const DeviceRequest &request);

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
    // Only after wait() has returned true, and once. Throws what kept the device from being opened.
    std::shared_ptr<const OpenDevice> take();
    // If somebody waits afterwards, the thread has released the device then.
    void cancel();

  private:
    void run();

    DeviceRequest request_; // of the thread
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    std::atomic<bool> stop_ = false; // cancelled
    std::exception_ptr problem_;
    std::shared_ptr<const OpenDevice> device_;
};

} // namespace v3doff
