// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking in four dispatches over all planes of a picture: README.md, section 1.
#pragma once

#include "h264_edges.hpp"

namespace v3doff::order::h264 {

// The buffers. R is read only. A: after vertical edges. T: strips after vertical and horizontal
// edges of their own unit. G: the result.
enum Buffer { buffer_r, buffer_a, buffer_t, buffer_g };
// In the reach tables: what a strip reads of the unit up-right.
constexpr int part_r_up_right = 4;

struct Item {
    int plane, row, col;
    int line; // pass 3: row of the unit; pass 4: column of the unit
};

class FourPasses {
  public:
    FourPasses(const Picture &picture, Random &random, Wrong wrong = Wrong::nothing);

    // The work of a pass, in no order at all.
    static std::vector<Item> items(const Picture &picture, int pass);

    void run();
    const Monitor &monitor() const { return monitor_; }
    int dispatches() const { return monitor_.dispatch(); }
    // Samples that differ from the expected ones or were never written.
    long differences(const std::vector<std::vector<Sample>> &expected) const;

  private:
    void dispatch(const std::vector<int> &passes);
    void strip_tail(const Item &item);      // pass 1
    void strip_whole(const Item &item);     // pass 2
    void vertical_line(const Item &item);   // pass 3
    void horizontal_line(const Item &item); // pass 4

    bool last_col(int col) const { return col == picture_.cols - 1; }
    bool last_row(int row) const { return row == picture_.rows - 1; }
    Memory &r(int plane) { return r_[static_cast<size_t>(plane)]; }
    Memory &a(int plane) { return a_[static_cast<size_t>(plane)]; }
    Memory &t(int plane) { return t_[static_cast<size_t>(plane)]; }
    Memory &g(int plane) {
        return wrong_ == Wrong::in_place ? a(plane) : g_[static_cast<size_t>(plane)];
    }

    const Picture &picture_;
    Random &random_;
    Wrong wrong_;
    Edges edges_;
    Monitor monitor_;
    std::vector<Memory> r_, a_, t_, g_;
};

} // namespace v3doff::order::h264
