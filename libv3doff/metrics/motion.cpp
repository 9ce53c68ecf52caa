// SPDX-License-Identifier: BSD-2-Clause
#include "metrics/motion.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace v3doff::metrics {
namespace {

void blur_columns(const Plane &previous, const Plane &current, uint32_t y,
                  std::vector<int32_t> &row) {
    for (uint32_t x = 0; x < current.width; x++) {
        int32_t sum = 0;
        for (int k = 0; k < 5; k++) {
            uint32_t from = reflect(int64_t(y) + k - 2, current.height);
            sum += motion_taps[k] *
                   (int32_t(previous.sample(x, from)) - int32_t(current.sample(x, from)));
        }
        row[x] = (sum + (1 << (current.depth - 1))) >> current.depth;
    }
}

} // namespace

uint64_t motion_reference(const Plane &previous, const Plane &current) {
    std::vector<int32_t> row(current.width);
    uint64_t total = 0;
    for (uint32_t y = 0; y < current.height; y++) {
        blur_columns(previous, current, y, row);
        for (uint32_t x = 0; x < current.width; x++) {
            int64_t sum = 0;
            for (int k = 0; k < 5; k++)
                sum += int64_t(motion_taps[k]) * row[reflect(int64_t(x) + k - 2, current.width)];
            total += uint64_t(std::abs((sum + 32768) >> 16));
        }
    }
    return total;
}

double motion_score(uint64_t sum, uint32_t width, uint32_t height) {
    return std::min(double(sum) / 256. / (double(width) * height), 10000.);
}

} // namespace v3doff::metrics
