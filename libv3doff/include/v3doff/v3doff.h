/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libv3doff does most of the work of decoding a video picture with a few Vulkan dispatches.
 *
 * The life of a picture:
 *
 *     v3doff_device_create     once for each process (or lend your own VkDevice, see vulkan.h)
 *     v3doff_pool_create       once for each stream: the format and size of its pictures
 *     v3doff_picture_open      gives a picture memory, into which the CPU reconstructs
 *     v3doff_vp9_record_itx    collects work in records (vp9.h); nothing reaches the GPU yet
 *     v3doff_picture_submit    sends the records to the GPU with one queue submit, and returns
 *     v3doff_picture_wait      returns when the samples are final; a callback can say the same
 *     v3doff_picture_reopen    uses the same memory again, or
 *     v3doff_picture_close     returns the memory to the pool
 *
 * If anything fails after a submit (no memory, device lost, time-out), the CPU does the work from
 * the records, with the same bits. v3doff_picture_wait still succeeds, and the picture's report
 * says who did the work and why.
 *
 * Rules that hold for every function here:
 *  - A function that can fail returns a v3doff_result, negative for errors. After an error nothing
 *    has changed, and the log callback has got one line that names the argument.
 *  - If a struct begins with struct_size, set that to sizeof of the struct. A caller that was built
 *    with an older header has a smaller struct; the library takes the missing fields as zero.
 *  - _destroy and _close take the address of the handle and set the handle to NULL. A handle that
 *    is NULL already is allowed.
 *  - Children keep their parents alive: a device may be destroyed while it has pools.
 *  - The library never prints, never aborts and never throws across this boundary.
 *  - The library recognises a destroyed handle until a new object gets the same slot.
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

/* In C++ this makes every number a legal value of the enum, so that the library can refuse it. */
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
    V3DOFF_ERROR_INTERNAL = -11    /* a bug in the library: please report it */
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
 * Sets the process's log callback; NULL switches logging off, which is the default. Lines above
 * max_level are not built. Any thread may call the callback, also threads of the library.
 * Thread-safety: any thread, any time; other threads may still be calling the old callback.
 */
V3DOFF_API void v3doff_log_set(v3doff_log_callback callback, void *opaque,
                               v3doff_log_level max_level);

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
    V3DOFF_MODE_FORCE = 1, /* any device, including software devices */
    V3DOFF_MODE_CPU = 2    /* no Vulkan: the same interface, but the CPU does the work */
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
    /* Keep the device open for 5 seconds after it and everything made from it were destroyed. A
     * caller that opens one with the same options in this time gets it immediately. This is for
     * programs that probe a stream before they decode it, or that decode one stream after the
     * other. The device's pools are kept too, up to 128 MiB of pictures. Borrowed devices are not
     * kept, and no device is kept if the environment has V3DOFF_KEEP=off. */
    V3DOFF_DEVICE_KEEP = 1 << 1
};

typedef struct v3doff_device_info {
    size_t struct_size;
    v3doff_mode mode;
    /* An index in v3doff_device_list's order, part of a name, or a UUID. NULL: the environment's
     * V3DOFF_DEVICE. Without it, the library prefers discrete, then integrated, then virtual, then
     * software devices. */
    const char *select;
    uint32_t flags; /* V3DOFF_DEVICE_* */
    /* A submit that takes longer marks the device bad. 0: the environment's V3DOFF_TIME_LIMIT;
     * without it, 2000, and 60000 on a software device. */
    uint32_t submit_timeout_ms;
    v3doff_memory_path memory; /* AUTO: the environment's V3DOFF_MEMORY, or the best */
    const char *cache_dir;     /* pipeline cache; NULL: $XDG_CACHE_HOME/v3doff; "": none */
    /* Bits 1 << V3DOFF_FAMILY_* (v3doff/recipe.h). The library compiles the shaders that these
     * families need for pictures of this format before it returns the device. Otherwise the first
     * picture that needs a shader waits for it, up to a second for each shader that the pipeline
     * cache does not have. 0: nothing is compiled. */
    uint32_t prepare;
    uint32_t prepare_bit_depth;
    v3doff_chroma prepare_chroma;
    /* An open device. The library makes another handle to it after it has compiled what `prepare`
     * asks for, and ignores the other fields. This is for v3doff_opening_begin, in a decoder that
     * starts while others use the device. NULL: a device is opened. */
    v3doff_device *device;
} v3doff_device_info;

typedef struct v3doff_device_properties {
    size_t struct_size;
    v3doff_device_kind kind;
    v3doff_memory_path memory; /* the path of this device's pools; AUTO if it is not open */
    uint32_t vendor_id, device_id;
    uint32_t api_version; /* as in VkPhysicalDeviceProperties */
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
 * Lists the Vulkan devices of this machine in the order of their index. *count: in, the number of
 * elements of list; out, the number of devices. If list is NULL, only *count is set. Each element's
 * struct_size must be set. A machine without Vulkan: NO_VULKAN.
 */
V3DOFF_API v3doff_result v3doff_device_list(v3doff_device_properties *list, size_t *count);

/*
 * Opens a device. If info is NULL, the library chooses everything. On failure *out is NULL. The
 * caller then decodes on the CPU without the library, or opens a device with V3DOFF_MODE_CPU.
 */
V3DOFF_API v3doff_result v3doff_device_create(v3doff_device **out, const v3doff_device_info *info);

/*
 * Opens a device on a thread of the library. Drivers take up to half a second for it; meanwhile the
 * caller can decode on the CPU. begin returns immediately and copies what info points to.
 *
 * end waits at most timeout_ns for the device (0: does not wait; UINT64_MAX: as long as it takes).
 * NOT_READY: the device is not open yet, and *opening stays. With any other result the opening has
 * ended: *opening is NULL, and the result and *device are those of v3doff_device_create.
 *
 * cancel ends an opening whose device is not needed. It waits for the driver, which cannot be
 * interrupted. Thread-safety: one opening by one thread at a time.
 */
typedef struct v3doff_opening v3doff_opening;
V3DOFF_API v3doff_result v3doff_opening_begin(v3doff_opening **out, const v3doff_device_info *info);
V3DOFF_API v3doff_result v3doff_opening_end(v3doff_opening **opening, uint64_t timeout_ns,
                                            v3doff_device **device);
V3DOFF_API void v3doff_opening_cancel(v3doff_opening **opening);

/* Releases a device. It is closed when its last pool and picture are closed. */
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
    uint32_t max_pictures;     /* open at the same time; 0: 64. Another one is refused: LIMIT. */
    v3doff_memory_path memory; /* AUTO: as the device */
    /*
     * Bytes from a row of each plane to the next; 0: the library chooses. If a decoder also has
     * pictures in memory of its own, it gives their strides here, so that all pictures of a stream
     * have the same layout. Strides are multiples of 16 and hold the plane's width, rounded up to 8
     * luma samples. Both chroma planes have the same stride.
     */
    uint32_t stride[3];
} v3doff_pool_info;

/*
 * Makes a pool of pictures of one format. No picture is allocated yet. The pool keeps the memory of
 * closed pictures for the next ones, so a stream allocates nothing after its first pictures.
 */
V3DOFF_API v3doff_result v3doff_pool_create(v3doff_pool **out, v3doff_device *device,
                                            const v3doff_pool_info *info);

/* Releases a pool. Pictures that are still open stay valid. */
V3DOFF_API void v3doff_pool_destroy(v3doff_pool **pool);

/* ---- Pictures ------------------------------------------------------------------------------ */

/*
 * Thread-safety: several threads may add records at the same time, each in a lane of its own. Any
 * thread may call v3doff_picture_wait and _get_report at any time. All other functions need one
 * thread at a time for each picture. Different pictures are independent.
 */
typedef struct v3doff_picture v3doff_picture;

enum {
    V3DOFF_LANES = 64 /* record lanes of a picture, numbered from 0 */
};

/*
 * Where a picture's samples lie. stride is in bytes; the rest is in samples. Records may write up
 * to padded_*. For the caller's own memory these say how much memory there is (0: no more than the
 * picture). In a pool's memory they are whole 64x64 superblocks.
 */
enum {
    /* The planes are in different allocations, and the memory between them is not the picture's.
     * The device works on a copy, even if it could import all of that memory. */
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
 * Opens a picture for reconstruction and records. If planes is NULL, the picture is in memory of
 * the pool, with the layout that FFmpeg's decoders expect: rows are padded to whole superblocks,
 * and strides are the pool's, or multiples of 64 bytes. The contents are undefined. Otherwise the
 * picture is in the caller's memory, which must stay valid until the picture is closed. The device
 * imports planes that lie in one allocation if it can; otherwise they are copied.
 */
V3DOFF_API v3doff_result v3doff_picture_open(v3doff_picture **out, v3doff_pool *pool,
                                             const v3doff_planes *planes);

/* The addresses stay the same until the picture is closed. The caller may read and write the
 * samples while the picture is open (not submitted), and after a wait has returned OK. */
V3DOFF_API v3doff_result v3doff_picture_get_planes(v3doff_picture *picture, v3doff_planes *planes);

/* Where the samples lie in a dma-buf, which a display, another device or another process can
 * import. */
typedef struct v3doff_dma_buf {
    size_t struct_size;
    int32_t fd;     /* The library closes it with the picture. Duplicate it to keep it longer. */
    uint32_t count; /* 1 for 4:0:0, else 3 */
    uint64_t size;
    uint32_t offset[3], stride[3]; /* bytes; the layout is linear */
} v3doff_dma_buf;

/*
 * Lets other devices and processes read a picture's samples in place, as they are now. Waits for a
 * picture that was submitted. An open picture must have no records, and its bands must be done
 * (INVALID_STATE). Call this again when the samples have changed. Readers must have finished before
 * the picture is closed or reopened. If a device's read has a fence in the dma-buf, the library
 * waits for it. Once the picture is done, any thread may call this. UNSUPPORTED: the memory is not
 * a dma-buf. With V3DOFF_MEMORY_UDMABUF and _DMA_HEAP it is.
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
    uint64_t cpu_records; /* how many of them the CPU did, even if the GPU did the rest */
    uint32_t dispatches;  /* of the submit; 0 on the CPU */
    uint32_t timers;      /* the number of timers of get_timer */
    uint64_t gpu_ns;      /* from the first pass to the end, with V3DOFF_DEVICE_TIMERS; else 0 */
    uint64_t submit_ns;   /* time of the calling thread in the submit */
    char reason[128];     /* why the CPU did the work, or empty */
    uint32_t bands;       /* the number of submits */
} v3doff_picture_report;

/*
 * The library calls this when the samples are final: on its thread that waits for the device, or
 * inside submit if the work was done there. The callback may read the picture and signal other
 * threads. It must not wait, submit or close: these calls return WRONG_THREAD.
 */
typedef void (*v3doff_done_callback)(void *opaque, v3doff_picture *picture);

typedef struct v3doff_submit_info {
    size_t struct_size;
    v3doff_done_callback done; /* may be NULL */
    void *opaque;
} v3doff_submit_info;

/*
 * Makes the unfiltered samples of a rectangle final before the submit, because intra prediction
 * needs them. The CPU immediately does the transforms that this lane has recorded there, and
 * removes them from the records. The report counts them in cpu_records. Filters stay recorded. The
 * function ignores blocks of other lanes: a lane is a slice or tile, and no prediction crosses its
 * borders. The rectangle may reach outside the plane; that part is ignored.
 */
V3DOFF_API v3doff_result v3doff_picture_require(v3doff_picture *picture, uint32_t lane,
                                                uint32_t plane, uint32_t x, uint32_t y,
                                                uint32_t width, uint32_t height);

/*
 * Does the part of a submit that needs no other picture. A caller can use the time in which it
 * waits for the submits of the pictures that this one is predicted from. The call is optional. If
 * more is recorded afterwards, the submit does this part again.
 */
V3DOFF_API v3doff_result v3doff_picture_prepare(v3doff_picture *picture);

/*
 * Sends the records to the device with one queue submit, and does not wait. info may be NULL.
 * INVALID_STATE, and nothing happens: a picture that this one is predicted from has records and was
 * not submitted.
 */
V3DOFF_API v3doff_result v3doff_picture_submit(v3doff_picture *picture,
                                               const v3doff_submit_info *info);

/* As v3doff_done_callback, for a band: the work of the submit of rows above row_end is done. */
typedef void (*v3doff_rows_callback)(void *opaque, v3doff_picture *picture, uint32_t row_end);

typedef struct v3doff_rows_info {
    size_t struct_size;
    uint32_t row_end; /* luma rows; more than in the call before, less than the picture has */
    v3doff_rows_callback done; /* may be NULL */
    void *opaque;
} v3doff_rows_info;

/*
 * Submits a band of the picture: the rows from the previous call's row_end (at first 0) to this
 * row_end. All records so far must be for these rows. The picture stays open for the rows below.
 * v3doff_picture_submit submits the last band, and only then the picture is in flight. Bands are
 * done in their order. Each calls its own done; the picture's done follows the last one.
 *
 * In planes with fewer rows, row_end is scaled down. After the call
 * - rows from row_end on stay the caller's. The device neither reads nor writes them.
 * - the caller must not read or write the rows above. Intra prediction in the first rows below
 * needs unfiltered samples of the last row above. The caller copies this row before the call, and
 * first makes it final with v3doff_picture_require.
 * - when done is called, the rows above are final, except those that filters across row_end still
 *   change: for the VP9 loop filter, the last 8 rows of each plane. In this way every band may
 * change the last rows of the band above it. No other thread may record during the call. If a band
 * fails, the CPU does it and all later ones, with the same bits, on a thread of the library or
 * inside later calls.
 *
 * NOT_READY, and nothing happens: a band cannot be submitted alone, because the samples are copied
 * to the GPU and back, pictures are dumped, or there are records that only whole pictures can have.
 * A later band or v3doff_picture_submit then submits these records, and done is not called.
 * INVALID_ARGUMENT, and nothing happens: records lie outside the rows.
 */
V3DOFF_API v3doff_result v3doff_picture_submit_rows(v3doff_picture *picture,
                                                    const v3doff_rows_info *info);

/* Waits until a submitted picture is done; UINT64_MAX: as long as it takes. NOT_READY: it is not
 * done after timeout_ns. */
V3DOFF_API v3doff_result v3doff_picture_wait(v3doff_picture *picture, uint64_t timeout_ns);

/*
 * Deletes the records of an open picture; the samples stay. Bands for which
 * v3doff_picture_submit_rows returned V3DOFF_OK are not affected: they are executed, and their done
 * is called. Deleted is what was recorded after them, including records before a call that returned
 * NOT_READY.
 */
V3DOFF_API v3doff_result v3doff_picture_discard(v3doff_picture *picture);

/*
 * Opens a picture that is done again, with the same memory and no records. INVALID_STATE: a
 * submitted picture that is predicted from it is not done. A picture that is only recorded does not
 * prevent this; it will read the samples as they are when it is submitted.
 */
V3DOFF_API v3doff_result v3doff_picture_reopen(v3doff_picture *picture);

V3DOFF_API v3doff_result v3doff_picture_get_report(v3doff_picture *picture,
                                                   v3doff_picture_report *report);

/* GPU time of pass number index of the last submit. *name stays valid while the library is loaded.
 */
V3DOFF_API v3doff_result v3doff_picture_get_timer(v3doff_picture *picture, uint32_t index,
                                                  const char **name, uint64_t *ns);

/* Closes a picture: waits for it and its bands in flight, and deletes the records of an open one.
 */
V3DOFF_API void v3doff_picture_close(v3doff_picture **picture);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_V3DOFF_H */
