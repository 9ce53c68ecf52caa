// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>
#include <gtest/gtest.h>
#include <vector>

#include "util/cache_dir.hpp"
#include "util/env.hpp"
#include "util/fault.hpp"
#include "util/log.hpp"
#include "variable.hpp"

using namespace v3doff;

namespace {

std::string last_line;
std::vector<v3doff_log_level> levels;
void keep_line(void *, v3doff_log_level level, const char *line) {
    last_line = line;
    levels.push_back(level);
}

} // namespace

TEST(Environment, UnknownChoiceIsNamedAndIgnored) {
    constexpr std::string_view names[] = {"auto", "staging"};
    log::forget_lines();
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

TEST(Environment, NonsenseIsNamedOnce) {
    constexpr std::string_view names[] = {"auto", "staging"};
    log::forget_lines();
    v3doff_log_set(keep_line, nullptr, V3DOFF_LOG_DEBUG);
    Variable set("V3DOFF_TEST_CHOICE", "more nonsense");
    levels.clear();
    for (int decoder = 0; decoder < 3; decoder++)
        EXPECT_EQ(env::choice("V3DOFF_TEST_CHOICE", names), std::nullopt);
    EXPECT_EQ(levels, (std::vector{V3DOFF_LOG_WARNING, V3DOFF_LOG_DEBUG, V3DOFF_LOG_DEBUG}));
    v3doff_log_set(nullptr, nullptr, V3DOFF_LOG_ERROR);
}

TEST(Environment, NumbersAreWholeAndInRange) {
    log::forget_lines();
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
        EXPECT_EQ(cache_dir(), "/var/tmp/cache/v3doff");
    }
    {
        Variable relative("XDG_CACHE_HOME", "relative");
        EXPECT_EQ(cache_dir(), "/home/somebody/.cache/v3doff");
    }
    Variable nowhere("HOME", nullptr);
    EXPECT_EQ(cache_dir(), std::nullopt);
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
