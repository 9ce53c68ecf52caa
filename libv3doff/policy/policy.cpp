// SPDX-License-Identifier: BSD-2-Clause
#include "policy/policy.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <string_view>

#include "policy/recipe_store.hpp"
#include "util/clock.hpp"
#include "util/env.hpp"
#include "util/fault.hpp"
#include "util/log.hpp"
#include "util/process.hpp"
#include "vk/device.hpp"
#include "vk/timeline.hpp"

namespace v3doff {
namespace {

constexpr uint32_t intra_families = 1u << V3DOFF_FAMILY_VP9_INTRA | 1u << V3DOFF_FAMILY_H264_INTRA;

// All pictures that follow wait for an intra picture, and its blocks wait for each other, so that a
// device takes several times as long for it as for other pictures. Where a decoder works on several
// pictures, the CPU does it, unless the stream has many of them.
constexpr double many_intra = 0.25;

// Pictures of all decoders that a device has done.
std::atomic<uint64_t> all_done_by_device{0};

bool differs(double a, double b) {
    return std::abs(a - b) > 0.1 * std::max(a, b);
}

// Whether it is worth a write to a file.
bool differs(const Learned &a, const Learned &b) {
    return a.compared != b.compared || a.if_crowded != b.if_crowded ||
           differs(a.cpu.cpu_ns, b.cpu.cpu_ns) || differs(a.device.cpu_ns, b.device.cpu_ns);
}

} // namespace

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

Policy::Policy(const Settings &settings)
    : settings_{settings.codec, wanted_mode(settings.mode), wanted_scope(settings.scope),
                settings.threads, settings.helpers},
      balance_(settings.threads) {}

DeviceState Policy::state_of(const Question &question) const {
    if (failed_ || (question.device && question.device->bad())) return DeviceState::failed;
    if (question.device) return DeviceState::ready;
    return question.absent ? DeviceState::absent : DeviceState::opening;
}

// The file is read once for each kind of stream.
void Policy::begin_kind(const StreamKind &kind, vk::Device &device) {
    if (key_) balance_ = Balance(settings_.threads);
    key_ = recipe_key(device);
    kind_ = kind;
    strangers_ = 0;
    const Recipe recipe = load_recipe(*key_);
    const RecipeEntry *known = recipe.find(kind);
    before_ = known ? known->learned : Learned();
    override_ = override_of(recipe, kind);
    // Nobody has compared what this device makes yet.
    const uint32_t codec = 1u << settings_.codec;
    if (kind.scope == V3DOFF_SCOPE_RECONSTRUCTION && !(recipe.checked & codec))
        device.self_tests().want(codec);
    balance_.device_is_ready(before_);
}

void Policy::follow(const Question &question, v3doff_scope scope) {
    const StreamKind kind{settings_.codec,
                          scope,
                          size_class_of(question.width, question.height),
                          question.high,
                          settings_.threads,
                          settings_.helpers};
    const bool resized = question.width != width_ || question.height != height_;
    width_ = question.width, height_ = question.height;
    strangers_ = kind == kind_ ? 0 : strangers_ + 1;
    if (key_ && !resized && strangers_ < strangers) return;
    if (key_) keep_learned();
    begin_kind(kind, *question.device);
}

// Time of the thread that waits for the device, of which all decoders have their part.
void Policy::measure_library(vk::Device &device) {
    constexpr uint64_t enough = 16;
    const uint64_t pictures = all_done_by_device.load(std::memory_order_relaxed);
    if (library_pictures_ && pictures < library_pictures_ + enough) return;
    const uint64_t cpu_ns = device.timeline().thread_cpu_ns();
    if (library_pictures_)
        library_ns_ = double(cpu_ns - library_cpu_ns_) / double(pictures - library_pictures_);
    library_cpu_ns_ = cpu_ns;
    library_pictures_ = std::max<uint64_t>(1, pictures);
}

bool Policy::is_left_to_cpu(const Question &question, const Decision &decision) {
    if (settings_.scope != V3DOFF_SCOPE_AUTO || settings_.threads == 1 ||
        decision.scope != V3DOFF_SCOPE_RECONSTRUCTION)
        return false;
    const bool intra = question.possible & intra_families;
    intra_ += (intra - intra_) / 16;
    return intra && intra_ < many_intra;
}

Verdict Policy::whose_turn(bool awaited, Verdict by_balance) {
    if (fault::armed(fault::Point::turns)) return ++turns_ % 3 ? Verdict::gpu : Verdict::cpu;
    if (fault::armed(fault::Point::switching))
        return fault::hit(fault::Point::switching) ? Verdict::cpu : Verdict::gpu;
    if (fault::armed(fault::Point::awaited)) return awaited ? Verdict::cpu : Verdict::gpu;
    return by_balance;
}

Policy::Answer Policy::ask(const Question &question) {
    const log::Later later;
    std::lock_guard lock(mutex_);
    const DeviceState state = state_of(question);
    Answer answer{.decision = decide({settings_.codec, settings_.mode, settings_.scope, state,
                                      question.possible, question.obstacle}),
                  .failed = state == DeviceState::failed};
    Decision &decision = answer.decision;
    const bool automatic = settings_.mode == V3DOFF_MODE_AUTO;
    const bool on_device = decision.scope != V3DOFF_SCOPE_NONE;
    const bool waits = automatic && state == DeviceState::opening && decision.reason && !key_;
    if (!on_device && !waits) return answer;
    answer.counted = true;
    answer.alone = !under_way_++;
    if (!automatic) return answer;
    if (on_device) {
        follow(question, decision.scope);
        measure_library(*question.device);
        checked_ = question.device->self_tests().all_passed();
    }
    const Balance::Turn turn = balance_.next(steady_ns(), question.awaited);
    if (on_device) {
        if (override_ != Verdict::unknown) {
            if (override_ == Verdict::cpu) decision = {V3DOFF_SCOPE_NONE, 0, "the recipe says so"};
        } else if (whose_turn(question.awaited, turn.verdict) == Verdict::cpu) {
            decision = {V3DOFF_SCOPE_NONE, 0,
                        turn.verdict == Verdict::cpu && !balance_.saves()
                            ? "the CPU needs less CPU time for it"
                            : "wanted faster than with the device"};
        } else if (is_left_to_cpu(question, decision)) {
            decision = {V3DOFF_SCOPE_NONE, 0, "an intra picture, which the CPU does faster"};
        }
    }
    if (!process::has_used_device()) return answer; // the clocks of CPU time are system calls
    if (begun_.size() > 2 * settings_.threads) begun_.clear(); // their ends were not told
    begun_.push_back(
        {std::this_thread::get_id(), cpu_now(), turn.window, decision.scope != V3DOFF_SCOPE_NONE});
    return answer;
}

// With helpers, the picture's CPU time is that of other threads, too.
uint64_t Policy::cpu_now() const {
    return settings_.helpers ? process_cpu_ns() : thread_cpu_ns();
}

void Policy::handed_over() {
    std::lock_guard lock(mutex_);
    count_cpu_time();
}

// Needs mutex_.
void Policy::count_cpu_time() {
    const auto at = std::find_if(begun_.rbegin(), begun_.rend(), [](const Begun &begun) {
        return begun.thread == std::this_thread::get_id();
    });
    if (at == begun_.rend()) return;
    const uint64_t library = at->on_device && !settings_.helpers ? uint64_t(library_ns_) : 0;
    balance_.spent(at->window, cpu_now() - at->cpu_ns + library);
    begun_.erase(std::next(at).base());
}

void Policy::done(v3doff_executor executor) {
    const log::Later later;
    std::lock_guard lock(mutex_);
    if (executor == V3DOFF_EXECUTOR_NONE) count_cpu_time();
    if (under_way_) under_way_--;
    balance_.done(steady_ns());
    if (executor == V3DOFF_EXECUTOR_GPU) {
        all_done_by_device.fetch_add(1, std::memory_order_relaxed);
        failures_ = 0;
    }
    if (executor != V3DOFF_EXECUTOR_CPU || failed_ || ++failures_ < most_failures) return;
    failed_ = true;
    LOG_WARNING("the device failed %u pictures in a row: the CPU does all further ones",
                most_failures);
}

// Needs mutex_.
void Policy::keep_learned() {
    const Learned learned = balance_.learned();
    if (override_ != Verdict::unknown || failed_ || verdict_of(learned) == Verdict::unknown ||
        !differs(learned, before_))
        return;
    change_recipe(*key_, [&](Recipe &recipe) {
        recipe.put(kind_, learned);
        recipe.checked |= checked_;
    });
    before_ = learned;
}

void Policy::end() {
    const log::Later later;
    std::lock_guard lock(mutex_);
    if (key_) keep_learned();
}

} // namespace v3doff
