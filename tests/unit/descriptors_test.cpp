// SPDX-License-Identifier: BSD-2-Clause
// Descriptors are left to the program when they run out.
#include "util/descriptors.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include "util/error.hpp"
#include "vk/host_pages.hpp"

using namespace v3doff;

namespace {

constexpr rlim_t limit = 200;

// All numbers below the limit but `free` of them are taken.
class Descriptors : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before_), 0);
        const rlimit few{limit, before_.rlim_max};
        ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    }
    void TearDown() override {
        for (const int fd : taken_)
            close(fd);
        setrlimit(RLIMIT_NOFILE, &before_);
    }
    void leave_free(size_t free) {
        for (int fd; (fd = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;)
            taken_.push_back(fd);
        for (; free; free--) {
            close(taken_.back());
            taken_.pop_back();
        }
    }

  private:
    rlimit before_{};
    std::vector<int> taken_;
};

} // namespace

TEST_F(Descriptors, AreScarceBelow32) {
    EXPECT_FALSE(descriptors::are_scarce());
    leave_free(32);
    EXPECT_FALSE(descriptors::are_scarce());
    const int one = open("/dev/null", O_RDONLY | O_CLOEXEC);
    EXPECT_TRUE(descriptors::are_scarce());
    close(one);
}

TEST_F(Descriptors, TheUpperHalfIsTheProgramsOwn) {
    EXPECT_FALSE(descriptors::is_high(limit / 2 - 1));
    EXPECT_TRUE(descriptors::is_high(limit / 2));
}

// Where this machine has such devices; elsewhere they are refused anyway.
TEST_F(Descriptors, DmaBufsAreNotMadeInTheUpperHalf) {
    leave_free(limit / 4);
    for (auto path : {V3DOFF_MEMORY_UDMABUF, V3DOFF_MEMORY_DMA_HEAP})
        EXPECT_THROW(vk::HostPages::dma_buf(path, 4096), Error);
}
