// SPDX-License-Identifier: BSD-2-Clause
#include "core/one_thread.hpp"

#include <gtest/gtest.h>

using v3doff::OneThread;

TEST(OneThread, IsKnownAfterSoManyCallsInARow) {
    OneThread threads;
    for (unsigned n = 1; n < OneThread::enough; n++)
        EXPECT_FALSE(threads.call(std::this_thread::get_id()));
    for (unsigned n = 0; n < 3; n++)
        EXPECT_TRUE(threads.call(std::this_thread::get_id()));
}

TEST(OneThread, AnotherThreadBeginsAnew) {
    OneThread threads;
    std::thread other([] {});
    const auto self = std::this_thread::get_id(), another = other.get_id();
    other.join();
    for (unsigned n = 0; n < OneThread::enough; n++)
        threads.call(self);
    EXPECT_FALSE(threads.call(another));
    for (unsigned n = 1; n < OneThread::enough; n++)
        EXPECT_FALSE(threads.call(self));
    EXPECT_TRUE(threads.call(self));
}
