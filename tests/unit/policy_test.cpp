// SPDX-License-Identifier: BSD-2-Clause
// A decoder's policy: what the environment says where nothing else does, the recipe, and a device
// that fails.
#include "policy/policy.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

#include "any_device.hpp"
#include "policy/recipe_store.hpp"
#include "util/clock.hpp"
#include "util/fault.hpp"
#include "variable.hpp"

using namespace v3doff;

namespace {

constexpr uint32_t residual = 1u << V3DOFF_FAMILY_VP9_LOOPFILTER;
constexpr uint32_t whole = 1u << V3DOFF_FAMILY_VP9_RECONSTRUCTION;

class PolicyTest : public testing::Test {
  protected:
    void SetUp() override {
        device_ = open_any_device();
        if (!device_) GTEST_SKIP() << "no Vulkan device here";
        question_ = {device_.get(), 640, 360, false, residual | whole, true};
    }
    // Of one picture that is over at once.
    Policy::Answer ask(Policy &policy, v3doff_executor executor = V3DOFF_EXECUTOR_GPU) {
        const Policy::Answer answer = policy.ask(question_);
        if (answer.counted) policy.done(executor);
        return answer;
    }
    static Policy::Settings automatic(v3doff_scope scope = V3DOFF_SCOPE_AUTO) {
        return {V3DOFF_CODEC_VP9, V3DOFF_MODE_AUTO, scope, 4, 0};
    }
    static Policy::Settings forced(v3doff_scope scope) {
        return {V3DOFF_CODEC_VP9, V3DOFF_MODE_FORCE, scope, 4, 0};
    }

    std::shared_ptr<vk::Device> device_;
    Policy::Question question_;
};

} // namespace

TEST(PolicyEnvironment, CountsWhereNothingElseIsSaid) {
    EXPECT_EQ(wanted_mode(V3DOFF_MODE_AUTO), V3DOFF_MODE_AUTO);
    EXPECT_EQ(wanted_scope(V3DOFF_SCOPE_AUTO), V3DOFF_SCOPE_AUTO);
    const Variable scope("V3DOFF_SCOPE", "reconstruction");
    EXPECT_EQ(wanted_scope(V3DOFF_SCOPE_AUTO), V3DOFF_SCOPE_RECONSTRUCTION);
    EXPECT_EQ(wanted_scope(V3DOFF_SCOPE_FILTERS), V3DOFF_SCOPE_FILTERS);
    for (const auto &[name, mode] : {std::pair{"off", V3DOFF_MODE_CPU},
                                     {"force", V3DOFF_MODE_FORCE},
                                     {"auto", V3DOFF_MODE_AUTO},
                                     {"nonsense", V3DOFF_MODE_AUTO}}) {
        const Variable variable("V3DOFF", name);
        EXPECT_EQ(wanted_mode(V3DOFF_MODE_AUTO), mode) << name;
        EXPECT_EQ(wanted_mode(V3DOFF_MODE_FORCE), V3DOFF_MODE_FORCE);
        EXPECT_EQ(wanted_mode(V3DOFF_MODE_CPU), V3DOFF_MODE_CPU);
    }
}

TEST_F(PolicyTest, APersonDecides) {
    for (const char *value : {"/nonexistent/recipe", "gpu"}) {
        const Variable recipe("V3DOFF_RECIPE", value);
        Policy policy(automatic());
        EXPECT_EQ(ask(policy).decision.scope, V3DOFF_SCOPE_RECONSTRUCTION);
    }
    const Variable cpu("V3DOFF_RECIPE", "cpu");
    Policy policy(automatic()), obeys(forced(V3DOFF_SCOPE_AUTO));
    EXPECT_STREQ(ask(policy).decision.reason, "the recipe says so");
    EXPECT_EQ(ask(obeys).decision.scope, V3DOFF_SCOPE_RECONSTRUCTION);
}

TEST_F(PolicyTest, WithoutTheDeviceTheCpusPicturesAreCounted) {
    Policy policy(automatic());
    question_.device = nullptr;
    const Policy::Answer answer = ask(policy, V3DOFF_EXECUTOR_NONE);
    EXPECT_STREQ(answer.decision.reason, "the device was not open yet");
    EXPECT_TRUE(answer.counted && answer.alone && !answer.failed);
    question_.obstacle = "film grain";
    Policy obeys(forced(V3DOFF_SCOPE_AUTO));
    EXPECT_FALSE(ask(obeys).counted);
}

TEST_F(PolicyTest, IntraPicturesAreTheCpusUnlessThereAreMany) {
    const Variable none("V3DOFF_RECIPE", "/nonexistent/recipe");
    constexpr uint32_t intra = 1u << V3DOFF_FAMILY_VP9_INTRA;
    const auto on_device = [&](Policy &&policy, unsigned period) {
        unsigned pictures = 0;
        for (unsigned i = 0; i < 60; i++) {
            question_.possible = residual | whole | (i % period ? 0 : intra);
            pictures += ask(policy).decision.scope == V3DOFF_SCOPE_RECONSTRUCTION;
        }
        return pictures;
    };
    EXPECT_EQ(on_device(Policy(automatic()), 20), 57u);
    EXPECT_GE(on_device(Policy(automatic()), 1), 50u);
    EXPECT_EQ(on_device(Policy(automatic(V3DOFF_SCOPE_RECONSTRUCTION)), 20), 60u);
    EXPECT_EQ(on_device(Policy(forced(V3DOFF_SCOPE_AUTO)), 20), 60u);
    Policy::Settings alone = automatic();
    alone.threads = 1;
    EXPECT_EQ(on_device(Policy(alone), 20), 60u);
}

namespace {

void use_cpu_time(uint64_t ns) {
    for (const uint64_t end = thread_cpu_ns() + ns; thread_cpu_ns() < end;) {
    }
}

} // namespace

// What a stream's pictures cost is in the recipe when it ends, and the next stream begins with
// that.
TEST_F(PolicyTest, AStreamTeachesTheNextOne) {
    const std::string path = testing::TempDir() + "v3doff-policy-test-" + std::to_string(getpid());
    const Variable file("V3DOFF_RECIPE", path.c_str());
    const auto decode = [&](Policy &policy, unsigned pictures, bool ready, uint64_t cpu_ns) {
        question_.device = ready ? device_.get() : nullptr;
        unsigned on_device = 0;
        for (unsigned i = 0; i < pictures; i++) {
            const bool gpu = policy.ask(question_).decision.scope != V3DOFF_SCOPE_NONE;
            use_cpu_time(gpu ? cpu_ns : 500'000);
            if (gpu) policy.handed_over();
            policy.done(gpu ? V3DOFF_EXECUTOR_GPU : V3DOFF_EXECUTOR_NONE);
            on_device += gpu;
        }
        return on_device;
    };
    const StreamKind kind{V3DOFF_CODEC_VP9, V3DOFF_SCOPE_RECONSTRUCTION, 0, false, 4, 0};
    for (const auto &[cpu_ns, verdict] :
         {std::pair{uint64_t(100'000), Verdict::gpu}, {uint64_t(1'500'000), Verdict::cpu}}) {
        Policy first(automatic());
        EXPECT_EQ(decode(first, 60, false, 0), 0u);
        decode(first, 150, true, cpu_ns);
        first.end();
        const Recipe recipe = load_recipe(recipe_key(*device_));
        const RecipeEntry *entry = recipe.find(kind);
        ASSERT_TRUE(entry);
        EXPECT_EQ(verdict_of(entry->learned), verdict) << reason_of(*entry);
        EXPECT_NEAR(entry->learned.cpu.cpu_ns, 500'000, 200'000);
        EXPECT_NEAR(entry->learned.device.cpu_ns, double(cpu_ns), 0.3 * double(cpu_ns) + 100'000);
        Policy second(automatic());
        EXPECT_EQ(decode(second, 20, true, cpu_ns), verdict == Verdict::gpu ? 20u : 0u);
        std::remove(path.c_str());
    }
}

TEST_F(PolicyTest, GivesUpADeviceThatFailsAgainAndAgain) {
    Policy policy(forced(V3DOFF_SCOPE_FILTERS));
    for (unsigned good = 0; good < 2; good++) {
        for (uint32_t i = 1; i < Policy::most_failures; i++)
            ask(policy, V3DOFF_EXECUTOR_CPU);
        EXPECT_FALSE(ask(policy).failed); // that one is done by the device
    }
    for (uint32_t i = 0; i < Policy::most_failures; i++)
        EXPECT_EQ(ask(policy, V3DOFF_EXECUTOR_CPU).decision.scope, V3DOFF_SCOPE_FILTERS);
    const Policy::Answer answer = ask(policy);
    EXPECT_TRUE(answer.failed);
    EXPECT_STREQ(answer.decision.reason, "the device failed");
}

TEST_F(PolicyTest, KnowsWhichPictureIsAlone) {
    Policy policy(automatic());
    EXPECT_TRUE(policy.ask(question_).alone);
    EXPECT_FALSE(policy.ask(question_).alone);
    policy.done(V3DOFF_EXECUTOR_GPU);
    policy.done(V3DOFF_EXECUTOR_NONE);
    EXPECT_TRUE(policy.ask(question_).alone);
}

TEST_F(PolicyTest, TheBalanceIsAskedUnlessAPersonHasSaidWhatShallBe) {
    setenv("V3DOFF_FAULT", "turns", 1);
    fault::reload();
    const auto given_away = [&](Policy &&policy) {
        unsigned pictures = 0;
        for (unsigned i = 0; i < 9; i++) {
            const Policy::Answer answer = ask(policy);
            EXPECT_TRUE(answer.counted);
            if (answer.decision.scope != V3DOFF_SCOPE_NONE) continue;
            EXPECT_STREQ(answer.decision.reason, "wanted faster than with the device");
            pictures++;
        }
        return pictures;
    };
    {
        const Variable none("V3DOFF_RECIPE", "/nonexistent/recipe");
        EXPECT_EQ(given_away(Policy(automatic())), 3u);
        EXPECT_EQ(given_away(Policy(automatic(V3DOFF_SCOPE_RECONSTRUCTION))), 3u);
        EXPECT_EQ(given_away(Policy(forced(V3DOFF_SCOPE_AUTO))), 0u);
    }
    const Variable gpu("V3DOFF_RECIPE", "gpu");
    EXPECT_EQ(given_away(Policy(automatic())), 0u);
    unsetenv("V3DOFF_FAULT");
    fault::reload();
}
