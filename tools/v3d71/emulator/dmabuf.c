/* SPDX-License-Identifier: BSD-2-Clause
 *
 * /dev/udmabuf and the heaps in /dev/dma_heap. A dma-buf is a memfd here.
 */
#include "emulator.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { most = 16384 }; /* those that were made last */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ino_t dma_bufs[most], devices[2]; /* udmabuf, a heap */
static uint32_t dma_buf_count;

static ino_t
inode(int fd)
{
        struct stat status;
        return fstat(fd, &status) ? 0 : status.st_ino;
}

int
emu_open(const char *path)
{
        const int device = !strcmp(path, "/dev/udmabuf")                      ? 0
                           : !strncmp(path, "/dev/dma_heap/", 14) && path[14] ? 1
                                                                              : -1;
        if (device < 0 || emu_setting("V3D_EMU_DMA_BUFS", 1) == 0)
                return -1;
        const int fd = memfd_create(path, MFD_CLOEXEC);
        pthread_mutex_lock(&lock);
        devices[device] = inode(fd);
        pthread_mutex_unlock(&lock);
        return fd;
}

static int
take(int fd)
{
        if (fd < 0)
                return -1;
        dma_bufs[dma_buf_count++ % most] = inode(fd);
        return fd;
}

static int
create(const struct udmabuf_create *create)
{
        struct stat status;

        if (create->offset || fstat(create->memfd, &status) || (uint64_t)status.st_size != create->size)
                emu_stop("a udmabuf of a part of a file is not emulated");
        const int seals = fcntl(create->memfd, F_GET_SEALS);
        if (seals < 0 || !(seals & F_SEAL_SHRINK) || (seals & F_SEAL_WRITE)) {
                errno = EINVAL;
                return -1;
        }
        return take(fcntl(create->memfd, create->flags & UDMABUF_FLAGS_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0));
}

static int
allocate(struct dma_heap_allocation_data *data)
{
        const int fd = memfd_create("dma-buf", data->fd_flags & O_CLOEXEC ? MFD_CLOEXEC : 0);

        if (fd >= 0 && ftruncate(fd, data->len)) {
                close(fd);
                return -1;
        }
        if (take(fd) < 0)
                return -1;
        data->fd = fd;
        return 0;
}

bool
emu_ioctl(int fd, unsigned long request, void *arg, int *result)
{
        if (request != UDMABUF_CREATE && request != DMA_HEAP_IOCTL_ALLOC && request != DMA_BUF_IOCTL_SYNC)
                return false;
        const ino_t of = inode(fd);
        bool ours = false;

        pthread_mutex_lock(&lock);
        if (request == DMA_BUF_IOCTL_SYNC) {
                for (uint32_t i = 0; i < dma_buf_count && i < most && !ours; i++)
                        ours = dma_bufs[i] == of;
                *result = 0;
        } else if (request == UDMABUF_CREATE && of == devices[0]) {
                ours = true;
                *result = create(arg);
        } else if (request == DMA_HEAP_IOCTL_ALLOC && of == devices[1]) {
                ours = true;
                *result = allocate(arg);
        }
        pthread_mutex_unlock(&lock);
        return ours;
}
