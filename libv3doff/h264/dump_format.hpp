// SPDX-License-Identifier: BSD-2-Clause
// Chunks of dumps (picture/dump_format.hpp) with H.264 records.
#pragma once

#include "picture/dump_format.hpp"

namespace v3doff::dump {

// Items of IdctItem and `coefficients` values of int32_t; the rest of the block is zero.
inline constexpr uint32_t h264_idct = name("4IDC");
struct IdctItem {
    uint32_t plane, x, y, rows, transform, coefficients;
};
// One picture that a picture of words is predicted from: its rows of whole macroblocks, plane after
// plane. The first such chunk is reference 0 of the words' header, the next one 1.
inline constexpr uint32_t h264_reference = name("4REF");
// A frame or a field that was recorded as words, whose macroblocks are in an ArraysHeader's chunk
// before it: H264WordsHeader, v3doff_h264_prediction of so many slices, with h264_field_implicit
// v3doff_h264_picture_info.field_implicit of as many, and of each lane H264WordsLane and its words
// of macroblocks and coefficients (v3doff/h264_words.h).
inline constexpr uint32_t h264_words = name("4WRD");
inline constexpr uint32_t h264_field_implicit = 1 << 8; // in the structure
struct H264WordsHeader {
    uint32_t structure, partial, predictions;
    int32_t reference[16]; // which chunk of those before, or one of those below
};
inline constexpr int32_t h264_no_reference = -1;
// The other field, which is among the samples at submit.
inline constexpr int32_t h264_own_reference = -2;
struct H264WordsLane {
    uint32_t lane, macroblocks, coefficients; // how many words
};
// A word, the v3doff_h264_structure, and v3doff_h264_deblock_mb.
inline constexpr uint32_t h264_deblock = name("4DBK");
// v3doff_h264_deblock_mbaff_mb.
inline constexpr uint32_t h264_deblock_mbaff = name("4MBF");
// ArraysHeader; where they are filtered v3doff_h264_slice, of an MBAFF frame the pictures of field
// macroblocks (2 * 32 of uint8_t for each slice); then, macroblocks and 4x4 blocks in raster order
// of the picture: types (uint32_t), slices (uint16_t), where they are filtered QP (int8_t), counts
// (16 of uint8_t), and cbp (uint16_t) where there is any; for each list that is there vectors (two
// int16_t a 4x4 block) and references (4 of int8_t). What is not looked at is 0, references are -1.
inline constexpr uint32_t h264_arrays = name("4ARR");
struct ArraysHeader {
    uint32_t structure, flags, mb_width, mb_height, slices, cbp, list[2];
};
// Single edges in the order in which they were filtered: EdgeItem.
inline constexpr uint32_t h264_edges = name("4EDG");
struct EdgeItem {
    uint32_t plane, x, y, between_rows, field;
    int32_t alpha, beta;
    int8_t tc0[4]; // negative: not filtered; the table's value also for chroma
    uint8_t lines, chroma_style, strong, unused;
};

} // namespace v3doff::dump
