// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <vector>

#include "api/debug_keys.hpp"
#include "dsp/debug_keys.hpp"
#include "picture/debug_keys.hpp"
#include "policy/debug_keys.hpp"
#include "util/cache_file.hpp"
#include "util/env.hpp"
#include "util/fault.hpp"
#include "util/log.hpp"
#include "variable.hpp"
#include "vk/debug_keys.hpp"
#include "vp9/debug_keys.hpp"

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
    v3doff_log_add(keep_line, nullptr, V3DOFF_LOG_WARNING);
    {
        Variable set("V3DOFF_TEST_CHOICE", "staging");
        EXPECT_EQ(env::choice("V3DOFF_TEST_CHOICE", names), size_t(1));
    }
    Variable set("V3DOFF_TEST_CHOICE", "nonsense");
    EXPECT_EQ(env::choice("V3DOFF_TEST_CHOICE", names), std::nullopt);
    EXPECT_NE(last_line.find("V3DOFF_TEST_CHOICE=nonsense"), std::string::npos);
    v3doff_log_remove(keep_line, nullptr);
}

TEST(Environment, NonsenseIsNamedOnce) {
    constexpr std::string_view names[] = {"auto", "staging"};
    log::forget_lines();
    v3doff_log_add(keep_line, nullptr, V3DOFF_LOG_DEBUG);
    Variable set("V3DOFF_TEST_CHOICE", "more nonsense");
    levels.clear();
    for (int decoder = 0; decoder < 3; decoder++)
        EXPECT_EQ(env::choice("V3DOFF_TEST_CHOICE", names), std::nullopt);
    EXPECT_EQ(levels, (std::vector{V3DOFF_LOG_WARNING, V3DOFF_LOG_DEBUG, V3DOFF_LOG_DEBUG}));
    v3doff_log_remove(keep_line, nullptr);
}

TEST(Environment, AFileHasWhatTheEnvironmentLacks) {
    const std::string file = testing::TempDir() + "v3doff.conf";
    std::ofstream(file) << "# V3DOFF_TEST_A=comment\nV3DOFF_TEST_A=file\nV3DOFF_TEST_B=file\n"
                           "HOME=/nowhere\nV3DOFF_TEST_C\n";
    Variable home("HOME", "/somewhere"), set("V3DOFF_TEST_A", "environment");
    env::read(file.c_str());
    EXPECT_EQ(env::text("V3DOFF_TEST_A"), "environment");
    EXPECT_EQ(env::text("V3DOFF_TEST_B"), "file");
    EXPECT_EQ(env::text("V3DOFF_TEST_C"), std::nullopt);
    EXPECT_EQ(env::text("HOME"), "/somewhere");
    env::read("/dev/null/none");
    EXPECT_EQ(env::text("V3DOFF_TEST_B"), std::nullopt);
}

// A program may change its environment while its decoders run.
TEST(Environment, IsReadOnlyWhenToldSo) {
    Variable set("V3DOFF_TEST_A", "then");
    setenv("V3DOFF_TEST_A", "now", 1);
    EXPECT_EQ(env::text("V3DOFF_TEST_A"), "then");
    env::read();
    EXPECT_EQ(env::text("V3DOFF_TEST_A"), "now");
}

TEST(Environment, NumbersAreWholeAndInRange) {
    log::forget_lines();
    v3doff_log_add(keep_line, nullptr, V3DOFF_LOG_WARNING);
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
    v3doff_log_remove(keep_line, nullptr);
}

TEST(Debug, KeysHaveTheirValues) {
    Variable set("V3DOFF_DEBUG",
                 "local_memory=on,,vp9_loopfilter=cuts,local_memory=off,band_rows=0");
    EXPECT_FALSE(debug::switched(debug::local_memory, true)); // the last one counts
    EXPECT_TRUE(debug::switched(debug::uncached_reads, true));
    EXPECT_FALSE(debug::switched(debug::uncached_reads, false));
    EXPECT_EQ(debug::choice(debug::vp9_loopfilter), 2u);
    EXPECT_EQ(debug::choice(debug::dsp), std::nullopt);
    EXPECT_EQ(debug::number(debug::band_rows), 0u);
    EXPECT_EQ(debug::number(debug::piece_bytes), std::nullopt);
}

TEST(Debug, WhatIsUnknownIsNamedOnceAndIgnored) {
    v3doff_log_add(keep_line, nullptr, V3DOFF_LOG_WARNING);
    Variable set("V3DOFF_DEBUG",
                 "nonsense=1,dsp=some,band_rows=-1,open,=,piece_bytes=,uncached_reads=on");
    last_line.clear();
    EXPECT_TRUE(debug::switched(debug::uncached_reads, false));
    EXPECT_NE(last_line.find("nonsense=1,dsp=some,band_rows=-1,open,=,piece_bytes="),
              std::string::npos);
    EXPECT_EQ(last_line.find("uncached_reads"), std::string::npos);
    last_line.clear();
    EXPECT_EQ(debug::choice(debug::dsp), std::nullopt);
    EXPECT_EQ(debug::number(debug::band_rows), std::nullopt);
    EXPECT_EQ(debug::text(debug::open), nullptr);
    EXPECT_EQ(debug::number(debug::piece_bytes), std::nullopt);
    EXPECT_EQ(v3doff_debug("nonsense"), nullptr);
    EXPECT_EQ(last_line, "");
    v3doff_log_remove(keep_line, nullptr);
}

// FFmpeg asks for a key before it knows where the library's lines go.
TEST(Debug, WhatIsUnknownIsNamedAsSoonAsSomebodyListens) {
    Variable set("V3DOFF_DEBUG", "unheard=1,open=wait");
    EXPECT_STREQ(v3doff_debug("open"), "wait");
    v3doff_log_add(keep_line, nullptr, V3DOFF_LOG_WARNING);
    levels.clear();
    last_line.clear();
    for (int i = 0; i < 3; i++)
        EXPECT_STREQ(v3doff_debug("open"), "wait");
    v3doff_log_remove(keep_line, nullptr);
    EXPECT_NE(last_line.find("unheard=1"), std::string::npos);
    EXPECT_EQ(levels, std::vector{V3DOFF_LOG_WARNING});
}

TEST(Debug, ProgramsAskForTheirKeys) {
    const char *open = nullptr;
    {
        Variable set("V3DOFF_DEBUG", "open=wait,vp9_passes=2");
        open = v3doff_debug("open");
        ASSERT_STREQ(open, "wait");
        EXPECT_STREQ(v3doff_debug("vp9_passes"), "2");
        EXPECT_EQ(v3doff_debug("vp9_transforms"), nullptr);
        EXPECT_EQ(v3doff_debug(nullptr), nullptr);
        EXPECT_EQ(v3doff_debug(""), nullptr);
    }
    EXPECT_EQ(v3doff_debug("open"), nullptr); // it is not set any more
    EXPECT_STREQ(open, "wait");               // and the text is still there
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
