// SPDX-License-Identifier: BSD-2-Clause
#include "core/one_by_one.hpp"

#include <gtest/gtest.h>

using v3doff::OneByOne;

namespace {

// The answer to the last of so many pictures; every n-th one is opened when none is under way.
bool make_pictures(OneByOne &makers, std::thread::id thread, unsigned count, unsigned n) {
    OneByOne::Answer answer;
    for (unsigned picture = 1; picture <= count; picture++) {
        makers.open(picture % n != 0);
        answer = makers.submit(thread);
        EXPECT_LE(answer.waits, answer.one_thread);
    }
    return answer.waits;
}

constexpr unsigned always = 1, never = 1000000;
const auto self = std::this_thread::get_id();

} // namespace

TEST(OneByOne, IsKnownAfterSoManyPicturesInARow) {
    OneByOne makers;
    for (unsigned n = 1; n < OneByOne::enough; n++)
        EXPECT_FALSE(make_pictures(makers, self, 1, always));
    for (unsigned n = 0; n < 3; n++)
        EXPECT_TRUE(make_pictures(makers, self, 1, always));
}

TEST(OneByOne, AnotherThreadBeginsAnew) {
    OneByOne makers;
    std::thread other([] {});
    const auto another = other.get_id();
    other.join();
    EXPECT_TRUE(make_pictures(makers, self, OneByOne::enough, always));
    EXPECT_FALSE(makers.submit(another).one_thread);
    EXPECT_FALSE(make_pictures(makers, another, 1, always));
    EXPECT_FALSE(make_pictures(makers, self, OneByOne::enough - 1, always));
    EXPECT_TRUE(make_pictures(makers, self, 1, always));
}

TEST(OneByOne, IsNotWhoDoesNotWait) {
    OneByOne makers;
    EXPECT_FALSE(make_pictures(makers, self, 1000, never));
    EXPECT_TRUE(makers.submit(self).one_thread);
    EXPECT_FALSE(make_pictures(makers, self, 1000, 50));
    EXPECT_TRUE(make_pictures(makers, self, OneByOne::enough, always));
    EXPECT_FALSE(make_pictures(makers, self, OneByOne::enough, never));
}

// A pyramid of three B pictures is waited for once in four pictures.
TEST(OneByOne, IsWhoWaitsNowAndThen) {
    OneByOne makers;
    for (unsigned period : {2, 4, 6}) {
        EXPECT_TRUE(make_pictures(makers, self, 1000, period));
        EXPECT_TRUE(make_pictures(makers, self, 3, never));
    }
}
