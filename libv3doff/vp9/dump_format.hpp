// SPDX-License-Identifier: BSD-2-Clause
// Chunks of dumps (picture/dump_format.hpp) with VP9 records.
#pragma once

#include "picture/dump_format.hpp"

namespace v3doff::dump {

// Items of ItxItem and `coefficients` values of int32_t; the rest of the block is zero.
inline constexpr uint32_t vp9_itx = name("9ITX");
struct ItxItem {
    uint32_t plane, x, y, tx, type, eob, coefficients;
};
// A reference picture: ReferenceHeader, then its rows of `width` samples, plane after plane. The
// first such chunk is reference 0 of the blocks, the next one 1.
inline constexpr uint32_t vp9_reference = name("9REF");
struct ReferenceHeader {
    uint32_t width, height;
};
// Items of McItem.
inline constexpr uint32_t vp9_mc = name("9MC ");
struct McItem {
    uint32_t x, y;
    int32_t ref_x, ref_y;
    uint8_t plane, width, height, mx, my, step_x, step_y, filter, average, reference, unused[2];
};
// A picture that was recorded as words: WordsHeader, then for each lane WordsLane and its words of
// blocks, transforms and coefficients (v3doff/vp9_words.h).
inline constexpr uint32_t vp9_words = name("9WRD");
struct WordsHeader {
    uint32_t lossless, partial;
    int32_t reference[3]; // which chunk of those before; negative: there is none
    int16_t dequantisation[8][2][2];
};
struct WordsLane {
    uint32_t lane, blocks, transforms, coefficients; // numbers of words
};
// Sharpness and one unused word, then v3doff_vp9_superblock.
inline constexpr uint32_t vp9_loopfilter = name("9LPF");

} // namespace v3doff::dump
