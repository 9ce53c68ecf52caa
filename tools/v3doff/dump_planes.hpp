// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "dump_file.hpp"

namespace tool {

// The planes of a dump in one allocation, aligned as FFmpeg's are.
class DumpPlanes {
  public:
    explicit DumpPlanes(const DumpFile &dump) : dump_(dump) {
        size_t bytes = 64;
        for (unsigned p = 0; p < dump.planes(); p++) {
            offset_[p] = bytes;
            stride_[p] =
                (size_t(dump.header().padded_width[p]) * dump.sample_bytes() + 63) / 64 * 64;
        }
        if (dump.planes() == 3) stride_[1] = stride_[2] = std::max(stride_[1], stride_[2]);
        for (unsigned p = 0; p < dump.planes(); p++) {
            offset_[p] = bytes;
            bytes += stride_[p] * dump.header().padded_height[p];
        }
        storage_.resize(bytes + 64);
        base_ = storage_.data() + (64 - reinterpret_cast<uintptr_t>(storage_.data()) % 64);
    }

    v3doff_planes planes() {
        v3doff_planes planes{};
        planes.struct_size = sizeof planes;
        planes.count = dump_.planes();
        for (unsigned p = 0; p < planes.count; p++) {
            planes.data[p] = base_ + offset_[p];
            planes.stride[p] = ptrdiff_t(stride_[p]);
            planes.padded_width[p] = dump_.header().padded_width[p];
            planes.padded_height[p] = dump_.header().padded_height[p];
        }
        return planes;
    }

    void fill() {
        const uint8_t *from = dump_.before().data();
        each_row([&](uint8_t *row, size_t bytes, unsigned, uint32_t) {
            std::memcpy(row, from, bytes);
            from += bytes;
            return true;
        });
    }

    // Empty, or where the samples are not what they were.
    std::string compare() {
        const uint8_t *expected = dump_.after().data();
        std::string text;
        each_row([&](uint8_t *row, size_t bytes, unsigned plane, uint32_t y) {
            auto [found, wanted] = std::mismatch(row, row + bytes, expected);
            expected += bytes;
            if (found == row + bytes) return true;
            text = fmt::format("plane {} x={} y={}", plane,
                               size_t(found - row) / dump_.sample_bytes(), y);
            return false;
        });
        return text;
    }

  private:
    template <typename Visit>
    void each_row(Visit visit) {
        for (unsigned p = 0; p < dump_.planes(); p++)
            for (uint32_t y = 0; y < dump_.header().padded_height[p]; y++)
                if (!visit(base_ + offset_[p] + y * stride_[p],
                           size_t(dump_.header().padded_width[p]) * dump_.sample_bytes(), p, y))
                    return;
    }

    const DumpFile &dump_;
    std::vector<uint8_t> storage_;
    uint8_t *base_;
    size_t offset_[3] = {}, stride_[3] = {};
};

} // namespace tool
