// SPDX-License-Identifier: BSD-2-Clause
#include "picture/plain_array.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <new>

using v3doff::PlainArray;

TEST(PlainArray, GrowsAndKeeps) {
    PlainArray<uint32_t> array;
    for (uint32_t i = 0; i < 5000; i++)
        *array.append(1) = i;
    ASSERT_EQ(array.size(), 5000u);
    for (uint32_t i = 0; i < 5000; i++)
        EXPECT_EQ(array[i], i);
}

// An array that could not grow is as it was: it does not take what it asked for as had.
TEST(PlainArray, WithoutMemoryNothingChanges) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
    GTEST_SKIP() << "clang's sanitizer ends the program where new would throw";
#endif
#endif
    PlainArray<uint32_t> array;
    *array.append(1) = 7;
    // More than an array may have, which new refuses by itself: no allocator is asked.
    const volatile size_t beyond = std::numeric_limits<size_t>::max() / 8;
    const size_t too_many = beyond;
    EXPECT_THROW(array.append(too_many), std::bad_alloc);
    EXPECT_EQ(array.size(), 1u);
    EXPECT_THROW(array.make_room(too_many), std::bad_alloc);
    for (uint32_t i = 1; i < 1000; i++) // beyond what it had room for
        *array.append(1) = i;
    EXPECT_EQ(array[0], 7u);
    EXPECT_EQ(array[999], 999u);
}
