// SPDX-License-Identifier: BSD-2-Clause
// The devices that the streams of a process share: one for each mode, and those that programs lend.
#pragma once

#include <array>
#include <memory>
#include <mutex>

#include "policy/opening.hpp"

namespace v3doff {

class SharedDevice {
  public:
    enum class State { pending, ready, absent };
    struct Leave {
        void operator()(SharedDevice *device) const noexcept;
    };
    using User = std::unique_ptr<SharedDevice, Leave>;

    // lent: the program's device; null: one that the library opens. Without `begin`, only one that
    // is open. Null: there is none.
    static User join(v3doff_mode mode, std::shared_ptr<const OpenDevice> lent, bool begin);

    // Whether the device has the shaders for such pictures. begin: opens it and compiles them on a
    // thread, unless that has been done. wait: until then.
    State prepare(const Preparation &need, bool begin, bool wait);

    // Once prepare() has returned `ready`; then it stays until the last user leaves.
    const std::shared_ptr<const OpenDevice> &device() const { return device_; }

  private:
    struct All;
    static All &all();
    using Lock = std::unique_lock<std::mutex>;

    // The functions below need the mutex of all().
    bool serves(const Preparation &need) const;
    void begin_opening(const Preparation &need);
    bool end_opening(Lock &lock, bool wait);
    void fail(const char *why);

    v3doff_mode mode_ = V3DOFF_MODE_AUTO;
    std::shared_ptr<const OpenDevice> device_; // null: not open
    std::shared_ptr<Opening> opening_;         // opens it, or compiles what is prepared last
    unsigned users_ = 0;
    bool failed_ = false; // there is none, and none is looked for again
    // A device keeps the shaders of so many formats. Pictures of further formats compile theirs.
    std::array<Preparation, 8> prepared_;
    unsigned prepared_count_ = 0;
};

} // namespace v3doff
