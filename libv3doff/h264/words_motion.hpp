// SPDX-License-Identifier: BSD-2-Clause
// Turns the motion of inter macroblocks, from a decoder's arrays, into rectangles that are as large
// as possible.
#pragma once

#include <array>

#include "h264/inter.hpp"
#include "h264/words_frame.hpp"

namespace v3doff::h264 {

[[noreturn]] void bad_words(const char *what);

// Throws INVALID_ARGUMENT for what a slice cannot have.
void check_weights(const v3doff_h264_prediction &of);

// How predictions by these indices, which are in their lists, are combined; negative: the list is
// not used. False: as by default. Throws INVALID_ARGUMENT for a weight that a slice cannot have.
bool pair_weights(const v3doff_h264_prediction &from, const int (&index)[2], InterWeights &to);

class WordsMotion {
  public:
    WordsMotion(const WordsFrame &frame, Inter &inter);
    // So many macroblocks beside each other. The last ones are only there after finish().
    void add(uint32_t x, uint32_t y, uint32_t count);
    void finish() { end_run(); }

  private:
    // Bit of a macroblock's type: its first or second partition uses the list.
    static constexpr uint32_t partition_uses(unsigned partition, unsigned list) {
        return 1u << (12 + partition + 2 * list);
    }
    // What a rectangle of a macroblock is predicted from. Lists that are not used have index -1 and
    // no vector.
    struct Part {
        int8_t index[2] = {-1, -1};
        uint32_t vector[2] = {};
        // Without branches: it is asked once a macroblock.
        bool operator==(const Part &with) const {
            return !((index[0] ^ with.index[0]) | (index[1] ^ with.index[1]) |
                     int32_t((vector[0] ^ with.vector[0]) | (vector[1] ^ with.vector[1])));
        }
    };
    struct Quarter {
        int8_t index[2];
        uint64_t rows[2][2]; // [list][row of 4x4 blocks]: two vectors
        bool uniform() const;
        bool same_columns() const; // in each row both vectors are one
        bool same_rows() const;
        Part part(unsigned block) const;
    };
    struct Macroblock {
        uint32_t x, y, type;
        const int8_t *index[2];        // of its 8x8 blocks
        const int16_t (*vector[2])[2]; // of its 4x4 blocks; null: the list is not used
    };
    // Macroblocks beside each other that are predicted alike: often half of a picture.
    struct Run {
        uint32_t next = 0; // the place behind it, as place() has it
        uint32_t count = 0;
        Part part;
    };
    static uint32_t place(uint32_t x, uint32_t y) { return x | y << 16; }
    void begin_slice(uint16_t slice);
    void end_run();
    Quarter read_quarter(const Macroblock &macroblock, unsigned quarter) const;
    Part read_part(const Macroblock &macroblock, unsigned partition, unsigned quarter) const;
    bool is_whole(const Macroblock &macroblock) const;
    void add_whole(uint32_t x, uint32_t y, const Part &part);
    void add_parts(uint32_t x, uint32_t y, uint32_t type);
    void add_quarters(const Macroblock &macroblock);
    void add_quarter(const Macroblock &macroblock, unsigned number, const Quarter &quarter);
    void append(const Macroblock &macroblock, unsigned x, unsigned y, unsigned width,
                unsigned height, const Part &part);
    InterInput predicted_from(const Part &part);
    uint16_t weights(const Part &part);
    uint16_t make_weights(const Part &part);

    const WordsFrame &frame_;
    uint32_t missing_lists_ = 0; // types that use them have no arrays
    Inter &inter_;
    uint16_t slice_ = no_slice;
    const v3doff_h264_prediction *prediction_ = nullptr; // of the slice
    bool weighted_ = false;                              // its predictions may be
    Run run_;
    // By list and reference index: its number in the picture, unused or missing.
    static constexpr int8_t unused_list = -1, missing = -2;
    std::array<std::array<int8_t, 256>, 2> numbers_;
    // By both indices plus one, weights that the slice has made; no_weights: not yet.
    static constexpr uint32_t no_weights = UINT32_MAX;
    std::array<std::array<uint32_t, max_list_entries + 1>, max_list_entries + 1> made_;
};

} // namespace v3doff::h264
