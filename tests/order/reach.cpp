// SPDX-License-Identifier: BSD-2-Clause
#include "reach.hpp"

#include <algorithm>
#include <cstdio>

namespace v3doff::order {

void Box::add(int x, int y) {
    x0 = std::min(x0, x);
    x1 = std::max(x1, x);
    y0 = std::min(y0, y);
    y1 = std::max(y1, y);
}

std::string Box::text() const {
    if (empty()) return "nothing";
    return "columns " + std::to_string(x0) + ".." + std::to_string(x1) + ", rows " +
           std::to_string(y0) + ".." + std::to_string(y1);
}

void Reach::item(int pass, int kind, int x, int y) {
    pass_ = pass;
    kind_ = kind;
    x_ = x;
    y_ = y;
}

void Reach::note(int buffer, bool write, int x, int y) {
    if (pass_ >= 0) boxes_[slot(pass_, kind_, buffer, write)].add(x - x_, y - y_);
}

void Reach::merge(const Reach &other) {
    for (size_t i = 0; i < boxes_.size(); ++i) {
        const Box &from = other.boxes_[i];
        if (from.empty()) continue;
        boxes_[i].add(from.x0, from.y0);
        boxes_[i].add(from.x1, from.y1);
    }
}

static bool covers(const Box &outer, const Box &inner) {
    return inner.empty() || (outer.x0 <= inner.x0 && outer.x1 >= inner.x1 && outer.y0 <= inner.y0 &&
                             outer.y1 >= inner.y1);
}

int Reach::compare(const std::vector<ReachLine> &stated, int tight_kinds) const {
    std::array<Box, static_cast<size_t>(passes * kinds * buffers * 2)> expected;
    for (const ReachLine &line : stated)
        expected[slot(line.pass, line.kind, line.buffer, line.write)] = line.box;
    int differences = 0;
    for (size_t i = 0; i < boxes_.size(); ++i) {
        const int n = static_cast<int>(i), kind = n / (buffers * 2) % kinds;
        if (kind < tight_kinds ? expected[i] == boxes_[i] : covers(expected[i], boxes_[i]))
            continue;
        std::printf("reach: pass %d, kind %d, buffer %d, %s: stated %s, measured %s\n",
                    n / (kinds * buffers * 2) + 1, kind, n / 2 % buffers,
                    n % 2 ? "writes" : "reads", expected[i].text().c_str(),
                    boxes_[i].text().c_str());
        ++differences;
    }
    return differences;
}

} // namespace v3doff::order
