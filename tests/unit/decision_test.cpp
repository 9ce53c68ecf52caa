// SPDX-License-Identifier: BSD-2-Clause
// What of a picture is the device's, as a function of everything that is known.
#include "policy/decision.hpp"

#include <gtest/gtest.h>

using namespace v3doff;

namespace {

constexpr uint32_t transforms = 1u << V3DOFF_FAMILY_VP9_ITX;
constexpr uint32_t filter = 1u << V3DOFF_FAMILY_VP9_LOOPFILTER;
constexpr uint32_t whole = 1u << V3DOFF_FAMILY_VP9_RECONSTRUCTION;
constexpr uint32_t deblock = 1u << V3DOFF_FAMILY_H264_DEBLOCK;
constexpr uint32_t h264_whole = 1u << V3DOFF_FAMILY_H264_RECONSTRUCTION;
constexpr uint32_t intra = 1u << V3DOFF_FAMILY_VP9_INTRA;
constexpr uint32_t h264_intra = 1u << V3DOFF_FAMILY_H264_INTRA;

Situation with(uint32_t possible) {
    Situation situation;
    situation.possible = possible;
    return situation;
}

void expect_device(const Situation &situation, v3doff_scope scope, uint32_t families) {
    const Decision decision = decide(situation);
    EXPECT_EQ(decision.scope, scope);
    EXPECT_EQ(decision.families, families);
    EXPECT_EQ(decision.reason, nullptr);
}

void expect_nothing(const Situation &situation, const char *reason) {
    const Decision decision = decide(situation);
    EXPECT_EQ(decision.scope, V3DOFF_SCOPE_NONE);
    EXPECT_EQ(decision.families, 0u);
    EXPECT_STREQ(decision.reason, reason);
}

} // namespace

TEST(Decision, ReconstructionWhereThatIsPossible) {
    expect_device(with(transforms | filter | whole), V3DOFF_SCOPE_RECONSTRUCTION, whole);
    expect_device(with(whole | intra), V3DOFF_SCOPE_RECONSTRUCTION, whole | intra);
    expect_device(with(transforms | filter), V3DOFF_SCOPE_FILTERS, transforms | filter);
    expect_nothing(with(0), nullptr);
    Situation situation = with(deblock | h264_whole | h264_intra);
    situation.codec = V3DOFF_CODEC_H264;
    for (v3doff_mode mode : {V3DOFF_MODE_AUTO, V3DOFF_MODE_FORCE}) {
        situation.mode = mode;
        expect_device(situation, V3DOFF_SCOPE_RECONSTRUCTION, h264_whole | h264_intra);
    }
}

TEST(Decision, AScopeThatIsWantedIsObeyed) {
    Situation situation = with(transforms | filter | whole);
    situation.wanted = V3DOFF_SCOPE_FILTERS;
    expect_device(situation, V3DOFF_SCOPE_FILTERS, transforms | filter);
    situation.wanted = V3DOFF_SCOPE_RECONSTRUCTION;
    expect_device(situation, V3DOFF_SCOPE_RECONSTRUCTION, whole);
    situation.possible = transforms | filter; // a reference is not the device's
    expect_device(situation, V3DOFF_SCOPE_FILTERS, transforms | filter);
    situation.possible = whole;
    situation.wanted = V3DOFF_SCOPE_FILTERS;
    expect_nothing(situation, nullptr);
}

TEST(Decision, NothingWithoutADevice) {
    for (v3doff_mode mode : {V3DOFF_MODE_AUTO, V3DOFF_MODE_FORCE}) {
        Situation situation = with(filter | whole);
        situation.mode = mode;
        situation.wanted = V3DOFF_SCOPE_RECONSTRUCTION;
        situation.device = DeviceState::opening;
        expect_nothing(situation, "the device was not open yet");
        situation.device = DeviceState::absent;
        expect_nothing(situation, "no suitable device was found");
        situation.device = DeviceState::failed;
        expect_nothing(situation, "the device failed");
        situation.device = DeviceState::ready;
        situation.obstacle = "film grain";
        expect_nothing(situation, "film grain");
    }
    Situation off = with(filter | whole);
    off.mode = V3DOFF_MODE_CPU;
    expect_nothing(off, "switched off");
}

TEST(Decision, OtherCodecsFamiliesAreNotLookedAt) {
    Situation situation = with(deblock | filter | whole);
    situation.codec = V3DOFF_CODEC_H264;
    expect_device(situation, V3DOFF_SCOPE_FILTERS, deblock);
}
