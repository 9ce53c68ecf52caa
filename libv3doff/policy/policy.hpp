// SPDX-License-Identifier: BSD-2-Clause
// Decides which work of each picture the device does, for all threads of a decoder.
#pragma once

#include <mutex>

#include "policy/balance.hpp"
#include "policy/decision.hpp"

namespace v3doff {

// The settings, where AUTO is replaced by the environment's value. A program with the rights of
// another user has mode CPU.
v3doff_mode wanted_mode(v3doff_mode asked);
v3doff_scope wanted_scope(v3doff_scope asked);

class Policy {
  public:
    Policy(v3doff_codec codec, v3doff_mode mode, v3doff_scope scope, uint32_t threads);

    struct Question {
        const vk::Device *device = nullptr; // null: it is not open yet
        uint32_t width = 0, height = 0;
        uint32_t possible = 0; // bits 1 << v3doff_family
        bool awaited = false;
        const char *obstacle = nullptr; // why the decoder does the picture itself
    };
    struct Answer {
        Decision decision;
        bool counted = false; // done() must follow
        bool failed = false;  // the device is not used again
        bool alone = false;
    };
    Answer ask(const Question &question);
    void done(v3doff_executor executor);

    v3doff_codec codec() const { return codec_; }
    v3doff_mode mode() const { return mode_; }
    v3doff_scope scope() const { return scope_; }
    uint32_t threads() const { return threads_; }

    // After so many failures the decoder's own functions take over; they are faster than the
    // library's.
    static constexpr uint32_t most_failures = 8;

  private:
    void look_up(const Question &question);
    Verdict whose_turn(bool awaited);

    const v3doff_codec codec_;
    const v3doff_mode mode_;
    const v3doff_scope scope_;
    const uint32_t threads_;

    std::mutex mutex_; // protects the members below
    Balance balance_;
    uint32_t under_way_ = 0;
    uint32_t failures_ = 0; // pictures in a row
    bool failed_ = false;
    uint32_t turns_ = 0; // counts for the fault of that name
    // The recipe's answers for pictures of this size.
    uint32_t width_ = 0, height_ = 0;
    KnownFamilies recipe_;
};

} // namespace v3doff
