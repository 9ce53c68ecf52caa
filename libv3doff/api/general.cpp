// SPDX-License-Identifier: BSD-2-Clause
#include "api/debug_keys.hpp"
#include "api/guard.hpp"
#include "util/env.hpp"
#include "v3doff/v3doff.h"

using namespace v3doff;

const char *v3doff_result_text(v3doff_result result) {
    switch (result) {
    case V3DOFF_OK:
        return "success";
    case V3DOFF_NOT_READY:
        return "not ready yet";
    case V3DOFF_ERROR_INVALID_ARGUMENT:
        return "invalid argument";
    case V3DOFF_ERROR_INVALID_HANDLE:
        return "invalid or destroyed handle";
    case V3DOFF_ERROR_INVALID_STATE:
        return "not possible in this state";
    case V3DOFF_ERROR_WRONG_THREAD:
        return "wrong thread, or two threads at once";
    case V3DOFF_ERROR_OUT_OF_MEMORY:
        return "out of memory";
    case V3DOFF_ERROR_LIMIT:
        return "a limit was reached";
    case V3DOFF_ERROR_UNSUPPORTED:
        return "not supported";
    case V3DOFF_ERROR_NO_VULKAN:
        return "no Vulkan on this machine";
    case V3DOFF_ERROR_NO_DEVICE:
        return "no suitable Vulkan device";
    case V3DOFF_ERROR_DEVICE_BAD:
        return "the device failed earlier in this process";
    case V3DOFF_ERROR_INTERNAL:
        return "internal error";
    case V3DOFF_ERROR_FORKED:
        return "not possible in a process that was forked after a device was used";
    }
    return "unknown result";
}

uint32_t v3doff_version(void) {
    return V3DOFF_VERSION;
}

int v3doff_process_was_forked(void) {
    return process::forked();
}

v3doff_result v3doff_log_add(v3doff_log_callback callback, void *opaque,
                             v3doff_log_level max_level) {
    return api::guarded(__func__, [&] {
        api::require_pointer(reinterpret_cast<void *>(callback), "callback");
        if (max_level < V3DOFF_LOG_ERROR || max_level > V3DOFF_LOG_DEBUG)
            refuse("max_level: unknown");
        log::add(callback, opaque, max_level);
        return V3DOFF_OK;
    });
}

void v3doff_log_remove(v3doff_log_callback callback, void *opaque) {
    api::guarded(__func__, [&] {
        log::remove(callback, opaque);
        return V3DOFF_OK;
    });
}

int v3doff_wants_drm_prime(void) {
    bool wanted = false;
    api::guarded(__func__, [&] {
        wanted = env::switched("V3DOFF_DRM_PRIME", false);
        return V3DOFF_OK;
    });
    return wanted;
}

const char *v3doff_debug(const char *key) {
    const char *value = nullptr;
    api::guarded(__func__, [&] {
        if (const debug::Key *known = key ? debug::find_key(key) : nullptr)
            value = debug::text(*known);
        return V3DOFF_OK;
    });
    return value;
}
