/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernel and the GPU of a Raspberry Pi 5, as far as compute needs them. Mesa's drm-shim hands over
 * the system calls of a Vulkan driver (kernel.c); jobs are queued as the kernel queues them (queue.c) and
 * executed here: compute programs instruction by instruction (qpu.c), copies and fills from their control
 * lists (lists.c). Whatever is not known ends the program with a sentence.
 */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drm-uapi/v3d_drm.h"

_Noreturn void emu_stop(const char *format, ...) __attribute__((format(printf, 1, 2)));
uint64_t emu_setting(const char *name, uint64_t otherwise); /* a number from the environment */

/* ---- Memory (memory.c) --------------------------------------------------
 *
 * The GPU's address space is one file of 4 GiB: an address is an offset in it. Imported dma-bufs are mapped
 * over it. Whoever works on a buffer holds a reference.
 */

#define EMU_PAGE 4096u
#define EMU_LINE 64u /* of a cache */

struct emu_bo {
        uint32_t handle, address, size;
        int refs;
        int fd;           /* of an imported dma-buf, else -1 */
        uint64_t last_job; /* the number of the last job that has it */
};

void emu_memory_init(void);
struct emu_bo *emu_bo_create(uint32_t size);
struct emu_bo *emu_bo_import(int dma_buf);
struct emu_bo *emu_bo_ref(uint32_t handle); /* NULL: there is none */
void emu_bo_unref(struct emu_bo *bo);
int emu_bo_close(uint32_t handle);
int emu_bo_export(uint32_t handle);
void *emu_bo_map(size_t length, int prot, int flags, long offset);

/* All buffers can be read, as the driver does not name push constants a second time. Only those that a job
 * names can be written.
 */
void emu_name(const struct emu_bo *bo, bool named);
bool emu_is_mapped(uint32_t address); /* the buffer there, by the program, now or earlier */
const uint8_t *emu_read(uint32_t address, uint32_t size, const char *what);
uint8_t *emu_write(uint32_t address, uint32_t size, const char *what);

/* ---- Jobs (queue.c) ------------------------------------------------------ */

enum emu_kind { EMU_COMPUTE, EMU_LIST, EMU_TIMESTAMPS };
enum { EMU_KINDS = 3 };

struct emu_job {
        enum emu_kind kind;
        uint64_t number;
        uint64_t waits_for[EMU_KINDS]; /* with V3D_EMU_ORDER: the last job of each kind */
        bool signals; /* somebody else than the driver's next jobs waits for it */
        struct emu_job *next;
        struct emu_bo **bos;
        uint32_t bo_count;
        uint32_t cfg[7];              /* EMU_COMPUTE */
        uint32_t start, end;          /* EMU_LIST */
        void (*work)(struct emu_job *); /* EMU_TIMESTAMPS */
        uint32_t *offsets;
        uint32_t count;
};

struct emu_syncs {
        uint32_t count, handles[];
};

/* Takes the job, which waits for some sync objects, and lets others be signalled when it is complete. Its number: it is
 * complete when emu_completed() is not less.
 */
void emu_submit(struct emu_job *job, const struct emu_syncs *in, const struct emu_syncs *out);
uint64_t emu_completed(void);
/* Waits until job `number` is complete; false: the time, of CLOCK_MONOTONIC, is over. */
bool emu_wait_for(uint64_t number, int64_t until_ns);
int64_t emu_now_ns(void);

static inline uint32_t
emu_groups_a_super(const uint32_t *cfg) /* of a compute job */
{
        return cfg[3] >> 8 & 0xf ? cfg[3] >> 8 & 0xf : 16;
}

void emu_compute(const struct emu_job *job);
void emu_list(const struct emu_job *job);

/* ---- What relies on an order (waits.c, order.c) ---------------------------- */

enum { EMU_WINDOW = 64 }; /* most jobs that are executed in two orders */

extern bool emu_order_on;
static inline bool
emu_order(void) /* whether that is looked for */
{
        return emu_order_on;
}
bool emu_backward(void); /* whether this is the second run, which counts for nothing */
void emu_order_submit(struct emu_job *job, const struct emu_syncs *in);
bool emu_order_waits(const struct emu_job *job, const struct emu_job *earlier);
bool emu_order_joins(struct emu_job *const *jobs, uint32_t count, const struct emu_job *job);
void emu_order_execute(struct emu_job *const *jobs, uint32_t count, void (*execute)(struct emu_job *));
void emu_order_list_stores(uint32_t address, const void *at, const void *values, uint32_t size);

/* ---- Sync objects (sync.c) ----------------------------------------------- */

void emu_sync_put(const uint32_t *handles, uint32_t count, uint64_t job); /* signalled when it is complete */
void emu_sync_reset(uint32_t handle);
uint64_t emu_sync_job(uint32_t handle); /* the number of the job that signals it */
void emu_sync_completed(void); /* jobs have been completed */
int emu_sync_ioctl(unsigned nr, void *arg, bool *known);
int emu_core_ioctl(unsigned nr, void *arg, bool *known);

/* ---- Files (dmabuf.c) ---------------------------------------------------- */

int emu_open(const char *path);                                      /* -1: not one of ours */
bool emu_ioctl(int fd, unsigned long request, void *arg, int *result); /* false: likewise */

#endif
