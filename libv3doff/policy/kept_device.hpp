// SPDX-License-Identifier: BSD-2-Clause
// The device that was closed last stays open for a while. Drivers take up to half a second of CPU
// to open one, and programs open one after the other: to look at each stream, then to decode them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "vk/device.hpp"

namespace v3doff {

class KeptDevice {
  public:
    static KeptDevice &get(); // of the process

    // The one that is here where it serves, else one that is opened; it comes back here where the
    // options say so.
    static std::shared_ptr<vk::Device> open(const vk::DeviceOptions &options);

    // The device that was opened so, if it is here and would be the same if it were opened now.
    std::unique_ptr<vk::Device> take(const vk::DeviceOptions &options);
    // Nobody uses it any more. One that was here already goes.
    void keep(std::unique_ptr<vk::Device> device) noexcept;

  private:
    using Clock = std::chrono::steady_clock;
    KeptDevice() = default;
    ~KeptDevice() = delete;
    bool start_thread() noexcept;
    void run();
    void end_with_process();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::unique_ptr<vk::Device> device_;
    Clock::time_point until_;
    std::thread thread_; // while there is a device, and until it has gone
    bool running_ = false, stop_ = false;
    bool registered_ = false; // with exit()
    pid_t process_ = 0;
};

} // namespace v3doff
