// SPDX-License-Identifier: BSD-2-Clause
#include "util/file.hpp"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/cache_file.hpp"

using namespace v3doff;

namespace {

using Bytes = std::vector<uint8_t>;
constexpr uid_t somebody = 65534;

class File : public testing::Test {
  protected:
    void SetUp() override {
        std::filesystem::remove_all(base);
        // What a write makes is private even where the process takes nothing away.
        mask = umask(0);
        ASSERT_EQ(file::write_atomically(path, whole), "");
    }
    void TearDown() override {
        umask(mask);
        std::filesystem::remove_all(base);
    }
    // Why a file that has to be this user's alone is not read; empty when it is.
    std::string refused() const {
        std::string problem;
        const auto bytes = file::read(path, 100, file::Trust::owned, &problem);
        EXPECT_EQ(bytes.has_value(), problem.empty());
        return problem;
    }
    size_t files() const {
        size_t count = 0;
        for (auto &entry : std::filesystem::directory_iterator(folder))
            count += entry.is_regular_file();
        return count;
    }

    const std::string base = testing::TempDir() + "v3doff-file-" + std::to_string(getpid());
    const std::string folder = base + "/deep", path = folder + "/cache.bin";
    const Bytes whole = {1, 2, 3};
    mode_t mask = 0;
};

mode_t mode_of(const std::string &path) {
    struct stat status {};
    EXPECT_EQ(stat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
}

} // namespace

TEST_F(File, WritesWholeOrNotAtAll) {
    const Bytes second = {4, 5};
    EXPECT_EQ(file::read(path, 100), whole);
    EXPECT_EQ(file::write_atomically(path, second, file::Crash::may_cut_it_short), "");
    EXPECT_EQ(file::read(path, 100), second);
    EXPECT_EQ(file::read(folder, 100), std::nullopt);
    EXPECT_EQ(files(), 1u); // no temporary file stays behind
    // A file where the folder should be: refused with a reason, nothing thrown.
    EXPECT_NE(file::write_atomically(path + "/below", whole), "");
}

TEST_F(File, SaysWhyItIsNotRead) {
    std::string problem;
    EXPECT_EQ(file::read(path, 2, file::Trust::named, &problem), std::nullopt);
    EXPECT_EQ(problem, "larger than 2 bytes");
    EXPECT_EQ(file::read(path + ".gone", 100, file::Trust::named, &problem), std::nullopt);
    EXPECT_EQ(file::read(base + "/gone/cache", 100, file::Trust::named, &problem), std::nullopt);
    EXPECT_EQ(problem, "");
}

TEST_F(File, PipesAndDevicesAreNotRead) {
    const std::string pipe = folder + "/pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    alarm(20); // who waits for a writer waits for ever
    for (const std::string &path : {pipe, std::string("/dev/zero")}) {
        std::string problem;
        EXPECT_EQ(file::read(path, 100, file::Trust::named, &problem), std::nullopt);
        EXPECT_EQ(problem, "not a regular file");
    }
    alarm(0);
}

TEST_F(File, WhatIsMadeIsPrivate) {
    EXPECT_EQ(mode_of(base), 0700u);
    EXPECT_EQ(mode_of(folder), 0700u);
    EXPECT_EQ(mode_of(path), 0600u);
    EXPECT_EQ(refused(), "");
}

TEST_F(File, WhatOthersMayWriteIsNotTrusted) {
    for (mode_t mode : {0777, 0770, 0702, 01777}) {
        chmod(folder.c_str(), mode);
        EXPECT_NE(refused().find("may write to its folder"), std::string::npos) << mode;
        EXPECT_NE(
            file::write_atomically(path, whole, file::Crash::keeps_it_whole, file::Trust::owned),
            "");
        EXPECT_EQ(file::read(path, 100), whole); // who named it gets it
    }
    chmod(folder.c_str(), 0755);
    EXPECT_EQ(refused(), "");
    chmod(path.c_str(), 0664);
    EXPECT_NE(refused().find("may write to it"), std::string::npos);
}

TEST_F(File, WhatBelongsToOthersIsNotTrusted) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
    ASSERT_EQ(chown(path.c_str(), somebody, somebody), 0);
    EXPECT_NE(refused().find("belongs to another user"), std::string::npos);
    ASSERT_EQ(chown(path.c_str(), 0, 0), 0);
    EXPECT_EQ(refused(), "");
    ASSERT_EQ(chown(folder.c_str(), somebody, somebody), 0);
    EXPECT_NE(refused().find("its folder belongs to another user"), std::string::npos);
    ASSERT_EQ(chown(folder.c_str(), 0, 0), 0);
    // Another user's link to a folder of ours.
    const std::string link = base + "/link";
    ASSERT_EQ(symlink(folder.c_str(), link.c_str()), 0);
    std::string problem;
    EXPECT_EQ(file::read(link + "/cache.bin", 100, file::Trust::owned, &problem), whole);
    ASSERT_EQ(lchown(link.c_str(), somebody, somebody), 0);
    EXPECT_EQ(file::read(link + "/cache.bin", 100, file::Trust::owned, &problem), std::nullopt);
    EXPECT_NE(problem, "");
}

// Root with a user's HOME must not make a folder there that the user cannot remove.
TEST_F(File, NothingIsMadeInFoldersOfOthers) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can give folders away";
    const auto write = [&](const std::string &path, file::Trust trust) {
        return file::write_atomically(path, whole, file::Crash::may_cut_it_short, trust);
    };
    const std::string link = base + "/link", below = "/.cache/v3doff/cache.bin";
    ASSERT_EQ(symlink(folder.c_str(), link.c_str()), 0);
    ASSERT_EQ(lchown(link.c_str(), somebody, somebody), 0);
    EXPECT_NE(write(link + below, file::Trust::owned), "");
    ASSERT_EQ(chown(folder.c_str(), somebody, somebody), 0);
    EXPECT_NE(write(folder + below, file::Trust::owned).find("another user"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder + "/.cache"));
    EXPECT_EQ(write(folder + below, file::Trust::named), ""); // who named it wants it there
    ASSERT_EQ(chown(folder.c_str(), 0, 0), 0);
    EXPECT_EQ(write(folder + "/other" + below, file::Trust::owned), "");
}

TEST_F(File, ACacheThatWasRefusedIsNotTriedAgain) {
    std::string problem;
    const auto write = [&](const std::string &path) {
        return cache_file::write(path, whole, file::Crash::may_cut_it_short);
    };
    EXPECT_EQ(write(base + "/cache/a"), "");
    EXPECT_EQ(cache_file::read(base + "/cache/none", 100, problem), std::nullopt);
    EXPECT_EQ(problem, ""); // a file that is not there yet is no refusal
    chmod((base + "/cache").c_str(), 0777);
    EXPECT_NE(write(base + "/cache/a"), "");
    chmod((base + "/cache").c_str(), 0700);
    EXPECT_EQ(write(base + "/cache/b"), "");
    EXPECT_FALSE(std::filesystem::exists(base + "/cache/b"));
    EXPECT_EQ(cache_file::read(base + "/cache/a", 100, problem), std::nullopt);
    EXPECT_EQ(problem, "");
    EXPECT_EQ(write(base + "/other/a"), "");
    EXPECT_EQ(cache_file::read(base + "/other/a", 2, problem), std::nullopt);
    EXPECT_NE(problem, "");
    EXPECT_EQ(cache_file::read(base + "/other/a", 100, problem), std::nullopt);
}

TEST_F(File, AKilledWriterLeavesNothingForGood) {
    const pid_t writer = fork();
    if (!writer) {
        // The kernel ends it in the middle of the write.
        const rlimit none{0, 0}, few{4096, 4096};
        setrlimit(RLIMIT_CORE, &none);
        setrlimit(RLIMIT_FSIZE, &few);
        signal(SIGXFSZ, SIG_DFL);
        (void)file::write_atomically(path, Bytes(10000));
        _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(writer, &status, 0), writer);
    ASSERT_TRUE(WIFSIGNALED(status));
    ASSERT_EQ(files(), 2u);
    EXPECT_EQ(file::read(path, 100), whole);
    EXPECT_EQ(file::write_atomically(path, whole), "");
    EXPECT_EQ(files(), 1u);
}

TEST_F(File, OtherFilesStay) {
    // A writer that is at work, and files that only look like one's.
    const std::string busy = path + ".v3doff-0123abcd";
    const int writing = open(busy.c_str(), O_WRONLY | O_CREAT, 0600);
    ASSERT_EQ(flock(writing, LOCK_EX), 0);
    for (const char *name : {"/cache.bin.backup", "/x.v3doff-12345xyz", "/.v3doff-01234567"})
        std::ofstream(folder + name) << "mine";
    EXPECT_EQ(file::write_atomically(path, whole), "");
    EXPECT_EQ(files(), 5u);
    close(writing);
    EXPECT_EQ(file::write_atomically(path, whole), "");
    EXPECT_EQ(files(), 4u);
}
