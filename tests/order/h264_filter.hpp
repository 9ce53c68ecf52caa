// SPDX-License-Identifier: BSD-2-Clause
// One line of samples across one edge: ITU-T H.264 8.7.2.3 (bS < 4) and 8.7.2.4 (bS = 4).
#pragma once

#include "memory.hpp"

namespace v3doff::order::h264 {

// alpha, beta and tc0 as 8-bit pictures have them; the filter scales them to the bit depth.
struct Strength {
    int bs, alpha, beta, tc0;
};

// chaotic puts a hash in place of each sample, taken over exactly those samples on which the
// standard's result can depend. A wrong order cannot pass by a decision that happened to be off.
enum class Arithmetic { standard, chaotic };

// chroma is chromaStyleFilteringFlag = 1: 4:2:0 and 4:2:2 only.
enum class Taps { luma, chroma };

struct Filter {
    Arithmetic arithmetic = Arithmetic::standard;
    int bit_depth = 8;
    mutable long lines = 0; // filtered since the picture was made: the work, for comparisons
};

// p[0] and q[0] touch the edge.
struct Window {
    Sample p[4], q[4];
};

constexpr int samples_read(Taps taps, int bs) {
    return taps == Taps::chroma ? 2 : bs == 4 ? 4 : 3;
}
constexpr int samples_written(Taps taps, int bs) {
    return taps == Taps::chroma ? 1 : bs == 4 ? 3 : 2;
}

// Changes the first samples_written() of each side, looks at the first samples_read().
void filter_window(Window &window, const Filter &filter, Taps taps, const Strength &strength);

// line.get(i) and line.set(i): the q side begins at position q0 and goes on in steps.
template <class Line>
void filter_edge(Line line, int q0, int step, const Filter &filter, Taps taps,
                 const Strength &strength) {
    if (!strength.bs) return;
    ++filter.lines;
    Window window{};
    for (int i = 0; i < samples_read(taps, strength.bs); ++i) {
        window.p[i] = line.get(q0 - (i + 1) * step);
        window.q[i] = line.get(q0 + i * step);
    }
    filter_window(window, filter, taps, strength);
    for (int i = 0; i < samples_written(taps, strength.bs); ++i) {
        line.set(q0 - (i + 1) * step, window.p[i]);
        line.set(q0 + i * step, window.q[i]);
    }
}

// The new q1 alone of a luma edge with bS < 4. It is a function of p1, p0, q0, q1 and q2: p2, the
// one sample that an edge further left or up may still have to change, is not looked at.
template <class Line>
void filter_q1_only(Line line, int q0, int step, const Filter &filter, const Strength &strength) {
    if (!strength.bs) return;
    ++filter.lines;
    Window window{};
    window.p[2] = 0x5a; // any value gives the same q1
    for (int i = 0; i < 3; ++i) {
        if (i < 2) window.p[i] = line.get(q0 - (i + 1) * step);
        window.q[i] = line.get(q0 + i * step);
    }
    filter_window(window, filter, Taps::luma, strength);
    line.set(q0 + step, window.q[1]);
}

} // namespace v3doff::order::h264
