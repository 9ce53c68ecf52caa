// SPDX-License-Identifier: BSD-2-Clause
// The registers of one work item: a small rectangle that is fetched sample by sample, each at its
// first use. What an item never looks at is never read from memory, so that the reach that
// Memory records is what the arithmetic needs and no more.
#pragma once

#include "memory.hpp"

#include <array>
#include <bitset>
#include <cassert>
#include <utility>

namespace v3doff::order {

template <class Fetch>
class Block {
  public:
    // Columns x0..x1-1 and rows y0..y1-1; fetch(x, y) gives a sample that was not yet touched.
    Block(int x0, int x1, int y0, int y1, Fetch fetch)
        : x0_(x0), y0_(y0), width_(x1 - x0), height_(y1 - y0), fetch_(std::move(fetch)) {
        assert(width_ * height_ <= capacity);
    }

    Sample get(int x, int y) {
        const size_t i = index(x, y);
        if (!present_[i]) set(x, y, fetch_(x, y));
        return samples_[i];
    }
    void set(int x, int y, Sample value) {
        const size_t i = index(x, y);
        samples_[i] = value;
        present_[i] = true;
    }

    // Lines across the edges of one direction. offset moves the origin of positions on the line.
    struct Row {
        Block &block;
        int y, offset = 0;
        Sample get(int x) { return block.get(x + offset, y); }
        void set(int x, Sample value) { block.set(x + offset, y, value); }
    };
    struct Column {
        Block &block;
        int x, offset = 0;
        Sample get(int y) { return block.get(x, y + offset); }
        void set(int y, Sample value) { block.set(x, y + offset, value); }
    };
    Row row(int y, int offset = 0) { return {*this, y, offset}; }
    Column column(int x, int offset = 0) { return {*this, x, offset}; }

  private:
    static constexpr int capacity = 16384;

    size_t index(int x, int y) const {
        assert(x >= x0_ && x < x0_ + width_ && y >= y0_ && y < y0_ + height_);
        return static_cast<size_t>((y - y0_) * width_ + x - x0_);
    }

    int x0_, y0_, width_, height_;
    Fetch fetch_;
    std::array<Sample, capacity> samples_;
    std::bitset<capacity> present_;
};

} // namespace v3doff::order
