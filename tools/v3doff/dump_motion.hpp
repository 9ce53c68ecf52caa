// SPDX-License-Identifier: BSD-2-Clause
// Vectors and references of an H.264 picture from a dump.
#pragma once

#include <array>

#include "dump_records.hpp"
#include "v3doff/h264.h"

namespace tool {

// Owns the data that arrays point to.
class DumpMotion {
  public:
    // Reads the lists that the dump has.
    DumpMotion(DumpReader &reader, const uint32_t (&has_list)[2], uint32_t mb_width,
               uint32_t mb_height)
        : mb_width_(mb_width) {
        const size_t macroblocks = size_t(mb_width) * mb_height;
        for (unsigned list = 0; list < 2; list++) {
            if (!has_list[list]) continue;
            vectors_[list] = reader.values<std::array<int16_t, 2>>(macroblocks * 16);
            references_[list] = reader.values<int8_t>(macroblocks * 4);
        }
    }

    void point_to_it(v3doff_h264_arrays &arrays) const {
        for (unsigned list = 0; list < 2; list++) {
            if (references_[list].empty()) continue;
            arrays.motion[list] = reinterpret_cast<const int16_t(*)[2]>(vectors_[list].data());
            arrays.reference[list] = references_[list].data();
        }
        arrays.motion_stride = size_t(mb_width_) * 4;
        arrays.motion_mb_stride = arrays.motion_stride * 4;
    }

    bool operator==(const DumpMotion &) const = default;

  private:
    uint32_t mb_width_;
    std::vector<std::array<int16_t, 2>> vectors_[2];
    std::vector<int8_t> references_[2];
};

// A decoder's arrays, from which the deblocking was recorded.
struct DumpArrays {
    DumpArrays(DumpReader &reader, const v3doff::dump::ArraysHeader &header);

    struct Counts {
        uint8_t of_block[48];
    };
    struct Pictures {
        uint8_t of_list[2][32];
    };
    std::vector<v3doff_h264_slice> slices;
    std::vector<Pictures> field_pictures;
    std::vector<uint32_t> types;
    std::vector<int8_t> qp;
    std::vector<uint16_t> slice_table;
    std::vector<Counts> counts;
    std::vector<uint16_t> cbp;
    DumpMotion motion;
    v3doff_h264_arrays arrays{}; // points to them
};

} // namespace tool
