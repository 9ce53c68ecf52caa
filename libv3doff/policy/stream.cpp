// SPDX-License-Identifier: BSD-2-Clause
#include "policy/stream.hpp"

#include <unistd.h>

#include <cstdio>

#include "policy/debug_keys.hpp"
#include "policy/idle_pools.hpp"
#include "util/log.hpp"

namespace v3doff {
namespace {

// A stride that the caller leaves open is any.
bool serves(const PoolKind &pool, const PoolKind &wanted) {
    for (size_t p = 0; p < wanted.strides.size(); p++)
        if (wanted.strides[p] && wanted.strides[p] != pool.strides[p]) return false;
    return pool.format == wanted.format && pool.max_pictures == wanted.max_pictures &&
           pool.path == wanted.path;
}

uint32_t bit(v3doff_family family) {
    return 1u << family;
}

} // namespace

Stream::LogUse::LogUse(const Lines &lines) : lines(lines) {
    if (lines.write) log::begin(lines.write, lines.opaque, lines.level);
}

Stream::LogUse::~LogUse() {
    if (lines.write) log::end(lines.write, lines.opaque);
}

Stream::Stream(const Policy::Settings &settings, const Lines &log)
    : log_(log), log_use_(std::in_place, log), policy_(settings) {}

Stream::~Stream() = default;

bool Stream::lend(std::shared_ptr<const OpenDevice> device) {
    std::lock_guard lock(mutex_);
    if (user_) return false;
    lent_ = std::move(device);
    return true;
}

// Reconstruction includes the filters.
Preparation Stream::preparation(const Need &need) const {
    const bool h264 = settings().codec == V3DOFF_CODEC_H264;
    if (!need.known) return {};
    uint32_t families = bit(V3DOFF_FAMILY_VP9_LOOPFILTER) | bit(V3DOFF_FAMILY_VP9_ITX);
    if (settings().scope != V3DOFF_SCOPE_FILTERS)
        families = bit(h264 ? V3DOFF_FAMILY_H264_RECONSTRUCTION : V3DOFF_FAMILY_VP9_RECONSTRUCTION);
    else if (h264)
        families = bit(V3DOFF_FAMILY_H264_DEBLOCK);
    return {families, need.format, need.mbaff};
}

// Another thread of the decoder may have done it already.
void Stream::settle(State state, const Lines &lines) {
    State before = State::pending;
    if (state == State::pending || !state_.compare_exchange_strong(before, state)) return;
    if (state != State::ready || !lines.write) return;
    char line[400];
    std::snprintf(line, sizeof line, "pictures go to %s%s, memory: %s",
                  device()->vulkan->facts().name.c_str(),
                  lent_ ? ", the program's Vulkan device" : "",
                  vk::memory_path_name(device()->taken));
    lines.write(lines.opaque, V3DOFF_LOG_INFO, line);
}

Stream::State Stream::open(const Need &need, const Lines &lines) {
    if (state() != State::pending) return state();
    const bool wait =
        need.wait || settings().mode == V3DOFF_MODE_FORCE || debug::choice(debug::open);
    const bool begin = need.begin || wait;
    SharedDevice *device = nullptr;
    {
        std::lock_guard lock(mutex_);
        if (!user_) user_ = SharedDevice::join(settings().mode, lent_, begin);
        device = user_.get();
    }
    if (device)
        settle(device->prepare(preparation(need), begin, wait), lines);
    else if (begin)
        settle(State::absent, lines);
    return state();
}

Picture *Stream::open_picture(PoolKind kind, const PictureView *planes) {
    const log::Later later;
    std::lock_guard lock(mutex_);
    if (!device() || is_given_up()) return nullptr;
    const std::shared_ptr<vk::Device> &vulkan = device()->vulkan;
    if (kind.path == V3DOFF_MEMORY_AUTO) kind.path = device()->memory;
    if (!pool_ || !serves(pool_->kind(), kind)) pool_ = IdlePools::open(vulkan, kind);
    IdlePools::drop_old(vulkan.get());
    return pool_->open(planes);
}

Policy::Answer Stream::ask(Policy::Question question) {
    if (device()) question.device = device()->vulkan.get();
    question.absent = state() == State::absent;
    if (is_given_up()) question.obstacle = v3doff_result_text(given_up_);
    const Policy::Answer answer = policy_.ask(question);
    if (answer.failed) give_up(V3DOFF_ERROR_DEVICE_BAD);
    return answer;
}

void Stream::end(const Lines &lines) {
    static constexpr const char *states[] = {"pending", "ready", "absent"};
    const OpenDevice *const open = device();
    // A program that only probes a stream closes the decoder before there is a device.
    const v3doff_log_level level = open ? V3DOFF_LOG_INFO : V3DOFF_LOG_DEBUG;
    if (lines.write && state() != State::absent)
        counts_.write_lines([&](const char *line) { lines.write(lines.opaque, level, line); });
    if (!debug::choice(debug::report)) return;
    char beginning[400];
    std::snprintf(beginning, sizeof beginning, "pid=%d codec=%s state=%s device=\"%s\" memory=%s",
                  int(getpid()), settings().codec == V3DOFF_CODEC_H264 ? "h264" : "vp9",
                  states[size_t(state())], open ? open->vulkan->facts().name.c_str() : "",
                  open ? vk::memory_path_name(open->taken) : "none");
    counts_.write_report(
        beginning, [](const char *line) { std::fprintf(stderr, "libv3doff report: %s\n", line); });
}

void Stream::close() {
    policy_.end();
    std::lock_guard lock(mutex_);
    state_ = State::absent;
    pool_.reset();
    user_.reset();
    lent_.reset();
    end_log();
}

} // namespace v3doff
