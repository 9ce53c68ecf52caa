// SPDX-License-Identifier: BSD-2-Clause
// What all DSP tables share: the picture a thread has bound, and where calls went.
#pragma once

#include <atomic>

#include "api/handles.hpp"
#include "util/error.hpp"
#include "util/process.hpp"

namespace v3doff::api {

// A call with its function's arguments.
struct DspCall {
    const char *name;
    const void *dst;
    ptrdiff_t stride;
    unsigned bit_depth;
    bool may_be_field = false; // a stride of twice the plane's means one of its fields
};

inline std::byte *bytes_of(const DspCall &call) {
    return static_cast<std::byte *>(const_cast<void *>(call.dst));
}

// A sample of a picture.
struct DspPlace {
    unsigned plane = 0;
    uint32_t x = 0, y = 0;
    uint32_t field = 0; // 1: lines are every second one from y on
};

struct DspBinding {
    v3doff_picture *handle = nullptr;
    uint64_t life = 0; // handles and pictures are used again, under another number
    Picture *picture = nullptr;
    uint32_t lane = 0;

    bool is_open() const { return handle->life.load(std::memory_order_acquire) == life; }
};
DspBinding &dsp_binding(); // of this thread

struct DspTotals {
    std::atomic<uint64_t> recorded{0}, at_once_gpu{0}, at_once_cpu{0}, at_once_large{0}, refused{0};
};
DspTotals &dsp_totals();

// False: the address is in none of the picture's planes.
bool find_place(const PictureView &picture, const void *dst, DspPlace &place);
// Throws if a picture cannot take the call. Otherwise returns whether it is for a field.
uint32_t check_call(const PictureView &picture, const DspCall &call, const DspPlace &place);
void refuse_call(const DspCall &call, const char *why) noexcept;

// Runs record(picture, lane, place) if the call's destination is in the picture that this thread
// has bound. If record() throws, the call is refused. False: the caller must do it at once.
template <typename Record>
bool recorded(const DspCall &call, Record record) noexcept {
    DspBinding &binding = dsp_binding();
    if (!binding.handle) return false;
    try {
        if (!binding.is_open())
            throw Error(V3DOFF_ERROR_INVALID_HANDLE, "the bound picture was closed");
        Picture &picture = *binding.picture;
        DspPlace place;
        if (!find_place(picture.view(), call.dst, place)) return false;
        if (process::forked()) throw Error(V3DOFF_ERROR_FORKED, "the picture is the parent's");
        place.field = check_call(picture.view(), call, place);
        Picture::LaneGuard guard(picture, binding.lane);
        record(picture, binding.lane, place);
        dsp_totals().recorded.fetch_add(1, std::memory_order_relaxed);
    } catch (const std::exception &problem) {
        refuse_call(call, problem.what());
    }
    return true;
}

} // namespace v3doff::api
