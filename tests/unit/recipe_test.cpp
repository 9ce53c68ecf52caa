// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include "policy/recipe.hpp"

using namespace v3doff;

namespace {

RecipeEntry timed(double simd_us, double offload_us, double device_us) {
    RecipeEntry entry;
    entry.family = V3DOFF_FAMILY_VP9_LOOPFILTER;
    entry.size = 2;
    entry.timing = {simd_us, offload_us, device_us};
    return entry;
}

Recipe some_recipe() {
    Recipe recipe{{"00ff", "Some GPU", "driver \"1.2\"", "Some CPU", 256, 4}, {}};
    RecipeEntry entry = timed(2000, 100, 1500);
    entry.verdict = Verdict::gpu;
    recipe.put(entry);
    entry.family = V3DOFF_FAMILY_H264_DEBLOCK;
    entry.size = 0;
    entry.verdict = Verdict::cpu;
    entry.override_with = Verdict::gpu;
    recipe.put(entry);
    return recipe;
}

} // namespace

TEST(Recipe, SizesGoToTheNearestClass) {
    EXPECT_EQ(size_class_of(1, 1), 0u);
    EXPECT_EQ(size_class_of(854, 480), 0u);
    EXPECT_EQ(size_class_of(1024, 576), 1u);
    EXPECT_EQ(size_class_of(1280, 720), 1u);
    EXPECT_EQ(size_class_of(1920, 1088), 2u);
    EXPECT_EQ(size_class_of(1080, 1920), 2u);
    EXPECT_EQ(size_class_of(3840, 2160), 3u);
    EXPECT_EQ(size_class_of(16384, 16384), 3u);
}

TEST(Recipe, SurvivesItsFile) {
    const Recipe recipe = some_recipe();
    std::string problem;
    auto back = recipe_from_json(recipe_to_json(recipe), problem);
    ASSERT_TRUE(back) << problem;
    EXPECT_EQ(back->key, recipe.key);
    ASSERT_EQ(back->entries.size(), 2u);
    const RecipeEntry *entry = back->find(V3DOFF_FAMILY_H264_DEBLOCK, 0);
    ASSERT_TRUE(entry);
    EXPECT_EQ(entry->override_with, Verdict::gpu);
    EXPECT_EQ(entry->verdict, Verdict::cpu);
    EXPECT_EQ(back->find(V3DOFF_FAMILY_VP9_LOOPFILTER, 2)->timing.device_us, 1500);
    EXPECT_EQ(back->find(V3DOFF_FAMILY_VP9_LOOPFILTER, 1), nullptr);
}

TEST(Recipe, MeasuringAgainKeepsWhatAPersonSet) {
    Recipe recipe = some_recipe();
    RecipeEntry entry = timed(1, 2, 3);
    entry.family = V3DOFF_FAMILY_H264_DEBLOCK;
    entry.size = 0;
    recipe.put(entry);
    EXPECT_EQ(recipe.entries.size(), 2u);
    EXPECT_EQ(recipe.find(V3DOFF_FAMILY_H264_DEBLOCK, 0)->timing.simd_us, 1);
    EXPECT_EQ(recipe.find(V3DOFF_FAMILY_H264_DEBLOCK, 0)->override_with, Verdict::gpu);
}

TEST(Recipe, DamagedFilesAreNoRecipes) {
    const std::string good = recipe_to_json(some_recipe());
    std::string problem;
    for (size_t length = 0; length + 2 < good.size(); length += 7)
        EXPECT_FALSE(recipe_from_json(good.substr(0, length), problem)) << length;
    auto changed = [&](const std::string &from, const std::string &to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        return text;
    };
    for (const auto &text :
         {changed("\"v3doff_recipe\": 2", "\"v3doff_recipe\": 1"), changed("\"cpus\"", "\"cups\""),
          changed("vp9_loopfilter", "vp9_oops"), changed("\"1080p\"", "\"1081p\""),
          changed("\"gpu\"", "\"always\""), changed("2000.0", "\"much\""),
          changed("\"cpus\": 4", "\"cpus\": 1e300"), changed("\"cpus\": 4", "\"cpus\": -1"),
          changed("\"cpus\": 4", "\"cpus\": 4294967300"), std::string("[]"), std::string("null"),
          std::string("\xff\xfe")}) {
        problem.clear();
        EXPECT_FALSE(recipe_from_json(text, problem)) << text;
        EXPECT_FALSE(problem.empty());
    }
}

TEST(Recipe, NestingIsBounded) {
    constexpr size_t depth = 400000; // of the megabyte that a file may have
    const std::string text =
        "{\"v3doff_recipe\": " + std::string(depth, '[') + std::string(depth, ']') + "}";
    std::string problem;
    EXPECT_FALSE(recipe_from_json(text, problem));
    EXPECT_EQ(problem, "nested too deeply");
}
