// SPDX-License-Identifier: BSD-2-Clause
// Which samples, counted from its own corner, a work item really reads and writes.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace v3doff::order {

// Inclusive bounds; empty while x0 > x1.
struct Box {
    int x0 = 1 << 20, x1 = -(1 << 20), y0 = 1 << 20, y1 = -(1 << 20);

    void add(int x, int y);
    bool empty() const { return x0 > x1; }
    bool operator==(const Box &) const = default;
    std::string text() const;
};

// One line of the tables in README.md. buffer is a place in memory or, where an item goes to
// several parts of one buffer, one of these parts.
struct ReachLine {
    int pass;
    int kind;
    int buffer;
    bool write;
    Box box;
};

class Reach {
  public:
    static constexpr int passes = 4, kinds = 16, buffers = 8;

    // What follows belongs to this pass and kind of item, whose corner is at (x, y).
    void item(int pass, int kind, int x, int y);
    void note(int buffer, bool write, int x, int y);
    void merge(const Reach &other);

    const Box &box(int pass, int kind, int buffer, bool write) const {
        return boxes_[slot(pass, kind, buffer, write)];
    }

    // The number of lines in which the measured box differs from the stated one, each printed;
    // boxes that no line states count as well. Boxes of the first tight_kinds kinds must be reached
    // in full, those of the others not be exceeded.
    int compare(const std::vector<ReachLine> &stated, int tight_kinds) const;

  private:
    static size_t slot(int pass, int kind, int buffer, bool write) {
        return static_cast<size_t>(((pass * kinds + kind) * buffers + buffer) * 2 + write);
    }
    std::array<Box, static_cast<size_t>(passes *kinds *buffers * 2)> boxes_;
    int pass_ = -1, kind_ = 0, x_ = 0, y_ = 0;
};

} // namespace v3doff::order
