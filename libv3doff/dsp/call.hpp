// SPDX-License-Identifier: BSD-2-Clause
// What all DSP tables share: the picture a thread has bound, and where calls went.
#pragma once

#include <atomic>
#include <type_traits>

#include "picture/picture.hpp"
#include "util/error.hpp"
#include "util/process.hpp"

namespace v3doff::dsp {

// A call with its function's arguments.
struct Call {
    const char *name;
    const void *dst;
    ptrdiff_t stride;
    unsigned bit_depth;
    bool may_be_field = false; // a stride of twice the plane's means one of its fields

    std::byte *at() const { return static_cast<std::byte *>(const_cast<void *>(dst)); }
    ptrdiff_t sample_bytes() const { return bit_depth > 8 ? 2 : 1; }
};

// A sample of a picture.
struct Place {
    unsigned plane = 0;
    uint32_t x = 0, y = 0;
    uint32_t field = 0; // 1: lines are every second one from y on
};

struct Binding {
    const std::atomic<uint64_t> *handle = nullptr; // its life; null: no picture is bound
    uint64_t life = 0; // handles and pictures are used again, under another number
    Picture *picture = nullptr;
    uint32_t lane = 0;

    bool is_open() const { return handle->load(std::memory_order_acquire) == life; }
};
Binding &binding(); // of this thread

struct Totals {
    std::atomic<uint64_t> recorded{0}, at_once_gpu{0}, at_once_cpu{0}, at_once_large{0}, refused{0};
};
Totals &totals();

// False: the address is in none of the picture's planes.
bool find_place(const PictureView &picture, const void *dst, Place &place);
// Throws if a picture cannot take the call. Otherwise returns whether it is for a field.
uint32_t check_call(const PictureView &picture, const Call &call, const Place &place);
void refuse_call(const Call &call, const char *why) noexcept;

// Runs record(picture, lane, place) if the call's destination is in the picture that this thread
// has bound. If record() throws, the call is refused. False: the caller must do it at once.
template <typename Record>
bool recorded(const Call &call, Record record) noexcept {
    Binding &bound = binding();
    if (!bound.handle) return false;
    try {
        if (!bound.is_open())
            throw Error(V3DOFF_ERROR_INVALID_HANDLE, "the bound picture was closed");
        Picture &picture = *bound.picture;
        Place place;
        if (!find_place(picture.view(), call.dst, place)) return false;
        if (process::forked()) throw Error(V3DOFF_ERROR_FORKED, "the picture is the parent's");
        place.field = check_call(picture.view(), call, place);
        Picture::LaneGuard guard(picture, bound.lane);
        record(picture, bound.lane, place);
        totals().recorded.fetch_add(1, std::memory_order_relaxed);
    } catch (const std::exception &problem) {
        refuse_call(call, problem.what());
    }
    return true;
}

// Calls fill() with the bit depth as a constant. False: it is none of these.
template <unsigned... depths, typename Fill>
bool with_depth(unsigned bit_depth, Fill fill) {
    return ((bit_depth == depths && (fill(std::integral_constant<unsigned, depths>()), true)) ||
            ...);
}

} // namespace v3doff::dsp
