// SPDX-License-Identifier: BSD-2-Clause
#include "dsp/at_once.hpp"

#include <cstring>
#include <map>

#include "dsp/debug_keys.hpp"
#include "util/env.hpp"
#include "util/log.hpp"

namespace v3doff::dsp {
namespace {

// The device and its pools. Never destroyed: at the end of a process nobody knows whether the
// Vulkan driver's own statics are still there.
class Owner {
  public:
    std::shared_ptr<Pool> pool(AtOnce kind, unsigned bit_depth) {
        const log::Later later;
        std::lock_guard lock(mutex_);
        if (!device_) device_ = open_from_environment();
        auto &pool = pools_[{kind, bit_depth}];
        if (!pool)
            pool = std::make_shared<Pool>(
                device_->vulkan,
                PoolKind{{at_once_side(kind), at_once_side(kind), bit_depth, V3DOFF_CHROMA_400},
                         most_at_once,
                         device_->memory});
        return pool;
    }

    void set(std::shared_ptr<const OpenDevice> device) {
        std::lock_guard lock(mutex_);
        pools_.clear();
        device_ = std::move(device);
    }

  private:
    static constexpr unsigned most_at_once = 256;

    static std::shared_ptr<const OpenDevice> open_from_environment() {
        env::read();
        process::watch_main_thread();
        v3doff_device_info info{};
        info.mode = v3doff_mode(debug::choice(debug::dsp).value_or(V3DOFF_MODE_AUTO));
        try {
            return open_device(device_request(info));
        } catch (const Error &problem) {
            LOG_WARNING("calls of DSP tables are executed on the CPU: %s", problem.what());
        }
        info.mode = V3DOFF_MODE_CPU;
        return open_device(device_request(info));
    }

    std::mutex mutex_;
    std::shared_ptr<const OpenDevice> device_;
    std::map<std::pair<AtOnce, unsigned>, std::shared_ptr<Pool>> pools_;
};
static_assert(V3DOFF_MODE_AUTO == 0 && V3DOFF_MODE_FORCE == 1 && V3DOFF_MODE_CPU == 2);

Owner &owner() {
    static auto *instance = new Owner;
    return *instance;
}

void count(const v3doff_picture_report &report) {
    auto &total = report.executor != V3DOFF_EXECUTOR_GPU ? totals().at_once_cpu
                  : report.cpu_records                   ? totals().at_once_large
                                                         : totals().at_once_gpu;
    total.fetch_add(1, std::memory_order_relaxed);
}

} // namespace

AtOncePicture::AtOncePicture(AtOnce kind, unsigned bit_depth)
    : pool_(owner().pool(kind, bit_depth)), picture_(pool_->open(nullptr)) {}

AtOncePicture::~AtOncePicture() {
    pool_->close(picture_);
}

bool run_at_once(AtOnce kind, unsigned bit_depth, const std::function<void(Picture &)> &before,
                 const std::function<void(const PlaneView &)> &after) noexcept {
    try {
        // The thread that would have to report the end cannot wait for it. A thread that has bound
        // a picture is decoding: for its rare call elsewhere, a submit would take too long.
        if (!Picture::in_callback() && !binding().handle && !process::forked()) {
            const process::Work work;
            if (process::ends()) throw Error(V3DOFF_ERROR_DEVICE_BAD, "the process ends");
            AtOncePicture picture(kind, bit_depth);
            before(*picture);
            picture->submit({});
            if (picture->wait(UINT64_MAX) == V3DOFF_OK) {
                v3doff_picture_report report{};
                picture->fill_report(report);
                count(report);
                after(picture->view().plane[0]);
                return true;
            }
        }
    } catch (const std::exception &problem) {
        LOG_WARNING_ONCE("a call of a DSP table is executed without a picture: %s", problem.what());
    }
    totals().at_once_cpu.fetch_add(1, std::memory_order_relaxed);
    return false;
}

bool run_block_at_once(AtOnce kind, const Call &call, uint32_t width, uint32_t height,
                       const std::function<void(Picture &)> &record) noexcept {
    const size_t bytes = size_t(width) * size_t(call.sample_bytes());
    const auto before = [&](Picture &picture) {
        const PlaneView &to = picture.view().plane[0];
        copy_rows(to.data, to.stride, call.at(), call.stride, bytes, height);
        record(picture);
    };
    const auto after = [&](const PlaneView &from) {
        copy_rows(call.at(), call.stride, from.data, from.stride, bytes, height);
    };
    return run_at_once(kind, call.bit_depth, std::ref(before), std::ref(after));
}

void set_device_at_once(std::shared_ptr<const OpenDevice> device) {
    owner().set(std::move(device));
}

void copy_rows(std::byte *to, ptrdiff_t to_stride, const std::byte *from, ptrdiff_t from_stride,
               size_t bytes, uint32_t rows) {
    for (uint32_t row = 0; row < rows; row++)
        std::memcpy(to + ptrdiff_t(row) * to_stride, from + ptrdiff_t(row) * from_stride, bytes);
}

} // namespace v3doff::dsp
