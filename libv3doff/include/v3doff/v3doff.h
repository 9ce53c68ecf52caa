/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libv3doff: picture-parallel video decoding work as a few Vulkan dispatches a picture.
 *
 * The life of a picture:
 *
 *     v3doff_device_create     once a process (or lend your own VkDevice, see vulkan.h)
 *     v3doff_pool_create       once a stream: the format and size of its pictures
 *     v3doff_picture_open      a picture's memory, which the CPU reconstructs into
 *     v3doff_vp9_record_itx    records pile up (vp9.h); nothing reaches the GPU yet
 *     v3doff_picture_submit    one queue submit, asynchronous
 *     v3doff_picture_wait      or a callback: the samples are final
 *     v3doff_picture_reopen    the same memory again, or
 *     v3doff_picture_close     back to the pool
 *
 * Whatever happens after a submit (no memory, device lost, time-out), the work is done on the CPU
 * from the records, with the same bits: v3doff_picture_wait still succeeds, and the picture's
 * report says who did the work and why.
 *
 * Rules that hold for every function here:
 *  - A function that can fail returns a v3doff_result, negative for errors. It then has changed
 *    nothing, and one line naming the argument went to the log callback.
 *  - Structs that begin with struct_size: set it to sizeof of the struct; fields added later are
 *    taken as zero when struct_size says that the caller does not know them.
 *  - _destroy and _close take the address of the handle and clear it; NULL inside is allowed.
 *  - Children keep their parents alive: a device may be destroyed while pools of it exist.
 *  - The library never prints, never aborts and never throws across this boundary.
 *  - A handle that was destroyed is recognised as long as its slot was not given out anew.
 */
#ifndef V3DOFF_V3DOFF_H
#define V3DOFF_V3DOFF_H

#include <stddef.h>
#include <stdint.h>

#include "v3doff/version.h"

#if defined(__GNUC__)
#define V3DOFF_API __attribute__((visibility("default")))
#else
#define V3DOFF_API
#endif

/* In C++ a number that is none of the names is still a value: it can be refused. */
#ifdef __cplusplus
#define V3DOFF_ENUM : int
#else
#define V3DOFF_ENUM
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Results and log --------------------------------------------------------------------- */

typedef enum v3doff_result V3DOFF_ENUM {
    V3DOFF_OK = 0,
    V3DOFF_NOT_READY = 1,              /* not yet; no error, and nothing has happened */
    V3DOFF_ERROR_INVALID_ARGUMENT = -1, /* null, out of range, wrong struct_size */
    V3DOFF_ERROR_INVALID_HANDLE = -2,  /* null, destroyed, or of another type */
    V3DOFF_ERROR_INVALID_STATE = -3,   /* for example a record after submit */
    V3DOFF_ERROR_WRONG_THREAD = -4,    /* two threads in one lane, or a wait inside a callback */
    V3DOFF_ERROR_OUT_OF_MEMORY = -5,
    V3DOFF_ERROR_LIMIT = -6,       /* a bound was reached: pictures of a pool, records of one */
    V3DOFF_ERROR_UNSUPPORTED = -7, /* valid, but this library or device does not do it */
    V3DOFF_ERROR_NO_VULKAN = -8,   /* no Vulkan loader on this machine */
    V3DOFF_ERROR_NO_DEVICE = -9,   /* Vulkan, but no device that fits */
    V3DOFF_ERROR_DEVICE_BAD = -10, /* this device failed earlier in this process */
    V3DOFF_ERROR_INTERNAL = -11    /* a bug in the library: please report it */
} v3doff_result;

/* A short English text for a result; never NULL, also for numbers that are no result. */
V3DOFF_API const char *v3doff_result_text(v3doff_result result);

/* The version the library was built as; compare with V3DOFF_VERSION. */
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
 * Sets the process's log callback; NULL switches logging off, which is the default. Lines above
 * max_level are not built. The callback is called from any thread, also from the library's own.
 * Thread-safety: any thread, any time; a call under way in another thread may still end in the
 * old callback.
 */
V3DOFF_API void v3doff_log_set(v3doff_log_callback callback, void *opaque,
                               v3doff_log_level max_level);

/*
 * The value of a key of the environment's V3DOFF_DEBUG=key=value,..., with which tests and
 * measurements change what users do not: for programs that have such keys of their own. The library
 * knows all keys (docs/testing.md) and warns once of any other one, or of a value that the key does
 * not have. NULL: key is NULL, is not set, or is set to such a value, and always in a program with
 * another user's rights (set-user-ID). The text stays valid and the same until the process ends. Keys
 * may come and go in any version.
 * Thread-safety: any thread, any time.
 */
V3DOFF_API const char *v3doff_debug(const char *key);

/* ---- Devices ------------------------------------------------------------------------------ */

/* Thread-safety: a device may be used by any number of threads at once. */
typedef struct v3doff_device v3doff_device;

typedef enum v3doff_device_kind V3DOFF_ENUM {
    V3DOFF_DEVICE_KIND_OTHER = 0,
    V3DOFF_DEVICE_KIND_DISCRETE = 1,
    V3DOFF_DEVICE_KIND_INTEGRATED = 2,
    V3DOFF_DEVICE_KIND_VIRTUAL = 3,
    V3DOFF_DEVICE_KIND_SOFTWARE = 4, /* Vulkan on the CPU, such as lavapipe */
    V3DOFF_DEVICE_KIND_NONE = 5      /* no Vulkan: V3DOFF_MODE_CPU */
} v3doff_device_kind;

typedef enum v3doff_mode V3DOFF_ENUM {
    V3DOFF_MODE_AUTO = 0,  /* a GPU; a software device is refused with NO_DEVICE */
    V3DOFF_MODE_FORCE = 1, /* any device, software too */
    V3DOFF_MODE_CPU = 2    /* no Vulkan at all: the same interface, the work on the CPU */
} v3doff_mode;

/* How the CPU and the GPU share a picture's samples, best first. */
typedef enum v3doff_memory_path V3DOFF_ENUM {
    V3DOFF_MEMORY_AUTO = 0,
    V3DOFF_MEMORY_UDMABUF = 1,     /* cached pages, imported as a dma-buf */
    V3DOFF_MEMORY_DMA_HEAP = 2,    /* the same from the kernel's system heap */
    V3DOFF_MEMORY_HOST_IMPORT = 3, /* the CPU's own pages, imported by address */
    V3DOFF_MEMORY_HOST_CACHED = 4, /* cached memory of the driver, mapped */
    V3DOFF_MEMORY_STAGING = 5,     /* separate memory, copied before and after */
    V3DOFF_MEMORY_CPU = 6          /* plain memory, no GPU involved */
} v3doff_memory_path;

typedef enum v3doff_chroma V3DOFF_ENUM {
    V3DOFF_CHROMA_400 = 0,
    V3DOFF_CHROMA_420 = 1,
    V3DOFF_CHROMA_422 = 2,
    V3DOFF_CHROMA_444 = 3,
    V3DOFF_CHROMA_440 = 4
} v3doff_chroma;

enum {
    V3DOFF_DEVICE_TIMERS = 1 << 0, /* measure the GPU time of every pass, see get_timer */
    /* Once destroyed, with all that was made from it, it stays open for 5 seconds: who opens it in the
     * same way meanwhile has it at once. For programs that look at a stream before they decode it, or
     * decode one after the other. Its pools stay in the same way, as long as their pictures are not more
     * than 128 MiB. Not for borrowed devices, and not where the environment's V3DOFF_KEEP is off. */
    V3DOFF_DEVICE_KEEP = 1 << 1
};

typedef struct v3doff_device_info {
    size_t struct_size;
    v3doff_mode mode;
    /* Index in v3doff_device_list's order, part of a name, or a UUID; NULL: the environment's
     * V3DOFF_DEVICE, else discrete before integrated before virtual before software. */
    const char *select;
    uint32_t flags;             /* V3DOFF_DEVICE_* */
    /* A submit that takes longer marks the device bad. 0: the environment's V3DOFF_TIME_LIMIT, else
     * 2000, on a software device 60000. */
    uint32_t submit_timeout_ms;
    v3doff_memory_path memory;  /* AUTO: the environment's V3DOFF_MEMORY, else the best */
    const char *cache_dir;      /* pipeline cache; NULL: $XDG_CACHE_HOME/v3doff; "": none */
    /* Bits 1 << V3DOFF_FAMILY_* (v3doff/recipe.h): what these need for pictures of this format is compiled
     * before the device is handed out. Otherwise the first picture that needs a shader waits for it, which
     * can be a second each where the pipeline cache does not have it. 0: nothing. */
    uint32_t prepare;
    uint32_t prepare_bit_depth;
    v3doff_chroma prepare_chroma;
    /* An open device: another handle to it is made, once it has what `prepare` says, and the rest is not
     * looked at. With v3doff_opening_begin, for a decoder that begins beside others. NULL: one is opened. */
    v3doff_device *device;
} v3doff_device_info;

typedef struct v3doff_device_properties {
    size_t struct_size;
    v3doff_device_kind kind;
    v3doff_memory_path memory; /* what a pool of this device gets; AUTO where not opened */
    uint32_t vendor_id, device_id;
    uint32_t api_version;     /* as VkPhysicalDeviceProperties has it */
    uint32_t subgroup_size;
    uint8_t uuid[16];
    uint64_t max_buffer_range; /* bytes of a picture that a shader can reach */
    uint32_t max_shared_bytes, max_push_bytes, max_group_size;
    int32_t usable; /* 0: missing says why */
    int32_t bad;    /* failed earlier in this process */
    char name[256];
    char driver[256];
    char missing[256];       /* required things this device lacks, comma separated */
    char memory_reason[256]; /* why that memory path */
} v3doff_device_properties;

/*
 * Lists the Vulkan devices of this machine in the order of their index. *count: in, the elements
 * of list; out, the devices there are (list may be NULL to ask). Each element's struct_size must
 * be set. A machine without Vulkan: NO_VULKAN.
 */
V3DOFF_API v3doff_result v3doff_device_list(v3doff_device_properties *list, size_t *count);

/*
 * Opens a device. info may be NULL: automatic. On failure *out is NULL, and the caller decodes on
 * its CPU as if the library were not there (or asks again with V3DOFF_MODE_CPU).
 */
V3DOFF_API v3doff_result v3doff_device_create(v3doff_device **out, const v3doff_device_info *info);

/*
 * Opens a device on a thread of the library: drivers take up to half a second for it, in which the
 * caller can decode on its CPU. begin returns at once; what info points to is copied.
 *
 * end waits so long for the device (0: looks whether it is there; UINT64_MAX: as long as it takes).
 * NOT_READY: not yet, *opening stays. Everything else ends the opening, *opening is NULL then, and
 * result and *device are those of v3doff_device_create.
 *
 * cancel: the device is not wanted any more. It waits for the driver, which cannot be interrupted.
 * Thread-safety: one opening by one thread at a time.
 */
typedef struct v3doff_opening v3doff_opening;
V3DOFF_API v3doff_result v3doff_opening_begin(v3doff_opening **out, const v3doff_device_info *info);
V3DOFF_API v3doff_result v3doff_opening_end(v3doff_opening **opening, uint64_t timeout_ns,
                                            v3doff_device **device);
V3DOFF_API void v3doff_opening_cancel(v3doff_opening **opening);

/* Lets go of a device; it ends when its last pool and picture have. */
V3DOFF_API void v3doff_device_destroy(v3doff_device **device);

V3DOFF_API v3doff_result v3doff_device_get_properties(v3doff_device *device,
                                                      v3doff_device_properties *properties);

/* ---- Pools -------------------------------------------------------------------------------- */

/* Thread-safety: a pool may be used by any number of threads at once. */
typedef struct v3doff_pool v3doff_pool;

typedef struct v3doff_pool_info {
    size_t struct_size;
    uint32_t width, height; /* luma samples, 1 to 16384 each */
    uint32_t bit_depth;     /* 8 to 14; above 8 a sample is a 16-bit little-endian word */
    v3doff_chroma chroma;
    uint32_t max_pictures;     /* open at once; 0: 64. One more is refused with LIMIT. */
    v3doff_memory_path memory; /* AUTO: as the device */
    /*
     * Bytes from a row of each plane to the next; 0: the library's choice. A decoder that also
     * has pictures of its own gives theirs, so that all pictures of a stream are laid out alike.
     * Multiples of 16 that hold the plane's width rounded up to 8 luma samples; both chroma
     * planes have the same.
     */
    uint32_t stride[3];
} v3doff_pool_info;

/*
 * Makes a pool of pictures of one format. No picture is allocated yet; memory of closed pictures
 * is kept for the next one, so a stream in its steady state allocates nothing.
 */
V3DOFF_API v3doff_result v3doff_pool_create(v3doff_pool **out, v3doff_device *device,
                                            const v3doff_pool_info *info);

/* Lets go of a pool; pictures still open stay valid. */
V3DOFF_API void v3doff_pool_destroy(v3doff_pool **pool);

/* ---- Pictures ------------------------------------------------------------------------------ */

/*
 * Thread-safety: records may be added by several threads at once, each in a lane of its own;
 * everything else on one picture by one thread at a time, except v3doff_picture_wait and
 * _get_report, which any thread may call at any time. Different pictures are independent.
 */
typedef struct v3doff_picture v3doff_picture;

enum {
    V3DOFF_LANES = 64 /* record lanes of a picture, numbered from 0 */
};

/*
 * Where a picture's samples lie. stride is in bytes; the rest is in samples. padded_*: how far
 * records may write; for the caller's own memory it says how much of it is there (0: no more than
 * the picture), for a pool's it is whole 64x64 superblocks.
 */
enum {
    /* The planes are of different allocations. What lies between them is somebody else's: the
     * device works on a copy, even where it could import all of it. */
    V3DOFF_PLANES_SEPARATE = 1
};

typedef struct v3doff_planes {
    size_t struct_size;
    uint32_t count; /* 1 for 4:0:0, else 3 */
    void *data[3];
    ptrdiff_t stride[3];
    uint32_t width[3], height[3]; /* filled by get_planes, ignored by open */
    uint32_t padded_width[3], padded_height[3];
    uint32_t flags; /* V3DOFF_PLANES_*; get_planes sets none */
} v3doff_planes;

/*
 * Opens a picture for reconstruction and records. planes NULL: memory of the pool, laid out as
 * FFmpeg's decoders expect (rows padded to whole superblocks, the pool's strides, else ones of 64
 * bytes); its contents are undefined. Otherwise the caller's memory, which must stay valid until the picture is
 * closed; planes that lie in one allocation are imported where the device can, else copied.
 */
V3DOFF_API v3doff_result v3doff_picture_open(v3doff_picture **out, v3doff_pool *pool,
                                             const v3doff_planes *planes);

/* The addresses stay the same until the picture is closed. The caller may touch the samples while
 * the picture is open (not submitted), and after a wait has returned OK. */
V3DOFF_API v3doff_result v3doff_picture_get_planes(v3doff_picture *picture, v3doff_planes *planes);

/* Where the samples lie in a dma-buf: what a display, another device or another process imports. */
typedef struct v3doff_dma_buf {
    size_t struct_size;
    int32_t fd; /* The library closes it with the picture. Duplicate it to keep it longer. */
    uint32_t count; /* 1 for 4:0:0, else 3 */
    uint64_t size;
    uint32_t offset[3], stride[3]; /* bytes; the layout is linear */
} v3doff_dma_buf;

/*
 * Lets other devices and processes read a picture's samples in place, as they are now. Waits for a picture
 * that was submitted. An open picture must have no records, and its bands must be done (INVALID_STATE).
 * Call this again when the samples have changed. Readers must have ended before the picture is closed or
 * reopened; devices whose reading has a fence in the dma-buf are waited for. Once the picture is done, any
 * thread may call this. UNSUPPORTED: the memory is not a dma-buf (V3DOFF_MEMORY_UDMABUF and _DMA_HEAP are).
 */
V3DOFF_API v3doff_result v3doff_picture_get_dma_buf(v3doff_picture *picture,
                                                    v3doff_dma_buf *dma_buf);

typedef enum v3doff_picture_state V3DOFF_ENUM {
    V3DOFF_PICTURE_OPEN = 0,
    V3DOFF_PICTURE_IN_FLIGHT = 1,
    V3DOFF_PICTURE_DONE = 2
} v3doff_picture_state;

typedef enum v3doff_executor V3DOFF_ENUM {
    V3DOFF_EXECUTOR_NONE = 0, /* not done yet */
    V3DOFF_EXECUTOR_GPU = 1,
    V3DOFF_EXECUTOR_CPU = 2 /* reason says why */
} v3doff_executor;

typedef struct v3doff_picture_report {
    size_t struct_size;
    v3doff_picture_state state;
    v3doff_executor executor;
    uint64_t records;     /* of the submit */
    uint64_t cpu_records; /* of them, those that the CPU did, also where the rest went to the GPU */
    uint32_t dispatches; /* of the submit; 0 on the CPU */
    uint32_t timers;     /* how many get_timer knows */
    uint64_t gpu_ns;     /* from the first pass to the end, with V3DOFF_DEVICE_TIMERS; else 0 */
    uint64_t submit_ns;  /* what the submit cost the calling thread */
    char reason[128];    /* why the CPU did it, else empty */
    uint32_t bands;      /* how many submits it were */
} v3doff_picture_report;

/*
 * Called on a thread of the library that waits for the device once the samples are final, or inside
 * submit when the work was done there. It may look at the picture and signal others; waiting,
 * submitting or closing in it is refused with WRONG_THREAD.
 */
typedef void (*v3doff_done_callback)(void *opaque, v3doff_picture *picture);

typedef struct v3doff_submit_info {
    size_t struct_size;
    v3doff_done_callback done; /* may be NULL */
    void *opaque;
} v3doff_submit_info;

/*
 * Asks for final unfiltered samples of a rectangle before the submit, as intra prediction needs
 * them: transforms that the lane has recorded there are done at once on the CPU and struck from the
 * records; the report counts them in cpu_records. Filters stay. Blocks that other lanes have
 * recorded are not looked at: a lane is a slice or tile, across whose borders nothing is predicted.
 * The rectangle may reach outside the plane; what is outside is ignored.
 */
V3DOFF_API v3doff_result v3doff_picture_require(v3doff_picture *picture, uint32_t lane,
                                                uint32_t plane, uint32_t x, uint32_t y,
                                                uint32_t width, uint32_t height);

/*
 * Does what of a submit needs no other picture: a caller that has to wait until the pictures that
 * this one is predicted from are submitted does it before. Nothing has to call it; what is recorded
 * afterwards is done again in the submit.
 */
V3DOFF_API v3doff_result v3doff_picture_prepare(v3doff_picture *picture);

/*
 * Hands the records over: one queue submit, no waiting. info may be NULL. INVALID_STATE, and
 * nothing happens, while a picture that this one is predicted from is recorded and not submitted.
 */
V3DOFF_API v3doff_result v3doff_picture_submit(v3doff_picture *picture,
                                               const v3doff_submit_info *info);

/* As v3doff_done_callback, once what the submit of rows above row_end has to do is done. */
typedef void (*v3doff_rows_callback)(void *opaque, v3doff_picture *picture, uint32_t row_end);

typedef struct v3doff_rows_info {
    size_t struct_size;
    uint32_t row_end; /* luma rows; more than in the call before, less than the picture has */
    v3doff_rows_callback done; /* may be NULL */
    void *opaque;
} v3doff_rows_info;

/*
 * Hands over what has been recorded so far, all of it for rows above row_end and, in later calls,
 * below the row_end before: a band of the picture. The picture stays open for the rows below;
 * v3doff_picture_submit hands over the last band, and only then is it in flight. Bands are done in
 * their order, each told by its own done; the picture's done follows the last one.
 *
 * In planes with fewer rows row_end counts accordingly. Meanwhile
 * - rows from row_end on stay the caller's. They are neither read nor written.
 * - rows above are not to be touched. Intra prediction in the first rows below needs unfiltered
 *   samples of the last row above: the caller keeps a copy of it, made before the call, and does
 *   not defer what that copy must hold (v3doff_picture_require makes it final first).
 * - when done is called, rows above are final but for those that filters across row_end still
 *   change: the last 8 of each plane for the VP9 loop filter. Every band may change the last ones
 *   above it in that way.
 * No other thread records during the call. When a band fails the CPU does it and all behind it,
 * with the same bits, on a thread of the library or inside later calls.
 *
 * NOT_READY, and nothing happens, where a band cannot go alone: the samples are copied to the GPU and
 * back, pictures are dumped, or there are records of a kind that only whole pictures have. Then
 * v3doff_picture_submit, or a later band, takes these records along, and done is not called.
 * INVALID_ARGUMENT, and nothing happens, when records lie outside of the rows.
 */
V3DOFF_API v3doff_result v3doff_picture_submit_rows(v3doff_picture *picture,
                                                    const v3doff_rows_info *info);

/* Waits until a submitted picture is done; UINT64_MAX: as long as it takes. NOT_READY when
 * timeout_ns is over first. */
V3DOFF_API v3doff_result v3doff_picture_wait(v3doff_picture *picture, uint64_t timeout_ns);

/*
 * Forgets the records of an open picture; the samples stay. A band that v3doff_picture_submit_rows
 * has taken (V3DOFF_OK) is no longer among them: it is done, and told, whatever comes after it. What
 * was recorded since, or before a call that returned NOT_READY, is forgotten.
 */
V3DOFF_API v3doff_result v3doff_picture_discard(v3doff_picture *picture);

/*
 * Opens a picture that is done once more, with the same memory and no records. INVALID_STATE while a
 * submitted picture that is predicted from it is not done. One that is only recorded reads the samples
 * as they are when it is submitted.
 */
V3DOFF_API v3doff_result v3doff_picture_reopen(v3doff_picture *picture);

V3DOFF_API v3doff_result v3doff_picture_get_report(v3doff_picture *picture,
                                                   v3doff_picture_report *report);

/* GPU time of pass number index of the last submit; *name stays valid as long as the library. */
V3DOFF_API v3doff_result v3doff_picture_get_timer(v3doff_picture *picture, uint32_t index,
                                                  const char **name, uint64_t *ns);

/* Closes a picture: waits for it and its bands in flight, drops its records when it is open. */
V3DOFF_API void v3doff_picture_close(v3doff_picture **picture);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_V3DOFF_H */
