// SPDX-License-Identifier: BSD-2-Clause
// What all records need. C++ and GLSL compile them.
#ifndef V3DOFF_RECORDS_RECORD_H
#define V3DOFF_RECORDS_RECORD_H

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
#define RECORDS_BEGIN(name) namespace name {
#define RECORDS_END }
#define RECORD_LAYOUT(condition) static_assert(condition);
#define RECORD_FUNCTION inline
namespace v3doff {
using uint = std::uint32_t;
}
#else
#define RECORDS_BEGIN(name)
#define RECORDS_END
#define RECORD_LAYOUT(condition)
#define RECORD_FUNCTION
#endif

RECORDS_BEGIN(v3doff)

// The work of a workgroup: records from a word offset of the arena on, and what they are.
struct WorkGroup {
    uint records, what;
};

// Some bits of a word: the lowest one, and how many there are. A record's header lists those of its
// words, and whoever writes or reads one does it with the functions below.
struct Bits {
    uint first, count;
};
const Bits LOWER_HALF = {0, 16}, UPPER_HALF = {16, 16};

// The value must fit.
RECORD_FUNCTION uint pack(uint value, Bits at) { return value << at.first; }

RECORD_FUNCTION uint unpack(uint word, Bits at) {
    uint value = word >> at.first;
    return at.first + at.count == 32u ? value : value & ((1u << at.count) - 1u);
}

// The same in two's complement.
RECORD_FUNCTION uint pack_signed(int value, Bits at) {
    return uint(value) << (32u - at.count) >> (32u - at.count - at.first);
}

RECORD_FUNCTION int unpack_signed(uint word, Bits at) {
    return int(word << (32u - at.count - at.first)) >> (32u - at.count);
}

RECORDS_END

#endif
