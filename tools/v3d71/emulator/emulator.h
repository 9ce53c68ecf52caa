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
const uint8_t *emu_read(uint32_t address, uint32_t size, const char *what);
uint8_t *emu_write(uint32_t address, uint32_t size, const char *what);

/* ---- Jobs (queue.c) ------------------------------------------------------ */

enum emu_kind { EMU_COMPUTE, EMU_LIST, EMU_TIMESTAMPS };

struct emu_job {
        enum emu_kind kind;
        uint64_t number;
        struct emu_job *next;
        struct emu_bo **bos;
        uint32_t bo_count;
        uint32_t cfg[7];              /* EMU_COMPUTE */
        uint32_t start, end;          /* EMU_LIST */
        void (*work)(struct emu_job *); /* EMU_TIMESTAMPS */
        uint32_t *offsets;
        uint32_t count;
};

/* Takes the job, and lets the sync objects be signalled when it is complete. Its number: it is complete when
 * emu_completed() is not less.
 */
void emu_submit(struct emu_job *job, const uint32_t *syncs, uint32_t sync_count);
uint64_t emu_completed(void);
/* Waits until job `number` is complete; false: the time, of CLOCK_MONOTONIC, is over. */
bool emu_wait_for(uint64_t number, int64_t until_ns);
int64_t emu_now_ns(void);

void emu_compute(const struct emu_job *job);
void emu_list(const struct emu_job *job);

/* ---- Sync objects (sync.c) ----------------------------------------------- */

void emu_sync_put(const uint32_t *handles, uint32_t count, uint64_t job); /* signalled when it is complete */
void emu_sync_reset(uint32_t handle);
void emu_sync_completed(void); /* jobs have been completed */
int emu_sync_ioctl(unsigned nr, void *arg, bool *known);
int emu_core_ioctl(unsigned nr, void *arg, bool *known);

/* ---- Files (dmabuf.c) ---------------------------------------------------- */

int emu_open(const char *path);                                      /* -1: not one of ours */
bool emu_ioctl(int fd, unsigned long request, void *arg, int *result); /* false: likewise */

#endif
