// SPDX-License-Identifier: BSD-2-Clause
// One submit of a picture's work: all of it, or that of some rows while the rest is still being
// reconstructed. A picture's bands are handed over and complete in the order of their rows.
#pragma once

#include <memory>

#include "picture/work.hpp"

namespace v3doff {

class Picture;

class Submission final : public vk::Pending {
  public:
    explicit Submission(Picture &picture) : picture_(picture) {}

    struct Done {
        v3doff_rows_callback callback = nullptr;
        void *opaque = nullptr;
        v3doff_picture *handle = nullptr;
    };

    enum class State { in_flight, gpu_done, for_cpu, cpu_done };

    // Of the picture's mutex.
    std::unique_ptr<Work> job;
    uint32_t row_end = 0;
    bool last = false;
    bool part = false;   // the CPU works on other rows meanwhile
    bool on_gpu = false; // the GPU has got it
    State state = State::in_flight;
    uint64_t records = 0, cpu_records = 0;
    Done done;

  private:
    void finished(const vk::Outcome &outcome) noexcept override;
    Picture &picture_;
};

} // namespace v3doff
