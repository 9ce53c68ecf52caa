// SPDX-License-Identifier: BSD-2-Clause
// Where the rows of a picture's planes lie in the samples buffer, and which of them are meant.
#pragma once

#include <algorithm>
#include <cstdint>

#include "picture/format.hpp"

namespace v3doff {

// Rows of a plane.
struct RowRange {
    uint32_t first = UINT32_MAX, end = 0;
    bool empty() const { return first >= end; }
    void add(uint32_t from, uint32_t to) {
        first = std::min(first, from);
        end = std::max(end, to);
    }
};
using PlaneRows = RowRange[max_planes];

struct SampleMap {
    PictureFormat format;
    uint32_t offset_words[max_planes] = {};
    uint32_t stride_words[max_planes] = {};
    uint32_t row_bytes[max_planes] = {}; // samples of a row, with the padding

    size_t stride_bytes(unsigned plane) const { return size_t(stride_words[plane]) * 4; }
    // The byte with which a row begins.
    size_t row_at(unsigned plane, uint32_t row) const {
        return size_t(offset_words[plane]) * 4 + row * stride_bytes(plane);
    }
    // Calls visit(plane, first byte, bytes) for each plane's rows. The last row ends with its
    // samples, because the memory after them may not be the picture's.
    template <typename Visit>
    void each_range(const PlaneRows &rows, Visit visit) const {
        for (unsigned p = 0; p < format.planes(); p++)
            if (!rows[p].empty())
                visit(p, row_at(p, rows[p].first),
                      (rows[p].end - rows[p].first - 1) * stride_bytes(p) +
                          ((row_bytes[p] + size_t(3)) & ~size_t(3)));
    }
};

} // namespace v3doff
