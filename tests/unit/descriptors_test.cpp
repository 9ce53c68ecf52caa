// SPDX-License-Identifier: BSD-2-Clause
// Descriptors are left to the program when they run out.
#include "util/descriptors.hpp"

#include <cstddef>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
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

namespace {

// As the sandbox of Firefox's decoders, in its strict mode.
void end_process_on_prlimit() {
    sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{std::size(rules), rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        _exit(0); // this kernel has none
}

} // namespace

TEST(DescriptorsDeathTest, NobodyIsAskedInASandboxThatBeganLater) {
    if (prctl(PR_GET_SECCOMP) != 0) GTEST_SKIP() << "the test is in a sandbox itself";
    EXPECT_EXIT((end_process_on_prlimit(), _exit(descriptors::are_scarce() || descriptors::is_high(0))),
                testing::ExitedWithCode(0), "");
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
