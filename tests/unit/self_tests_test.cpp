// SPDX-License-Identifier: BSD-2-Clause
// Which results of a device wait for a comparison.
#include <future>
#include <gtest/gtest.h>

#include "vk/self_tests.hpp"

using v3doff::vk::SelfTests;

namespace {

void expect_claim(SelfTests &tests, uint32_t kind, bool compare, uint32_t pending) {
    const SelfTests::Claim claim = tests.claim(kind);
    EXPECT_EQ(claim.compare, compare);
    EXPECT_EQ(claim.pending, pending);
}

} // namespace

TEST(SelfTests, NothingWaitsUnlessOneIsWanted) {
    SelfTests tests;
    EXPECT_FALSE(tests.claim(1));
    tests.want(2);
    EXPECT_FALSE(tests.claim(1));
    EXPECT_FALSE(tests.claim(0));
}

TEST(SelfTests, TheFirstResultIsComparedAndOthersWait) {
    SelfTests tests;
    tests.want(1);
    expect_claim(tests, 1, true, 0);
    expect_claim(tests, 1, false, 1);
    expect_claim(tests, 0, false, 1);
    auto passed = std::async(std::launch::async, [&] { return tests.passed(1); });
    EXPECT_EQ(passed.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
    tests.end(1, true);
    EXPECT_TRUE(passed.get());
    tests.want(1); // a second one is never compared
    EXPECT_FALSE(tests.claim(1));
}

TEST(SelfTests, AfterADifferenceNoResultPasses) {
    SelfTests tests;
    tests.want(1);
    expect_claim(tests, 1, true, 0);
    tests.end(1, false);
    tests.want(1);
    for (uint32_t kind : {0, 1, 2})
        expect_claim(tests, kind, false, 1);
    EXPECT_FALSE(tests.passed(1));
}

// The second one may be compared with what is made from the result that waits.
TEST(SelfTests, NoResultWaitsForAComparisonBehindIt) {
    SelfTests tests;
    tests.want(1);
    tests.want(2);
    expect_claim(tests, 1, true, 0);
    const uint32_t pending = tests.claim(0).pending;
    expect_claim(tests, 2, true, 1);
    expect_claim(tests, 0, false, 3);
    tests.end(1, true);
    EXPECT_TRUE(tests.passed(pending));
    expect_claim(tests, 0, false, 2);
    tests.end(2, true);
    EXPECT_TRUE(tests.passed(3));
    EXPECT_FALSE(tests.claim(2));
}
