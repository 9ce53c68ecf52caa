// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include "policy/recipe.hpp"

using namespace v3doff;

namespace {

constexpr StreamKind film{V3DOFF_CODEC_VP9, V3DOFF_SCOPE_RECONSTRUCTION, 2, false, 4, 0};
constexpr StreamKind clip{V3DOFF_CODEC_H264, V3DOFF_SCOPE_FILTERS, 0, true, 1, 3};

constexpr Learned costing(double cpu_us, double device_us) {
    return {{16000, cpu_us * 1000}, {17000, device_us * 1000}, Share::all, false};
}

Recipe some_recipe() {
    Recipe recipe{{"00ff", "Some GPU", "driver \"1.2\"", "Some CPU", 256, 4}, {}, 2};
    recipe.put(film, costing(2000, 1500));
    recipe.put(clip, {{250000, 3e6}, {300000, 2e6}, Share::others, true});
    recipe.entries.back().override_with = Verdict::cpu;
    return recipe;
}

} // namespace

TEST(Recipe, LeastCpuTimeWins) {
    EXPECT_EQ(verdict_of(costing(2000, 1500)), Verdict::gpu);
    EXPECT_EQ(verdict_of(costing(2000, 2100)), Verdict::cpu);
    EXPECT_EQ(verdict_of(costing(0, 2100)), Verdict::unknown);
    EXPECT_EQ(verdict_of(costing(2000, 0)), Verdict::unknown);
}

TEST(Recipe, SaysWhatTheOtherWayCosts) {
    const auto reason = [](const Learned &learned) { return reason_of({film, learned}); };
    EXPECT_EQ(reason(costing(2000, 1500)), "the device saves 500 of 2000 us of CPU time a picture");
    EXPECT_EQ(reason(costing(2000, 2300)), "the device costs 300 us more CPU time a picture");
    Learned slow = costing(2000, 1500);
    slow.compared = true;
    EXPECT_EQ(reason(slow).find("waits"), std::string::npos);
    slow.if_crowded = Share::none;
    EXPECT_NE(
        reason(slow).find("every 16 instead of 17 us without it, so the device then gets none"),
        std::string::npos)
        << reason(slow);
}

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
    EXPECT_EQ(back->checked, 2u);
    ASSERT_EQ(back->entries.size(), 2u);
    const RecipeEntry *entry = back->find(clip);
    ASSERT_TRUE(entry);
    EXPECT_EQ(entry->override_with, Verdict::cpu);
    EXPECT_EQ(entry->learned.cpu.ns, 250000);
    EXPECT_EQ(entry->learned.device.cpu_ns, 2e6);
    EXPECT_EQ(entry->learned.if_crowded, Share::others);
    EXPECT_TRUE(entry->learned.compared);
    EXPECT_EQ(back->find(film)->learned.device.cpu_ns, 1.5e6);
    StreamKind other = film;
    other.threads = 1;
    EXPECT_EQ(back->find(other), nullptr);
}

TEST(Recipe, MeasuringAgainKeepsWhatAPersonSet) {
    Recipe recipe = some_recipe();
    recipe.put(clip, costing(1, 2));
    EXPECT_EQ(recipe.entries.size(), 2u);
    EXPECT_EQ(recipe.find(clip)->learned.cpu.cpu_ns, 1000);
    EXPECT_EQ(recipe.find(clip)->override_with, Verdict::cpu);
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
         {changed("\"v3doff_recipe\": 3", "\"v3doff_recipe\": 2"), changed("\"cpus\"", "\"cups\""),
          changed("\"vp9\"", "\"vp7\""), changed("\"1080p\"", "\"1081p\""),
          changed("\"override\": \"cpu\"", "\"override\": \"always\""),
          changed("2000.0", "\"much\""), changed("2000.0", "-1.0"),
          changed("\"compared\": true", "\"compared\": 1"),
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
