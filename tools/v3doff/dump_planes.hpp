// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "dump_file.hpp"

namespace tool {

// The planes of a dump: in one allocation, aligned as FFmpeg's are, or, if the records require it,
// in the memory of a pool.
class DumpPlanes {
  public:
    explicit DumpPlanes(const DumpFile &dump) : dump_(dump) {
        if (!dump.of_pool()) allocate();
    }

    // A picture with the samples that were there before.
    Picture open(v3doff_device *device) {
        const auto &header = dump_.header();
        const Pool pool =
            make_pool(device, header.width, header.height, header.bit_depth, dump_.chroma());
        Picture picture = open_picture(pool.get(), dump_.of_pool() ? nullptr : &planes_);
        if (dump_.of_pool()) planes_ = planes_of(picture.get());
        for (unsigned p = 0; p < planes_.count; p++)
            if (planes_.padded_width[p] != header.padded_width[p] ||
                planes_.padded_height[p] != header.padded_height[p])
                throw DumpError("holds a picture with other padding than this device's");
        const uint8_t *from = dump_.before().data();
        each_row([&](uint8_t *row, size_t bytes, unsigned, uint32_t) {
            std::memcpy(row, from, bytes);
            from += bytes;
            return true;
        });
        return picture;
    }

    // Empty, or where the picture's samples first differ from the dumped result.
    std::string compare(Picture picture) const {
        if (!dump_.of_pool()) picture.reset();
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
    void allocate() {
        const DumpFile &dump = dump_;
        size_t offset[3] = {}, stride[3] = {};
        size_t bytes = 64;
        for (unsigned p = 0; p < dump.planes(); p++)
            stride[p] =
                (size_t(dump.header().padded_width[p]) * dump.sample_bytes() + 63) / 64 * 64;
        if (dump.planes() == 3) stride[1] = stride[2] = std::max(stride[1], stride[2]);
        for (unsigned p = 0; p < dump.planes(); p++) {
            offset[p] = bytes;
            bytes += stride[p] * dump.header().padded_height[p];
        }
        storage_.resize(bytes + 64);
        uint8_t *const base =
            storage_.data() + (64 - reinterpret_cast<uintptr_t>(storage_.data()) % 64);
        planes_.struct_size = sizeof planes_;
        planes_.count = dump.planes();
        for (unsigned p = 0; p < planes_.count; p++) {
            planes_.data[p] = base + offset[p];
            planes_.stride[p] = ptrdiff_t(stride[p]);
            planes_.padded_width[p] = dump.header().padded_width[p];
            planes_.padded_height[p] = dump.header().padded_height[p];
        }
    }

    template <typename Visit>
    void each_row(Visit visit) const {
        for (unsigned p = 0; p < planes_.count; p++)
            for (uint32_t y = 0; y < planes_.padded_height[p]; y++)
                if (!visit(static_cast<uint8_t *>(planes_.data[p]) +
                               ptrdiff_t(y) * planes_.stride[p],
                           size_t(planes_.padded_width[p]) * dump_.sample_bytes(), p, y))
                    return;
    }

    const DumpFile &dump_;
    std::vector<uint8_t> storage_; // empty if the memory is the pool's
    v3doff_planes planes_{};
};

} // namespace tool
