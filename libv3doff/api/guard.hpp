// SPDX-License-Identifier: BSD-2-Clause
// The boundary: no exception leaves the library, and every refusal is one log line. In a forked
// child nothing is done, and nothing is logged, because the log has a mutex.
#pragma once

#include <cstring>
#include <new>

#include "util/error.hpp"
#include "util/log.hpp"
#include "util/process.hpp"

namespace v3doff::api {

template <typename Body>
v3doff_result guarded(const char *function, Body body) noexcept {
    if (process::forked()) return V3DOFF_ERROR_FORKED;
    process::Inside inside;
    try {
        return body();
    } catch (const Error &problem) {
        LOG_ERROR("%s: %s", function, problem.what());
        return problem.code();
    } catch (const std::bad_alloc &) {
        LOG_ERROR("%s: out of memory", function);
        return V3DOFF_ERROR_OUT_OF_MEMORY;
    } catch (const std::exception &problem) {
        LOG_ERROR("%s: internal error: %s", function, problem.what());
        return V3DOFF_ERROR_INTERNAL;
    }
}

template <typename T>
void require_pointer(T *pointer, const char *argument) {
    if (!pointer) refuse(std::string(argument) + ": null");
}

// For functions that can call the driver. When the process ends, they do nothing.
template <typename Body>
v3doff_result on_device(const char *function, Body body) noexcept {
    if (process::forked()) return V3DOFF_ERROR_FORKED;
    process::Inside inside;
    process::Work work;
    return process::ends() ? V3DOFF_ERROR_DEVICE_BAD : guarded(function, body);
}

// For functions that make a handle; the body returns it. After a failure it is null.
template <typename Handle, typename Body>
v3doff_result creating(const char *function, Handle **out, Body body) noexcept {
    if (out) *out = nullptr;
    return on_device(function, [&] {
        require_pointer(out, "out");
        *out = body();
        return V3DOFF_OK;
    });
}

// For functions that end a handle, which they set to null. The body may be called only with one
// that is not null. A forked child, and a process that ends, keep the object; at_end is what must
// happen in the latter all the same.
template <typename Handle, typename Body, typename AtEnd>
void ending(const char *function, Handle **handle, Body body, AtEnd at_end) noexcept {
    if (!handle || !*handle) return;
    const v3doff_result result = on_device(function, [&] {
        body();
        return V3DOFF_OK;
    });
    if (result != V3DOFF_ERROR_FORKED && result != V3DOFF_ERROR_DEVICE_BAD) return;
    guarded(function, [&] {
        at_end();
        return V3DOFF_OK;
    });
    *handle = nullptr;
}

template <typename Handle, typename Body>
void ending(const char *function, Handle **handle, Body body) noexcept {
    ending(function, handle, body, [] {});
}

// A copy of the caller's struct as this library knows it: what the caller's version lacks is zero.
template <typename T>
T read_struct(const T *from, const char *argument) {
    require_pointer(from, argument);
    if (from->struct_size < sizeof from->struct_size)
        refuse(std::string(argument) + "->struct_size: not set");
    T copy{};
    std::memcpy(&copy, from, from->struct_size < sizeof copy ? from->struct_size : sizeof copy);
    return copy;
}

// Writes back only what the caller's version of the struct has.
template <typename T>
void write_struct(T *to, T &value) {
    size_t known = to->struct_size < sizeof value ? to->struct_size : sizeof value;
    value.struct_size = to->struct_size;
    std::memcpy(to, &value, known);
}

} // namespace v3doff::api
