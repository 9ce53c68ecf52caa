// SPDX-License-Identifier: BSD-2-Clause
// What a decoder has around its pictures, for all its threads (v3doff/stream.h).
#pragma once

#include "picture/pool.hpp"
#include "policy/policy.hpp"
#include "policy/shared_device.hpp"
#include "policy/stream_counts.hpp"

namespace v3doff {

class Stream {
  public:
    using State = SharedDevice::State;
    // Gets lines: the library's, or those that the decoder logs as its own.
    struct Lines {
        v3doff_log_callback write = nullptr;
        void *opaque = nullptr;
        v3doff_log_level level = V3DOFF_LOG_ERROR;
    };
    Stream(const Policy::Settings &settings, const Lines &log);
    ~Stream();
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;

    const Policy::Settings &settings() const { return policy_.settings(); }
    const Lines &log() const { return log_; }

    // False: the stream has a device.
    bool lend(std::shared_ptr<const OpenDevice> device);
    struct Need {
        PictureFormat format;
        bool known = false; // the format
        bool mbaff = false;
        bool begin = false, wait = false;
    };
    State open(const Need &need, const Lines &lines);
    State state() const { return state_.load(std::memory_order_acquire); }
    bool is_given_up() const { return given_up_ != V3DOFF_OK; }
    // Null: there is none.
    const OpenDevice *device() const {
        return state() == State::ready ? user_->device().get() : nullptr;
    }

    // Null: there is no device, or it is given up. The kind's path and strides may be left open.
    Picture *open_picture(PoolKind kind, const PictureView *planes);

    Policy::Answer ask(Policy::Question question);
    Policy &policy() { return policy_; }
    void give_up(v3doff_result why) { given_up_ = why; }

    StreamCounts &counts() { return counts_; }
    void end(const Lines &lines);
    // From here on no thread writes to the log, so that its library can be unloaded.
    void end_log() { log_use_.reset(); }
    // Lets go of the device and the pool. Pictures under way may still use the rest.
    void close();

  private:
    struct LogUse {
        explicit LogUse(const Lines &lines);
        ~LogUse();
        const Lines lines;
    };
    Preparation preparation(const Need &need) const;
    void settle(State state, const Lines &lines);

    const Lines log_;
    std::optional<LogUse> log_use_; // before the policy reads the environment
    Policy policy_;
    StreamCounts counts_;
    std::atomic<State> state_{State::pending};
    std::atomic<v3doff_result> given_up_{V3DOFF_OK};

    std::mutex mutex_; // protects the members below
    std::shared_ptr<const OpenDevice> lent_;
    SharedDevice::User user_; // once set, it stays until close()
    std::shared_ptr<Pool> pool_;
};

} // namespace v3doff
