// SPDX-License-Identifier: BSD-2-Clause
// The file that V3DOFF_DUMP writes of a picture and `v3doff replay` reads: docs/dumps.md. All
// numbers are little-endian. The codecs' chunks are in dump_format.hpp of their folders. The tools
// compile these headers too.
#pragma once

#include <cstdint>

namespace v3doff::dump {

inline constexpr uint32_t magic = 0x44443356; // "V3DD"
inline constexpr uint32_t version = 3;

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

} // namespace v3doff::dump
