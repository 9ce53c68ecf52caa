// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/env.hpp"
#include "util/fault.hpp"
#include "util/file.hpp"
#include "util/log.hpp"
#include "variable.hpp"

using namespace v3doff;

namespace {

std::string last_line;
void keep_line(void *, v3doff_log_level, const char *line) {
    last_line = line;
}

} // namespace

TEST(Environment, UnknownChoiceIsNamedAndIgnored) {
    constexpr std::string_view names[] = {"auto", "staging"};
    v3doff_log_set(keep_line, nullptr, V3DOFF_LOG_WARNING);
    {
        Variable set("V3DOFF_TEST_CHOICE", "staging");
        EXPECT_EQ(env::choice("V3DOFF_TEST_CHOICE", names), size_t(1));
    }
    Variable set("V3DOFF_TEST_CHOICE", "nonsense");
    EXPECT_EQ(env::choice("V3DOFF_TEST_CHOICE", names), std::nullopt);
    EXPECT_NE(last_line.find("V3DOFF_TEST_CHOICE=nonsense"), std::string::npos);
    v3doff_log_set(nullptr, nullptr, V3DOFF_LOG_ERROR);
}

TEST(Environment, NumbersAreWholeAndInRange) {
    v3doff_log_set(keep_line, nullptr, V3DOFF_LOG_WARNING);
    {
        Variable set("V3DOFF_TEST_NUMBER", "250");
        EXPECT_EQ(env::number("V3DOFF_TEST_NUMBER", 250), 250u);
        EXPECT_EQ(env::number("V3DOFF_TEST_NUMBER", 249), std::nullopt);
    }
    for (const char *text : {"0", "-1", "2s", " 2", "99999999999"}) {
        last_line.clear();
        Variable set("V3DOFF_TEST_NUMBER", text);
        EXPECT_EQ(env::number("V3DOFF_TEST_NUMBER", 1000), std::nullopt) << text;
        EXPECT_NE(last_line.find("V3DOFF_TEST_NUMBER="), std::string::npos) << text;
    }
    EXPECT_EQ(env::number("V3DOFF_TEST_NUMBER", 1000), std::nullopt);
    v3doff_log_set(nullptr, nullptr, V3DOFF_LOG_ERROR);
}

TEST(Environment, CacheFolderFollowsTheBaseDirectories) {
    Variable home("HOME", "/home/somebody");
    {
        Variable set("XDG_CACHE_HOME", "/var/tmp/cache");
        EXPECT_EQ(file::cache_dir(), "/var/tmp/cache/v3doff");
    }
    {
        Variable relative("XDG_CACHE_HOME", "relative");
        EXPECT_EQ(file::cache_dir(), "/home/somebody/.cache/v3doff");
    }
    Variable nowhere("HOME", nullptr);
    EXPECT_EQ(file::cache_dir(), std::nullopt);
}

TEST(File, WritesWholeOrNotAtAll) {
    std::string folder = testing::TempDir() + "v3doff-file-" + std::to_string(getpid());
    std::string path = folder + "/deep/cache.bin";
    std::vector<uint8_t> first = {1, 2, 3}, second = {4, 5};
    EXPECT_EQ(file::write_atomically(path, first), "");
    EXPECT_EQ(file::read(path, 100), first);
    EXPECT_EQ(file::write_atomically(path, second, file::Crash::may_cut_it_short), "");
    EXPECT_EQ(file::read(path, 100), second);
    EXPECT_EQ(file::read(path, 1), std::nullopt); // larger than wanted
    EXPECT_EQ(file::read(folder, 100), std::nullopt);
    // No temporary file stays behind.
    size_t files = 0;
    for (auto &entry : std::filesystem::directory_iterator(folder + "/deep"))
        files += entry.is_regular_file();
    EXPECT_EQ(files, 1u);
    // A file where the folder should be: refused with a reason, nothing thrown.
    EXPECT_NE(file::write_atomically(path + "/below", first), "");
    std::filesystem::remove_all(folder);
}

TEST(Fault, CountsAndIgnoresNonsense) {
    {
        Variable set("V3DOFF_FAULT", "submit:2,nonsense,allocate");
        fault::reload();
        EXPECT_FALSE(fault::hit(fault::Point::submit));
        EXPECT_TRUE(fault::hit(fault::Point::submit));
        EXPECT_FALSE(fault::hit(fault::Point::submit));
        EXPECT_TRUE(fault::hit(fault::Point::allocate));
        EXPECT_TRUE(fault::hit(fault::Point::allocate));
        EXPECT_FALSE(fault::hit(fault::Point::lost));
    }
    fault::reload();
    EXPECT_FALSE(fault::hit(fault::Point::allocate));
}
