// SPDX-License-Identifier: BSD-2-Clause
// An array of words to which a caller appends directly, through pointers into it.
#pragma once

#include <cstdint>

#include "picture/plain_array.hpp"
#include "util/error.hpp"

namespace v3doff {

// Takes the words that were appended since point_to_words(). Throws INVALID_ARGUMENT if the
// pointers do not belong to the array.
inline void take_words(PlainArray<uint32_t> &array, const uint32_t *next, const uint32_t *end) {
    const uint32_t *begin = array.span().data();
    if (next == begin && !begin) return;
    if (next < begin + array.size() || next > end || end != begin + array.capacity())
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, "words: not the pointers that the lane gave");
    array.append(size_t(next - begin) - array.size());
}

inline void point_to_words(PlainArray<uint32_t> &array, uint32_t *&next, uint32_t *&end) {
    uint32_t *const begin = array.capacity() ? &array[0] : nullptr;
    next = begin + array.size();
    end = begin + array.capacity();
}

} // namespace v3doff
