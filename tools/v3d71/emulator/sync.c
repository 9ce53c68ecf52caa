/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A sync object has the number of the job that signals it; 0: none yet. Handles are the same for every
 * open device file.
 */
#include "emulator.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drm-uapi/drm.h"

enum { none = 0, signalled = 1 };

struct sync {
        int refs;
        uint64_t job;
};

/* A file that becomes readable when the job is complete. */
struct file {
        int fd;
        uint64_t job;
        struct file *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct sync *syncs;
static uint32_t sync_count;
static struct file *files;

static void
init(void)
{
        pthread_condattr_t monotonic;

        pthread_condattr_init(&monotonic);
        pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
        pthread_cond_init(&changed, &monotonic);
}

static struct sync *
find(uint32_t handle)
{
        return handle && handle <= sync_count && syncs[handle - 1].refs ? &syncs[handle - 1] : NULL;
}

static bool
is_done(const struct sync *sync)
{
        return sync->job && sync->job <= emu_completed();
}

static void
put(uint32_t handle, uint64_t job)
{
        struct sync *sync = find(handle);
        if (!sync)
                emu_stop("a sync object with handle %u does not exist", handle);
        sync->job = job;
}

void
emu_sync_put(const uint32_t *handles, uint32_t count, uint64_t job)
{
        pthread_once(&once, init);
        pthread_mutex_lock(&lock);
        for (uint32_t i = 0; i < count; i++)
                put(handles[i], job);
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
}

void
emu_sync_reset(uint32_t handle)
{
        emu_sync_put(&handle, 1, none);
}

uint64_t
emu_sync_job(uint32_t handle)
{
        pthread_once(&once, init);
        pthread_mutex_lock(&lock);
        const struct sync *sync = find(handle);
        const uint64_t job = sync ? sync->job : none;
        pthread_mutex_unlock(&lock);
        return job;
}

void
emu_sync_completed(void)
{
        const uint64_t one = 1;

        pthread_once(&once, init);
        pthread_mutex_lock(&lock);
        const uint64_t completed = emu_completed();
        for (struct file **at = &files; *at;) {
                struct file *file = *at;
                if (file->job > completed) {
                        at = &file->next;
                        continue;
                }
                if (write(file->fd, &one, sizeof(one)) != sizeof(one))
                        emu_stop("a sync file cannot be signalled");
                close(file->fd);
                *at = file->next;
                free(file);
        }
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
}

static int
create(struct drm_syncobj_create *create)
{
        uint32_t i = 0;

        while (i < sync_count && syncs[i].refs)
                i++;
        if (i == sync_count) {
                const uint32_t count = sync_count ? 2 * sync_count : 64;
                syncs = realloc(syncs, count * sizeof(*syncs));
                memset(syncs + sync_count, 0, (count - sync_count) * sizeof(*syncs));
                sync_count = count;
        }
        syncs[i] = (struct sync){ 1, create->flags & DRM_SYNCOBJ_CREATE_SIGNALED ? signalled : none };
        create->handle = i + 1;
        return 0;
}

static int
export_file(struct drm_syncobj_handle *arg, const struct sync *sync)
{
        if (!sync->job)
                return EINVAL;
        arg->fd = eventfd(is_done(sync), EFD_CLOEXEC);
        if (arg->fd >= 0 && !is_done(sync)) {
                struct file *file = malloc(sizeof(*file));
                *file = (struct file){ dup(arg->fd), sync->job, files };
                files = file;
        }
        return arg->fd < 0 ? EMFILE : 0;
}

/* An exported sync object is a file that has its handle in it. */
static int
handle_to_fd(struct drm_syncobj_handle *arg)
{
        const struct sync *sync = find(arg->handle);

        if (!sync)
                return ENOENT;
        if (arg->flags & DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE)
                return export_file(arg, sync);
        arg->fd = memfd_create("V3D sync object", MFD_CLOEXEC);
        return write(arg->fd, &arg->handle, sizeof(arg->handle)) == sizeof(arg->handle) ? 0 : EIO;
}

static int
fd_to_handle(struct drm_syncobj_handle *arg)
{
        struct pollfd file = { arg->fd, POLLIN, 0 };
        uint32_t handle = 0;

        if (arg->flags & DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE) {
                if (!find(arg->handle))
                        return ENOENT;
                pthread_mutex_unlock(&lock); /* where the kernel would keep the fence */
                poll(&file, 1, -1);
                pthread_mutex_lock(&lock);
                put(arg->handle, signalled);
                return 0;
        }
        if (pread(arg->fd, &handle, sizeof(handle), 0) != sizeof(handle) || !find(handle))
                return EINVAL;
        find(handle)->refs++;
        arg->handle = handle;
        return 0;
}

static int
wait(struct drm_syncobj_wait *arg)
{
        const uint32_t *handles = (const uint32_t *)(uintptr_t)arg->handles;
        const struct timespec until = { arg->timeout_nsec / 1000000000, arg->timeout_nsec % 1000000000 };
        const bool all = arg->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;

        for (;;) {
                uint32_t done = 0;
                for (uint32_t i = arg->count_handles; i-- > 0;) {
                        const struct sync *sync = find(handles[i]);
                        if (!sync)
                                return ENOENT;
                        if (!sync->job && !(arg->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT))
                                return EINVAL;
                        if (is_done(sync)) {
                                done++;
                                arg->first_signaled = i;
                        }
                }
                if (done == arg->count_handles || (done && !all))
                        return 0;
                if (arg->timeout_nsec <= 0 ||
                    pthread_cond_timedwait(&changed, &lock, &until) == ETIMEDOUT)
                        return ETIME;
        }
}

static int
set_all(const struct drm_syncobj_array *arg, uint64_t job)
{
        const uint32_t *handles = (const uint32_t *)(uintptr_t)arg->handles;

        for (uint32_t i = 0; i < arg->count_handles; i++) {
                if (!find(handles[i]))
                        return ENOENT;
                put(handles[i], job);
        }
        pthread_cond_broadcast(&changed);
        return 0;
}

static int
transfer(const struct drm_syncobj_transfer *arg)
{
        const struct sync *from = find(arg->src_handle);

        if (!from || !find(arg->dst_handle))
                return ENOENT;
        if (arg->src_point || arg->dst_point)
                emu_stop("a timeline is not known to this kernel");
        put(arg->dst_handle, from->job);
        pthread_cond_broadcast(&changed);
        return 0;
}

static int
destroy(const struct drm_syncobj_destroy *arg)
{
        struct sync *sync = find(arg->handle);

        if (!sync)
                return EINVAL;
        sync->refs--;
        return 0;
}

int
emu_sync_ioctl(unsigned nr, void *arg, bool *known)
{
        int problem = 0;

        pthread_once(&once, init);
        *known = true;
        pthread_mutex_lock(&lock);
        if (nr == _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE))
                problem = create(arg);
        else if (nr == _IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY))
                problem = destroy(arg);
        else if (nr == _IOC_NR(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD))
                problem = handle_to_fd(arg);
        else if (nr == _IOC_NR(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE))
                problem = fd_to_handle(arg);
        else if (nr == _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT))
                problem = wait(arg);
        else if (nr == _IOC_NR(DRM_IOCTL_SYNCOBJ_RESET))
                problem = set_all(arg, none);
        else if (nr == _IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL))
                problem = set_all(arg, signalled);
        else if (nr == _IOC_NR(DRM_IOCTL_SYNCOBJ_TRANSFER))
                problem = transfer(arg);
        else
                *known = false;
        pthread_mutex_unlock(&lock);
        if (problem)
                errno = problem;
        return problem ? -1 : 0;
}
