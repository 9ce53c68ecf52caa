// SPDX-License-Identifier: BSD-2-Clause
// The file of the pipeline cache: written where it lacks something, and only there. A player starts
// often, and the thread that writes is the one that reports pictures.
#include "vk/pipelines.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "any_device.hpp"
#include "util/file.hpp"

using namespace v3doff;

class PipelinesFile : public testing::Test {
  protected:
    void SetUp() override {
        options.cache_dir =
            testing::TempDir() + "v3doff-pipelines-cache-" + std::to_string(getpid());
        if (!open_any_device()) GTEST_SKIP() << "no Vulkan device here";
    }
    void TearDown() override { std::filesystem::remove_all(options.cache_dir); }

    // As a process does that makes one picture.
    void make_one() const {
        const auto device = open_any_device(options);
        device->pipelines().get(vk::shader_index("copy_in"));
        device->pipelines().save_if_new();
        device->pipelines().save_if_new();
    }

    std::string path() const {
        for (const auto &entry : std::filesystem::directory_iterator(options.cache_dir))
            return entry.path();
        return "";
    }

    // A file that was written again is another one.
    ino_t number() const {
        struct stat status {};
        EXPECT_EQ(stat(path().c_str(), &status), 0);
        return status.st_ino;
    }

    vk::DeviceOptions options;
};

TEST_F(PipelinesFile, IsLeftAloneWhereNothingIsNew) {
    make_one();
    const ino_t first = number();
    // Its number stays taken, or the next file could get it.
    std::filesystem::create_hard_link(path(), options.cache_dir + "-first");
    make_one();
    EXPECT_EQ(number(), first);
    std::filesystem::remove(options.cache_dir + "-first");
}

TEST_F(PipelinesFile, IsWrittenAgainWhereItIsDamaged) {
    make_one();
    const auto whole = file::read(path(), 1 << 30);
    ASSERT_TRUE(whole);
    ASSERT_EQ(file::write_atomically(path(), std::span(*whole).first(whole->size() - 1)), "");
    make_one();
    EXPECT_EQ(file::read(path(), 1 << 30)->size(), whole->size());
}
