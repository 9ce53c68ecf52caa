// SPDX-License-Identifier: BSD-2-Clause
#include "policy/policy.hpp"

#include <array>
#include <string_view>

#include "policy/recipe_store.hpp"
#include "util/clock.hpp"
#include "util/env.hpp"
#include "util/fault.hpp"
#include "util/log.hpp"

namespace v3doff {

v3doff_mode wanted_mode(v3doff_mode asked) {
    static constexpr std::array<std::string_view, 3> names = {"auto", "force", "off"};
    static_assert(V3DOFF_MODE_AUTO == 0 && V3DOFF_MODE_FORCE == 1 && V3DOFF_MODE_CPU == 2);
    if (env::has_other_rights()) return V3DOFF_MODE_CPU;
    if (asked != V3DOFF_MODE_AUTO) return asked;
    return v3doff_mode(env::choice("V3DOFF", names).value_or(V3DOFF_MODE_AUTO));
}

v3doff_scope wanted_scope(v3doff_scope asked) {
    static constexpr std::array<std::string_view, 3> names = {"auto", "filters", "reconstruction"};
    static_assert(V3DOFF_SCOPE_AUTO == 0 && V3DOFF_SCOPE_FILTERS == 1 &&
                  V3DOFF_SCOPE_RECONSTRUCTION == 2);
    if (asked != V3DOFF_SCOPE_AUTO) return asked;
    return v3doff_scope(env::choice("V3DOFF_SCOPE", names).value_or(V3DOFF_SCOPE_AUTO));
}

Policy::Policy(v3doff_codec codec, v3doff_mode mode, v3doff_scope scope, uint32_t threads)
    : codec_(codec), mode_(wanted_mode(mode)), scope_(wanted_scope(scope)), threads_(threads),
      balance_(threads) {}

// The file is read once for each size. With FORCE and a known scope, no recipe is needed.
void Policy::look_up(const Question &question) {
    if (width_ == question.width && height_ == question.height) return;
    width_ = question.width, height_ = question.height;
    recipe_ = {};
    if (mode_ == V3DOFF_MODE_FORCE && scope_ != V3DOFF_SCOPE_AUTO) return;
    const unsigned size = size_class_of(width_, height_);
    const Recipe recipe = load_recipe(recipe_key(*question.device));
    for (uint32_t family = 0; family < V3DOFF_FAMILIES; family++) {
        const RecipeAnswer answer = answer_of(recipe, v3doff_family(family), size);
        recipe_[family] = {answer.verdict, answer.overridden, answer.timing};
    }
}

// If a person has decided, the balance is not asked.
Verdict Policy::whose_turn(bool awaited) {
    if (mode_ != V3DOFF_MODE_AUTO) return Verdict::gpu;
    for (const Known &known : recipe_)
        if (known.overridden) return Verdict::gpu;
    const Verdict verdict = balance_.next(steady_ns(), awaited);
    if (fault::armed(fault::Point::turns)) return ++turns_ % 3 ? Verdict::gpu : Verdict::cpu;
    if (fault::armed(fault::Point::switching))
        return fault::hit(fault::Point::switching) ? Verdict::cpu : Verdict::gpu;
    if (fault::armed(fault::Point::awaited)) return awaited ? Verdict::cpu : Verdict::gpu;
    return verdict;
}

Policy::Answer Policy::ask(const Question &question) {
    std::lock_guard lock(mutex_);
    Situation situation{
        codec_, mode_, scope_, DeviceState::opening, question.possible, {}, question.obstacle};
    if (failed_ || (question.device && question.device->bad()))
        situation.device = DeviceState::failed;
    else if (question.device && mode_ != V3DOFF_MODE_CPU) {
        situation.device = DeviceState::ready;
        look_up(question);
        situation.recipe = recipe_;
    }
    Answer answer{.decision = decide(situation), .failed = situation.device == DeviceState::failed};
    if (answer.decision.scope == V3DOFF_SCOPE_NONE) return answer;
    answer.counted = true;
    answer.alone = !under_way_++;
    if (whose_turn(question.awaited) == Verdict::cpu)
        answer.decision = {V3DOFF_SCOPE_NONE, 0, "wanted faster than with the device"};
    return answer;
}

void Policy::done(v3doff_executor executor) {
    std::lock_guard lock(mutex_);
    if (under_way_) under_way_--;
    balance_.done(steady_ns());
    if (executor == V3DOFF_EXECUTOR_GPU) failures_ = 0;
    if (executor != V3DOFF_EXECUTOR_CPU || failed_ || ++failures_ < most_failures) return;
    failed_ = true;
    LOG_WARNING("the device failed %u pictures in a row: the CPU does all further ones",
                most_failures);
}

} // namespace v3doff
