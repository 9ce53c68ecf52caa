// SPDX-License-Identifier: BSD-2-Clause
// Keeps the last closed device open for a while. Drivers take up to half a second of CPU time to
// open one, and programs open it again and again: to probe each stream, then to decode it.
#pragma once

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

    // Returns the kept device if it fits, or opens one. If the options say so, the device is kept
    // when its last user has released it.
    static std::shared_ptr<vk::Device> open(const vk::DeviceOptions &options);

    // The kept device, if it was opened with these options and opening one now would give the same.
    std::unique_ptr<vk::Device> take(const vk::DeviceOptions &options);
    // Keeps an unused device; one that was kept before is closed.
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
    std::thread thread_; // runs until the kept device is closed
    bool running_ = false, stop_ = false;
    bool registered_ = false; // with exit()
};

} // namespace v3doff
