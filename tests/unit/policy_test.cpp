// SPDX-License-Identifier: BSD-2-Clause
// A decoder's policy: what the environment says where nothing else does, the recipe, and a device
// that fails.
#include "policy/policy.hpp"

#include <gtest/gtest.h>

#include "any_device.hpp"
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
        question_ = {device_.get(), 640, 360, residual | whole, true};
    }
    // Of one picture that is over at once.
    Policy::Answer ask(Policy &policy, v3doff_executor executor = V3DOFF_EXECUTOR_GPU) {
        const Policy::Answer answer = policy.ask(question_);
        if (answer.counted) policy.done(executor);
        return answer;
    }
    static Policy automatic() { return {V3DOFF_CODEC_VP9, V3DOFF_MODE_AUTO, V3DOFF_SCOPE_AUTO, 4}; }

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

TEST_F(PolicyTest, TheRecipeDecidesTheScope) {
    {
        const Variable none("V3DOFF_RECIPE", "/nonexistent/recipe");
        Policy policy = automatic();
        EXPECT_EQ(ask(policy).decision.scope, V3DOFF_SCOPE_RECONSTRUCTION);
    }
    {
        const Variable gpu("V3DOFF_RECIPE", "gpu");
        Policy policy = automatic();
        EXPECT_EQ(ask(policy).decision.scope, V3DOFF_SCOPE_RECONSTRUCTION);
    }
    const Variable cpu("V3DOFF_RECIPE", "cpu");
    Policy policy = automatic();
    EXPECT_STREQ(ask(policy).decision.reason, "not offloaded: does not pay");
}

TEST_F(PolicyTest, NothingWithoutTheDevice) {
    Policy policy = automatic();
    question_.device = nullptr;
    const Policy::Answer answer = ask(policy);
    EXPECT_STREQ(answer.decision.reason, "the device was not open yet");
    EXPECT_FALSE(answer.counted || answer.failed);
}

TEST_F(PolicyTest, GivesUpADeviceThatFailsAgainAndAgain) {
    Policy policy(V3DOFF_CODEC_VP9, V3DOFF_MODE_FORCE, V3DOFF_SCOPE_FILTERS, 4);
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
    Policy policy = automatic();
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
        EXPECT_EQ(given_away(automatic()), 3u);
        EXPECT_EQ(given_away({V3DOFF_CODEC_VP9, V3DOFF_MODE_AUTO, V3DOFF_SCOPE_RECONSTRUCTION, 4}),
                  3u);
        EXPECT_EQ(given_away({V3DOFF_CODEC_VP9, V3DOFF_MODE_FORCE, V3DOFF_SCOPE_AUTO, 4}), 0u);
    }
    const Variable gpu("V3DOFF_RECIPE", "gpu");
    EXPECT_EQ(given_away(automatic()), 0u);
    unsetenv("V3DOFF_FAULT");
    fault::reload();
}
