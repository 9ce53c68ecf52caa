// SPDX-License-Identifier: BSD-2-Clause
#include "vk/pipeline_file.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

#include "util/file.hpp"

using namespace v3doff;

class PipelineFile : public testing::Test {
  protected:
    void SetUp() override {
        const auto *test = testing::UnitTest::GetInstance()->current_test_info();
        folder = testing::TempDir() + "v3doff-pipelines-" + std::to_string(getpid()) + test->name();
        facts.uuid = {1, 2, 3};
        facts.pipeline_cache_uuid = {4, 5, 6};
        facts.driver_version = 7;
        path = vk::pipeline_file_path(folder, facts);
        ASSERT_EQ(vk::write_pipeline_file(path, facts, data), "");
    }
    void TearDown() override { std::filesystem::remove_all(folder); }

    std::string folder, path;
    vk::Facts facts;
    std::vector<uint8_t> data = {10, 20, 30, 40, 50};
};

TEST_F(PipelineFile, ReadsWhatWasWritten) {
    EXPECT_EQ(vk::read_pipeline_file(path, facts), data);
}

TEST_F(PipelineFile, EveryDamagedByteIsNoticed) {
    auto whole = *file::read(path, 1 << 20);
    for (size_t i = 0; i < whole.size(); i++) {
        auto damaged = whole;
        damaged[i] ^= 0x10;
        ASSERT_EQ(file::write_atomically(path, damaged), "");
        EXPECT_TRUE(vk::read_pipeline_file(path, facts).empty()) << "byte " << i;
    }
}

TEST_F(PipelineFile, CutFilesAreIgnored) {
    auto whole = *file::read(path, 1 << 20);
    for (size_t length = 0; length < whole.size(); length++) {
        ASSERT_EQ(file::write_atomically(path, std::span(whole).first(length)), "");
        EXPECT_TRUE(vk::read_pipeline_file(path, facts).empty()) << "length " << length;
    }
}

TEST_F(PipelineFile, ForeignFilesAreIgnored) {
    vk::Facts other = facts;
    other.driver_version = 8;
    EXPECT_TRUE(vk::read_pipeline_file(path, other).empty());
    other = facts;
    other.uuid[0] = 9;
    EXPECT_TRUE(vk::read_pipeline_file(path, other).empty());
    EXPECT_NE(vk::pipeline_file_path(folder, other), path);
}

TEST_F(PipelineFile, FilesThatOthersMayWriteAreIgnored) {
    std::filesystem::permissions(folder, std::filesystem::perms(0777));
    EXPECT_NE(vk::write_pipeline_file(path, facts, data), "");
    EXPECT_EQ(vk::write_pipeline_file(path, facts, data), ""); // not tried again
    std::filesystem::permissions(folder, std::filesystem::perms(0755));
    EXPECT_TRUE(vk::read_pipeline_file(path, facts).empty());
}

TEST_F(PipelineFile, AFileThatOthersMayWriteIsIgnored) {
    std::filesystem::permissions(path, std::filesystem::perms(0622));
    EXPECT_TRUE(vk::read_pipeline_file(path, facts).empty());
}
