/* SPDX-License-Identifier: BSD-2-Clause */
#include "emulator.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/vma.h"

#define SPACE (1ull << 32)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int memory_fd;
static uint8_t *base;
static struct util_vma_heap heap;
static struct emu_bo **bos; /* by handle */
static uint32_t bo_places;
enum { exists = 1, named = 2 };
static uint8_t pages[SPACE / EMU_PAGE];
static bool mapped[SPACE / EMU_PAGE]; /* by the program, now or earlier */

/* Every change of the memory in use, in pages; those of dma-bufs are odd. */
static int64_t *changes;
static size_t change_count;
static bool changes_kept;

static void
keep_change(const struct emu_bo *bo, int sign)
{
        if (!changes_kept)
                return;
        if (!(change_count & (change_count - 1)))
                changes = realloc(changes, (2 * change_count + 1) * sizeof(*changes));
        changes[change_count++] = sign * (2 * (((int64_t)bo->size + EMU_PAGE - 1) / EMU_PAGE) + (bo->fd >= 0));
}

static int
by_size(const void *a, const void *b)
{
        const int64_t left = llabs(*(const int64_t *)a), right = llabs(*(const int64_t *)b);

        return left < right ? 1 : left > right ? -1 : 0;
}

/* The most memory that was in use, and the buffers of that moment. */
static void
print_peak(void)
{
        int64_t sum[2] = { 0 }, most[2] = { 0 };
        size_t at = 0;

        for (size_t i = 0; i < change_count; i++) {
                sum[changes[i] & 1] += changes[i] / 2;
                if (sum[0] + sum[1] > most[0] + most[1]) {
                        memcpy(most, sum, sizeof(most));
                        at = i + 1;
                }
        }
        fprintf(stderr, "V3D-MEMORY peak_kib=%lld dma_bufs_kib=%lld\n", (long long)(most[0] + most[1]) * 4,
                (long long)most[1] * 4);
        qsort(changes, at, sizeof(*changes), by_size);
        for (size_t i = 0, next; i < at; i = next) {
                const int64_t size = llabs(changes[i]);
                int64_t count = 0;
                for (next = i; next < at && llabs(changes[next]) == size; next++)
                        count += changes[next] > 0 ? 1 : -1;
                if (count)
                        fprintf(stderr, "V3D-MEMORY kib=%lld count=%lld dma_buf=%d\n", (long long)size / 2 * 4,
                                (long long)count, (int)(size & 1));
        }
}

void
emu_memory_init(void)
{
        memory_fd = memfd_create("V3D memory", MFD_CLOEXEC);
        if (memory_fd < 0 || ftruncate(memory_fd, SPACE))
                emu_stop("no file for the GPU's memory");
        base = mmap(NULL, SPACE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory_fd, 0);
        if (base == MAP_FAILED)
                emu_stop("no address space for the GPU's memory");
        /* An address near zero is a mistake. */
        util_vma_heap_init(&heap, 1 << 20, SPACE - (2 << 20));
        emu_order_on = emu_setting("V3D_EMU_ORDER", 0) != 0;
        if (emu_order()) /* no buffer becomes another one */
                setenv("V3DV_MAX_BO_CACHE_SIZE", "0", 1);
        changes_kept = emu_setting("V3D_EMU_MEMORY", 0) != 0;
        if (changes_kept)
                atexit(print_peak);
}

static uint32_t
free_handle(void)
{
        uint32_t handle = 1;
        while (handle < bo_places && bos[handle])
                handle++;
        if (handle >= bo_places) {
                const uint32_t places = bo_places ? 2 * bo_places : 256;
                bos = realloc(bos, places * sizeof(*bos));
                memset(bos + bo_places, 0, (places - bo_places) * sizeof(*bos));
                bo_places = places;
        }
        return handle;
}

/* With lock held; NULL: there is none. */
static struct emu_bo *
with_handle(uint32_t handle)
{
        return handle < bo_places ? bos[handle] : NULL;
}

static uint32_t
whole_pages(const struct emu_bo *bo)
{
        return (bo->size + EMU_PAGE - 1) & -EMU_PAGE;
}

static void
mark(const struct emu_bo *bo, uint8_t as)
{
        memset(pages + bo->address / EMU_PAGE, as, whole_pages(bo) / EMU_PAGE);
}

static void
mark_mapped(const struct emu_bo *bo, bool as)
{
        memset(mapped + bo->address / EMU_PAGE, as, whole_pages(bo) / EMU_PAGE);
}

bool
emu_is_mapped(uint32_t address)
{
        return mapped[address / EMU_PAGE];
}

static struct emu_bo *
create(uint32_t size, int fd)
{
        struct emu_bo *bo = calloc(1, sizeof(*bo));

        bo->size = size;
        bo->refs = 1;
        bo->fd = fd;
        pthread_mutex_lock(&lock);
        bo->address = util_vma_heap_alloc(&heap, whole_pages(bo), EMU_PAGE);
        if (bo->address) {
                bo->handle = free_handle();
                bos[bo->handle] = bo;
                mark(bo, exists);
                mark_mapped(bo, fd >= 0);
                keep_change(bo, 1);
        }
        pthread_mutex_unlock(&lock);
        if (!bo->address) {
                free(bo);
                return NULL;
        }
        return bo;
}

struct emu_bo *
emu_bo_create(uint32_t size)
{
        return create(size, -1);
}

struct emu_bo *
emu_bo_import(int dma_buf)
{
        const off_t size = lseek(dma_buf, 0, SEEK_END);
        struct emu_bo *bo = size > 0 && size < SPACE ? create(size, dup(dma_buf)) : NULL;

        if (bo && mmap(base + bo->address, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, bo->fd,
                       0) == MAP_FAILED)
                emu_stop("a dma-buf of %lld bytes cannot be mapped", (long long)size);
        return bo;
}

struct emu_bo *
emu_bo_ref(uint32_t handle)
{
        struct emu_bo *bo;

        pthread_mutex_lock(&lock);
        bo = with_handle(handle);
        if (bo)
                bo->refs++;
        pthread_mutex_unlock(&lock);
        return bo;
}

/* Its pages are given back, and read as zeros when they are used again. */
static void
destroy(struct emu_bo *bo)
{
        const uint32_t whole = whole_pages(bo);

        mark(bo, 0);
        keep_change(bo, -1);
        if (bo->fd >= 0) {
                mmap(base + bo->address, whole, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_FIXED | MAP_NORESERVE, memory_fd, bo->address);
                close(bo->fd);
        } else {
                fallocate(memory_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, bo->address, whole);
        }
        util_vma_heap_free(&heap, bo->address, whole);
        free(bo);
}

void
emu_bo_unref(struct emu_bo *bo)
{
        pthread_mutex_lock(&lock);
        if (!--bo->refs)
                destroy(bo);
        pthread_mutex_unlock(&lock);
}

int
emu_bo_close(uint32_t handle)
{
        struct emu_bo *bo;

        pthread_mutex_lock(&lock);
        bo = with_handle(handle);
        if (bo)
                bos[handle] = NULL;
        pthread_mutex_unlock(&lock);
        if (bo)
                emu_bo_unref(bo);
        return bo ? 0 : EINVAL;
}

int
emu_bo_export(uint32_t handle)
{
        struct emu_bo *bo = emu_bo_ref(handle);

        if (!bo)
                return -1;
        if (bo->fd < 0)
                emu_stop("only imported buffers can be exported");
        const int fd = fcntl(bo->fd, F_DUPFD_CLOEXEC, 0);
        emu_bo_unref(bo);
        return fd;
}

/* The offset in the device's file is the address. */
void *
emu_bo_map(size_t length, int prot, int flags, off_t offset)
{
        int fd = memory_fd;
        off_t at = offset;

        pthread_mutex_lock(&lock);
        for (uint32_t i = 1; i < bo_places; i++) {
                if (!bos[i] || bos[i]->address != offset)
                        continue;
                mark_mapped(bos[i], true);
                if (bos[i]->fd >= 0) {
                        fd = bos[i]->fd;
                        at = 0;
                }
        }
        pthread_mutex_unlock(&lock);
        return mmap(NULL, length, prot, flags, fd, at);
}

void
emu_name(const struct emu_bo *bo, bool is_named)
{
        mark(bo, is_named ? exists | named : exists);
}

static uint8_t *
find(uint32_t address, uint32_t size, uint8_t as, const char *what)
{
        for (uint64_t page = address / EMU_PAGE; page <= (address + (uint64_t)size - 1) / EMU_PAGE; page++) {
                if (page >= SPACE / EMU_PAGE || !pages[page])
                        emu_stop("%s at 0x%08x: no buffer is there", what, address);
                if (!(pages[page] & as))
                        emu_stop("%s at 0x%08x: the buffer there is none of the job's", what, address);
        }
        return base + address;
}

const uint8_t *
emu_read(uint32_t address, uint32_t size, const char *what)
{
        return find(address, size, exists, what);
}

uint8_t *
emu_write(uint32_t address, uint32_t size, const char *what)
{
        return find(address, size, named, what);
}
