// SPDX-License-Identifier: BSD-2-Clause
// The file that V3DOFF_DUMP writes of a picture and `v3doff replay` reads: docs/dumps.md. All
// numbers are little-endian. The tools compile this header too.
#pragma once

#include <cstdint>

namespace v3doff::dump {

inline constexpr uint32_t magic = 0x44443356; // "V3DD"
inline constexpr uint32_t version = 1;

// magic, version, then this, then chunks, then the FNV-1a of everything before.
struct Header {
    uint32_t width, height, bit_depth, chroma;
    uint32_t padded_width[3], padded_height[3];
};

// A chunk is its name, the bytes that follow, and those.
struct ChunkHeader {
    uint32_t name, reserved;
    uint64_t bytes;
};

constexpr uint32_t name(const char (&text)[5]) {
    return uint32_t(text[0]) | uint32_t(text[1]) << 8 | uint32_t(text[2]) << 16 |
           uint32_t(text[3]) << 24;
}

// Rows of padded_width samples, plane after plane.
inline constexpr uint32_t before = name("BFOR"), after = name("AFTR");
// Items of ItxItem and `coefficients` values of int32_t; the rest of the block is zero.
inline constexpr uint32_t vp9_itx = name("9ITX");
struct ItxItem {
    uint32_t plane, x, y, tx, type, eob, coefficients;
};
// Items of IdctItem and `coefficients` values of int32_t; the rest of the block is zero.
inline constexpr uint32_t h264_idct = name("4IDC");
struct IdctItem {
    uint32_t plane, x, y, rows, transform, coefficients;
};
// One picture that others are predicted from: ReferenceHeader, then its rows of `width` samples,
// plane after plane. The first such chunk is reference 0 of the blocks, the next one 1.
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
// A word, the v3doff_h264_structure, and v3doff_h264_deblock_mb.
inline constexpr uint32_t h264_deblock = name("4DBK");
// v3doff_h264_deblock_mbaff_mb.
inline constexpr uint32_t h264_deblock_mbaff = name("4MBF");
// ArraysHeader, v3doff_h264_slice, of an MBAFF frame the pictures of field macroblocks (2 * 32 of
// uint8_t for each slice), then, macroblocks and 4x4 blocks in raster order of the picture:
// types (uint32_t), QP (int8_t), slices (uint16_t), counts (16 of uint8_t), cbp (uint16_t) where
// there is any, and for each list that is there vectors (two int16_t a 4x4 block) and references
// (4 of int8_t). What is not looked at is 0, references are -1.
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
// Sharpness and one unused word, then v3doff_vp9_superblock.
inline constexpr uint32_t vp9_loopfilter = name("9LPF");

} // namespace v3doff::dump
