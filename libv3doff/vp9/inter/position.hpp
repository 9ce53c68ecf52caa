// SPDX-License-Identifier: BSD-2-Clause
// Where an inter block of the bitstream is predicted from, plane by plane: turns motion vectors
// into positions in the reference (VP9 bitstream specification 8.5.2.3). Where FFmpeg and libvpx
// differ from the specification, this does what they do.
#pragma once

#include <array>

#include "picture/format.hpp"
#include "vp9/block_size.hpp"
#include "vp9/inter/reference.hpp"

namespace v3doff::vp9 {

struct MotionVector {
    int16_t x, y; // 1/8 luma sample
};

struct InterBlock {
    uint16_t col, row; // 8x8 luma blocks
    uint8_t size, filter, reference;
    bool average;
    std::array<MotionVector, 4> vector; // a block without quarters has only the first one

    bool quarters() const { return size > last_whole_size; }
};

// A block as v3doff_vp9_append_inter() writes it, from its first or its second reference.
InterBlock inter_block(const uint32_t *words, unsigned which);

// Blocks of one picture from one reference. pieces() sets every member of InterInput. A piece may
// lie further outside the reference than inter_near() leaves it. Plane 1 stands for both planes of
// chroma.
class InterPredictor {
  public:
    InterPredictor() = default;
    // Throws INVALID_ARGUMENT if the sizes are too far apart (7.2).
    InterPredictor(const PictureFormat &picture, const PictureFormat &reference);

    class Pieces {
      public:
        void add(const InterInput &piece) { piece_[count_++] = piece; }
        const InterInput *begin() const { return piece_.data(); }
        const InterInput *end() const { return piece_.data() + count_; }

      private:
        std::array<InterInput, 8> piece_; // quarters of 4:4:4
        size_t count_ = 0;
    };
    Pieces pieces(const InterBlock &block) const;

  private:
    // A rectangle of one plane with one vector. In samples; (part_x, part_y) is where it lies in
    // its block, (block_width, block_height) that block.
    struct Piece {
        unsigned plane;
        int x, y, width, height;
        int part_x, part_y, block_width, block_height;
    };
    InterInput predict(const InterBlock &block, const Piece &piece,
                       const MotionVector &vector) const;
    void add_quarters(const InterBlock &block, unsigned plane, Pieces &to) const;

    int scale_[2] = {};    // reference's size / picture's size in 1/16384; 0: the sizes are equal
    uint8_t step_[2] = {}; // the same in 1/16
    bool has_chroma_ = false;
    unsigned shift_x_ = 0, shift_y_ = 0; // of chroma
    int limit_x_ = 0, limit_y_ = 0;      // of the picture, whole 8x8 blocks
};

} // namespace v3doff::vp9
