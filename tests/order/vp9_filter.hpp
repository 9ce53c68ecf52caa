// SPDX-License-Identifier: BSD-2-Clause
// Which samples the VP9 loop filter reads and writes across an edge (VP9 bitstream specification
// 8.8). Each written sample becomes a hash of all that the filter read: no order can be wrong and
// give the same samples.
#pragma once

#include "memory.hpp"

namespace v3doff::order::vp9 {

// Width of the filter on an edge: 0 (none), 4, 8 or 16.
constexpr int samples_read(int width) {
    return width == 16 ? 8 : 4;
}
constexpr int samples_written(int width) {
    return width == 16 ? 7 : width == 8 ? 3 : 2;
}

inline Sample mix(Sample h, Sample value) {
    h = (h ^ value) * 0x85ebca6bu;
    return h ^ (h >> 13);
}

// line.get(i), line.set(i): the q side begins at position q0.
template <class Line>
void filter_edge(Line line, int q0, int width) {
    if (!width) return;
    Sample h = static_cast<Sample>(width) * 0x9e3779b9u;
    for (int i = -samples_read(width); i < samples_read(width); ++i)
        h = mix(h, line.get(q0 + i));
    for (int i = -samples_written(width); i < samples_written(width); ++i)
        line.set(q0 + i, mix(h, static_cast<Sample>(i)));
}

} // namespace v3doff::order::vp9
