// SPDX-License-Identifier: BSD-2-Clause
// Decides which work of each picture the device does, for all threads of a decoder.
#pragma once

#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "policy/balance.hpp"
#include "policy/decision.hpp"

namespace v3doff {

// The settings, where AUTO is replaced by the environment's value. A program with the rights of
// another user has mode CPU.
v3doff_mode wanted_mode(v3doff_mode asked);
v3doff_scope wanted_scope(v3doff_scope asked);

class Policy {
  public:
    struct Settings {
        v3doff_codec codec = V3DOFF_CODEC_VP9;
        v3doff_mode mode = V3DOFF_MODE_AUTO;
        v3doff_scope scope = V3DOFF_SCOPE_AUTO;
        uint32_t threads = 1; // pictures that are decoded at the same time
        uint32_t helpers = 0; // further threads that work on each of them
    };
    explicit Policy(const Settings &settings);

    struct Question {
        vk::Device *device = nullptr; // null: it is not open yet, or it is absent
        uint32_t width = 0, height = 0;
        bool high = false;     // more than 8 bits
        uint32_t possible = 0; // bits 1 << v3doff_family
        bool awaited = false;
        const char *obstacle = nullptr; // why the decoder does the picture itself
        bool absent = false;            // there is no device
    };
    struct Answer {
        Decision decision;
        bool counted = false; // done() must follow
        bool failed = false;  // the device is not used again
        bool alone = false;
    };
    Answer ask(const Question &question);
    // The thread that has asked has done its part of the picture.
    void handed_over();
    void done(v3doff_executor executor);
    // Keeps in the recipe what was learned.
    void end();

    const Settings &settings() const { return settings_; }

    // After so many failures the decoder's own functions take over; they are faster than the
    // library's.
    static constexpr uint32_t most_failures = 8;
    // The stream is of another kind once the device does other work than before for so many
    // pictures in a row.
    static constexpr uint32_t strangers = 8;

  private:
    // A picture that a thread of the decoder works on.
    struct Begun {
        std::thread::id thread;
        uint64_t cpu_ns; // the clock at the beginning
        uint32_t window; // the balance's, for Balance::spent()
        bool on_device;
    };
    DeviceState state_of(const Question &question) const;
    void follow(const Question &question, v3doff_scope scope);
    void begin_kind(const StreamKind &kind, vk::Device &device);
    void keep_learned();
    void measure_library(vk::Device &device);
    bool is_left_to_cpu(const Question &question, const Decision &decision);
    Verdict whose_turn(bool awaited, Verdict by_balance);
    uint64_t cpu_now() const;
    void count_cpu_time();

    const Settings settings_;

    std::mutex mutex_; // protects the members below
    Balance balance_;
    std::vector<Begun> begun_;
    uint32_t under_way_ = 0;
    uint32_t failures_ = 0; // pictures in a row
    bool failed_ = false;
    uint32_t turns_ = 0; // counts for the fault of that name
    double intra_ = 0;   // how many of the last pictures were intra pictures, from 0 to 1

    std::optional<RecipeKey> key_; // the decoding device's
    StreamKind kind_;
    uint32_t width_ = 0, height_ = 0;
    uint32_t strangers_ = 0;
    Verdict override_ = Verdict::unknown; // by a person
    Learned before_;                      // what the recipe said
    uint32_t checked_ = 0;                // what was compared of this device's pictures: Recipe

    // CPU time of the library's thread for a picture of the device.
    double library_ns_ = 0;
    uint64_t library_cpu_ns_ = 0, library_pictures_ = 0; // when this was last measured
};

} // namespace v3doff
