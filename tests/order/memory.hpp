// SPDX-License-Identifier: BSD-2-Clause
// Memory that knows which work item of which dispatch touched each sample.
#pragma once

#include "reach.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace v3doff::order {

using Sample = uint32_t;

// One monitor watches all buffers of one run of a schedule. Between two dispatches stands a full
// barrier; inside a dispatch nothing is ordered, so a location that is written there may be read by
// nobody in it, whichever of the two happens to be executed first. in_place relaxes that for the
// item itself: it may read what it alone rewrites.
class Monitor {
  public:
    explicit Monitor(bool in_place = false) : in_place_(in_place) {}
    bool in_place() const { return in_place_; }
    void begin_dispatch() { ++dispatch_; }
    void begin_item() { ++item_; }
    uint16_t dispatch() const { return dispatch_; }
    uint32_t item() const { return item_; }

    void report(const char *what, const std::string &buffer, int x, int y);
    long violations() const { return violations_; }
    const std::string &first_violation() const { return first_; }

    Reach reach;
    long loads = 0, stores = 0; // samples

  private:
    bool in_place_;
    uint16_t dispatch_ = 0;
    uint32_t item_ = 0;
    long violations_ = 0;
    std::string first_;
};

// A plane of samples. Everything starts unwritten, except a plane filled from reconstruction.
class Memory {
  public:
    Memory(Monitor &monitor, std::string name, int buffer, int width, int height);

    // Contents from before the first dispatch. constant: a store by any item is a violation.
    void fill(const std::vector<Sample> &samples, bool constant);

    // part: under which number the reach tables count it, if not under the buffer's own.
    Sample load(int x, int y, int part = -1);
    void store(int x, int y, Sample value);

    // After the last dispatch: samples that are not the expected ones, or that nobody wrote.
    long differences(const std::vector<Sample> &expected) const;

  private:
    static constexpr uint16_t never = 0xffff;
    static constexpr uint32_t several = 0xffffffff;
    struct Cell {
        Sample value = 0x2aaa; // of no bit depth up to 12, and small enough for any arithmetic
        uint32_t write_item = 0;
        uint32_t read_item = 0;
        uint16_t write_dispatch = never;
        uint16_t read_dispatch = never;
    };

    // True when the stamp is of this dispatch and of a side that may not meet the present one.
    bool clash(uint16_t dispatch, uint32_t item) const;
    bool inside(int x, int y) const { return x >= 0 && y >= 0 && x < width_ && y < height_; }
    size_t index(int x, int y) const {
        return static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x);
    }

    Monitor &monitor_;
    std::string name_;
    int buffer_;
    int width_, height_;
    bool constant_ = false;
    std::vector<Cell> cells_;
};

} // namespace v3doff::order
