/* SPDX-License-Identifier: BSD-2-Clause */
/* Results, the log, and what every header needs. v3doff.h has the rules of all functions. */
#ifndef V3DOFF_RESULT_H
#define V3DOFF_RESULT_H

#include <stddef.h>
#include <stdint.h>

#include "v3doff/version.h"

#if defined(__GNUC__)
#define V3DOFF_API __attribute__((visibility("default")))
#else
#define V3DOFF_API
#endif

/* In C++ this makes every number a legal value of the enum, so that the library can refuse it. */
#ifdef __cplusplus
#define V3DOFF_ENUM : int
#else
#define V3DOFF_ENUM
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum v3doff_result V3DOFF_ENUM {
    V3DOFF_OK = 0,
    V3DOFF_NOT_READY = 1,               /* not yet; this is no error, and nothing has happened */
    V3DOFF_ERROR_INVALID_ARGUMENT = -1, /* null, out of range, wrong struct_size */
    V3DOFF_ERROR_INVALID_HANDLE = -2,   /* null, destroyed, or of another type */
    V3DOFF_ERROR_INVALID_STATE = -3,    /* for example a record after submit */
    V3DOFF_ERROR_WRONG_THREAD = -4,     /* two threads in one lane, or a wait inside a callback */
    V3DOFF_ERROR_OUT_OF_MEMORY = -5,
    V3DOFF_ERROR_LIMIT = -6,       /* a bound was reached: pictures of a pool, records of one */
    V3DOFF_ERROR_UNSUPPORTED = -7, /* valid, but this library or device does not do it */
    V3DOFF_ERROR_NO_VULKAN = -8,   /* no Vulkan loader on this machine */
    V3DOFF_ERROR_NO_DEVICE = -9,   /* Vulkan, but no device that fits */
    V3DOFF_ERROR_DEVICE_BAD = -10, /* this device failed earlier in this process */
    V3DOFF_ERROR_INTERNAL = -11,   /* a bug in the library: please report it */
    V3DOFF_ERROR_FORKED = -12      /* see v3doff_process_was_forked */
} v3doff_result;

/* A short English text for a result; never NULL, not even for a number that is not a result. */
V3DOFF_API const char *v3doff_result_text(v3doff_result result);

/* The version of the library at run time; compare it with V3DOFF_VERSION. */
V3DOFF_API uint32_t v3doff_version(void);

typedef enum v3doff_log_level V3DOFF_ENUM {
    V3DOFF_LOG_ERROR = 0,
    V3DOFF_LOG_WARNING = 1,
    V3DOFF_LOG_INFO = 2,
    V3DOFF_LOG_DEBUG = 3
} v3doff_log_level;

/* One line of text without a newline; valid during the call only. */
typedef void (*v3doff_log_callback)(void *opaque, v3doff_log_level level, const char *line);

/*
 * Adds a log callback. Any number can be there at a time, as a library and its program may have one
 * each; a callback with its opaque is one. Adding it again changes its level. Lines above the
 * highest level are not built. Without a callback nothing is logged. Any thread may call the
 * callback, also several at once and threads of the library.
 *
 * remove: when it returns, no thread is in the callback or will enter it. It waits for those that
 * are, but at most a second: a caller may hold a lock that the callback takes. Inside of a
 * callback, remove does not wait. Nothing happens if the callback is not there. Thread-safety: any
 * thread, any time, also inside a callback.
 */
V3DOFF_API v3doff_result v3doff_log_add(v3doff_log_callback callback, void *opaque,
                                        v3doff_log_level max_level);
V3DOFF_API void v3doff_log_remove(v3doff_log_callback callback, void *opaque);

/*
 * The value of a key in the environment variable V3DOFF_DEBUG=key=value,... Tests and measurements
 * use these keys for what users do not need to change. This function is for programs that have such
 * keys of their own. The library knows all keys (docs/testing.md). It warns once of an unknown key,
 * and of a value that is not legal for its key. NULL: key is NULL, is not set, or has such a value.
 * In a program with another user's rights (set-user-ID) the result is always NULL. The text does
 * not change until the process ends. Any version may add and remove keys. Thread-safety: any
 * thread, any time.
 */
V3DOFF_API const char *v3doff_debug(const char *key);

/*
 * Not 0: the environment has V3DOFF_DRM_PRIME=on. The user wants decoders to offer their frames as
 * DRM_PRIME (v3doff_picture_get_dma_buf). Thread-safety: any thread, any time.
 */
V3DOFF_API int v3doff_wants_drm_prime(void);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_RESULT_H */
