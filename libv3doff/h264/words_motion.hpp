// SPDX-License-Identifier: BSD-2-Clause
// The motion of inter macroblocks, from a decoder's arrays to rectangles that are as large as they
// can be.
#pragma once

#include <array>

#include "h264/inter.hpp"
#include "h264/words.hpp"

namespace v3doff::h264 {

[[noreturn]] void bad_words(const char *what);

class WordsMotion {
  public:
    WordsMotion(const WordsFrame &frame, Inter &inter);
    void add(uint32_t x, uint32_t y);

  private:
    // What a rectangle of a macroblock is predicted from. Lists that are not used have index -1 and
    // no vector.
    struct Part {
        int32_t index[2] = {-1, -1};
        uint32_t vector[2] = {};
        bool operator==(const Part &) const = default;
    };
    struct Quarter {
        int32_t index[2];
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
    void begin_slice(uint16_t slice);
    Quarter read_quarter(const Macroblock &macroblock, unsigned quarter) const;
    Part read_part(const Macroblock &macroblock, unsigned partition, unsigned quarter) const;
    void add_quarters(const Macroblock &macroblock);
    void add_quarter(const Macroblock &macroblock, unsigned number, const Quarter &quarter);
    void append(const Macroblock &macroblock, unsigned x, unsigned y, unsigned width,
                unsigned height, const Part &part);
    uint16_t weights(const Part &part);
    uint16_t make_weights(const Part &part);

    const WordsFrame &frame_;
    Inter &inter_;
    uint16_t slice_ = no_slice;
    const v3doff_h264_prediction *prediction_ = nullptr; // of the slice
    // By both indices plus one, weights that the slice has made; no_weights: not yet.
    static constexpr uint32_t no_weights = UINT32_MAX;
    std::array<std::array<uint32_t, max_list_entries + 1>, max_list_entries + 1> made_;
};

} // namespace v3doff::h264
