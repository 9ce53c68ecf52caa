// SPDX-License-Identifier: BSD-2-Clause
#include "h264_filter.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

namespace v3doff::order::h264 {

static Sample hash(Sample seed, std::initializer_list<Sample> samples) {
    Sample h = seed * 0x9e3779b9u + 0x7f4a7c15u;
    for (const Sample s : samples) {
        h = (h ^ s) * 0x85ebca6bu;
        h ^= h >> 13;
    }
    return h * 0xc2b2ae35u ^ (h >> 16);
}

// Which of the old samples each new sample may depend on, and nothing of the arithmetic.
static void chaotic(Window &w, Taps taps, const Strength &s) {
    const auto [p0, p1, p2, p3] = w.p;
    const auto [q0, q1, q2, q3] = w.q;
    const auto seed = static_cast<Sample>(((s.bs * 256 + s.alpha) * 256 + s.beta) * 32 + s.tc0) * 8;
    if (taps == Taps::chroma) {
        w.p[0] = hash(seed, {p1, p0, q0, q1});
        w.q[0] = hash(seed + 1, {p1, p0, q0, q1});
    } else if (s.bs < 4) {
        w.p[0] = hash(seed, {p2, p1, p0, q0, q1, q2});
        w.q[0] = hash(seed + 1, {p2, p1, p0, q0, q1, q2});
        w.p[1] = hash(seed + 2, {p2, p1, p0, q0, q1});
        w.q[1] = hash(seed + 3, {p1, p0, q0, q1, q2});
    } else {
        for (Sample i = 0; i < 3; ++i) {
            w.p[i] = hash(seed + i, {p3, p2, p1, p0, q0, q1});
            w.q[i] = hash(seed + 3 + i, {p1, p0, q0, q1, q2, q3});
        }
    }
}

struct Signed {
    int p[4], q[4];
};

static int distance(int a, int b) {
    return std::abs(a - b);
}

// 8.7.2.3
static void normal(Signed &w, int tc0, int beta, int maximum, Taps taps) {
    const auto [p0, p1, p2, p3] = w.p;
    const auto [q0, q1, q2, q3] = w.q;
    const bool ap = distance(p2, p0) < beta, aq = distance(q2, q0) < beta;
    const int tc = taps == Taps::chroma ? tc0 + 1 : tc0 + ap + aq;
    const int delta = std::clamp(((q0 - p0) * 4 + (p1 - q1) + 4) >> 3, -tc, tc);
    w.p[0] = std::clamp(p0 + delta, 0, maximum);
    w.q[0] = std::clamp(q0 - delta, 0, maximum);
    const int middle = (p0 + q0 + 1) >> 1;
    if (ap) w.p[1] = p1 + std::clamp((p2 + middle - 2 * p1) >> 1, -tc0, tc0);
    if (aq) w.q[1] = q1 + std::clamp((q2 + middle - 2 * q1) >> 1, -tc0, tc0);
}

// 8.7.2.4, one side: a is this side's samples, b the other's.
static void strong(const int (&a)[4], const int (&b)[4], bool flat, int (&out)[4]) {
    out[0] = (2 * a[1] + a[0] + b[1] + 2) >> 2;
    if (!flat) return;
    out[0] = (a[2] + 2 * a[1] + 2 * a[0] + 2 * b[0] + b[1] + 4) >> 3;
    out[1] = (a[2] + a[1] + a[0] + b[0] + 2) >> 2;
    out[2] = (2 * a[3] + 3 * a[2] + a[1] + a[0] + b[0] + 4) >> 3;
}

static void standard(Window &window, int bit_depth, Taps taps, const Strength &s) {
    const int scale = bit_depth - 8, alpha = s.alpha << scale, beta = s.beta << scale;
    Signed w;
    for (int i = 0; i < 4; ++i) {
        w.p[i] = static_cast<int>(window.p[i]);
        w.q[i] = static_cast<int>(window.q[i]);
    }
    if (distance(w.p[0], w.q[0]) >= alpha || distance(w.p[1], w.p[0]) >= beta ||
        distance(w.q[1], w.q[0]) >= beta)
        return;
    if (s.bs < 4) {
        normal(w, s.tc0 << scale, beta, (1 << bit_depth) - 1, taps);
    } else {
        const bool near = distance(w.p[0], w.q[0]) < (alpha >> 2) + 2 && taps == Taps::luma;
        const Signed old = w;
        strong(old.p, old.q, near && distance(old.p[2], old.p[0]) < beta, w.p);
        strong(old.q, old.p, near && distance(old.q[2], old.q[0]) < beta, w.q);
    }
    for (int i = 0; i < samples_written(taps, s.bs); ++i) {
        window.p[i] = static_cast<Sample>(w.p[i]);
        window.q[i] = static_cast<Sample>(w.q[i]);
    }
}

void filter_window(Window &window, const Filter &filter, Taps taps, const Strength &strength) {
    if (filter.arithmetic == Arithmetic::chaotic)
        chaotic(window, taps, strength);
    else
        standard(window, filter.bit_depth, taps, strength);
}

} // namespace v3doff::order::h264
