// SPDX-License-Identifier: BSD-2-Clause
// Random arrays of an H.264 decoder for one picture or field, in the layout of FFmpeg's frames, and
// as consistent as a decoder's.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "h264/macroblocks/arrays.hpp"

namespace v3doff::check {

enum class H264Slices { p, b, mixed };

struct H264ArraysShape {
    uint32_t mb_width = 1, mb_height = 1; // of the picture or field
    unsigned structure = 3;               // 1: top field, 2: bottom field, 3: frame
    bool mbaff = false;                   // a frame of whole pairs, of frame or field macroblocks
    unsigned bit_depth = 8;
    bool cabac = true;
    H264Slices slices = H264Slices::p;
    int chroma_qp_index_offset[2] = {0, 0};
    bool one_slice = false; // of all macroblocks, all of them filtered
};

class H264Arrays {
  public:
    using Random = std::mt19937_64;
    H264Arrays(const H264ArraysShape &shape, Random &random);

    bool field() const { return shape_.structure != 3; }
    const H264ArraysShape &shape() const { return shape_; }
    h264::Arrays input() const;
    v3doff_h264_arrays arrays() const; // the same for the C API

    struct SliceStart {
        uint32_t first; // in decoding order: of an MBAFF frame twice the number of a pair
        unsigned lists;
    };
    // Slice n has number n + 1.
    const std::vector<SliceStart> &starts() const { return starts_; }
    const h264::Slice &slice(size_t n) const { return slices_[n + 1]; }
    using Pictures = std::array<std::array<uint8_t, h264::max_list_entries>, 2>;
    const Pictures &field_pictures(size_t n) const { return field_pictures_[n + 1]; }

    // The arrays as the frame's: of macroblock (0, 0) of the top field.
    uint32_t mb_stride() const { return shape_.mb_width + 1; }
    uint32_t *mb_type() { return &mb_type_[before()]; }
    int8_t *qp() { return &qp_[before()]; }
    uint16_t *slice_table() { return &slice_table_[before()]; }
    uint8_t (*non_zero_count())[48] { return &non_zero_count_[before()].count; }
    uint16_t *cbp() { return &cbp_[before()]; }
    int16_t (*motion(unsigned list))[2] { return &motion_[list][4].v; }
    int8_t *reference(unsigned list) { return &reference_[list][before() * 4]; }

  private:
    struct Counts {
        uint8_t count[48];
    };
    struct Vector {
        int16_t v[2];
    };
    struct Part {
        bool uses[2];
        int8_t reference[2];
        Vector motion[2];
    };
    size_t before() const { return 2 * mb_stride() + 1; }
    size_t rows() const { return size_t(shape_.mb_height) << unsigned(field()); }
    size_t place(uint32_t x, uint32_t y) const;
    Vector *motion_of(unsigned list, uint32_t x, uint32_t y);
    uint32_t below(uint32_t bound) { return uint32_t(random_() % bound); }
    int between(int least, int most) { return least + int(below(uint32_t(most - least + 1))); }
    bool one_in(uint32_t n) { return !below(n); }

    void allocate();
    void make_slices();
    void make_macroblock(uint32_t x, uint32_t y, unsigned lists, bool field_mb);
    void make_intra(size_t at);
    void make_inter(size_t at, uint32_t x, uint32_t y, unsigned lists, unsigned references);
    void split_blocks(const Part parts[4], uint32_t x, uint32_t y);
    void make_coefficients(size_t at, uint32_t type);
    void make_8x8_coefficients(size_t at, unsigned block, bool coded);
    Part make_part(unsigned lists, unsigned references);
    Vector near_vector();
    void put_part(const Part &part, size_t at, uint32_t x, uint32_t y, unsigned block);

    H264ArraysShape shape_;
    Random random_;
    int motion_range_; // how much neighbouring motion vectors differ
    std::vector<SliceStart> starts_;
    std::vector<h264::Slice> slices_;
    std::vector<Pictures> field_pictures_;
    std::vector<uint32_t> mb_type_;
    std::vector<int8_t> qp_, reference_[2];
    std::vector<uint16_t> slice_table_, cbp_;
    std::vector<Counts> non_zero_count_;
    std::vector<Vector> motion_[2];
};

} // namespace v3doff::check
