/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The system calls of the kernel's v3d driver, as drm-shim hands them over.
 */
#include "emulator.h"
#include "model.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "drm-shim/drm_shim.h"
#include "util/macros.h"

bool drm_shim_driver_prefers_first_render_node = true;

static int
failed(int problem)
{
        errno = problem;
        return -1;
}

static uint64_t
version(void)
{
        return emu_setting("V3D_NOOP_VERSION", 71);
}

static const void *
pointer(uint64_t value)
{
        return (const void *)(uintptr_t)value;
}

/* ---- Buffers -------------------------------------------------------------- */

static int
create_bo(int fd, unsigned long request, void *arg)
{
        struct drm_v3d_create_bo *create = arg;
        const struct emu_bo *bo = emu_bo_create(create->size);

        if (!bo)
                return failed(ENOMEM);
        create->handle = bo->handle;
        create->offset = bo->address;
        return 0;
}

/* 0: there is no such buffer. */
static uint32_t
address_of(uint32_t handle)
{
        struct emu_bo *bo = emu_bo_ref(handle);
        const uint32_t address = bo ? bo->address : 0;

        if (bo)
                emu_bo_unref(bo);
        return address;
}

static int
get_bo_offset(int fd, unsigned long request, void *arg)
{
        struct drm_v3d_get_bo_offset *get = arg;

        get->offset = address_of(get->handle);
        return get->offset ? 0 : failed(ENOENT);
}

static int
mmap_bo(int fd, unsigned long request, void *arg)
{
        struct drm_v3d_mmap_bo *map = arg;

        map->offset = address_of(map->handle);
        return map->offset ? 0 : failed(ENOENT);
}

static int
wait_bo(int fd, unsigned long request, void *arg)
{
        const struct drm_v3d_wait_bo *wait = arg;
        struct emu_bo *bo = emu_bo_ref(wait->handle);
        const int64_t longest = INT64_MAX - emu_now_ns();

        if (!bo)
                return failed(EINVAL);
        const int64_t left = wait->timeout_ns < (uint64_t)longest ? (int64_t)wait->timeout_ns : longest;
        const bool done = emu_wait_for(bo->last_job, emu_now_ns() + left);
        emu_bo_unref(bo);
        return done ? 0 : failed(ETIME);
}

/* ---- Jobs ----------------------------------------------------------------- */

static const struct drm_v3d_extension *
find_extension(uint32_t flags, uint64_t extensions, uint32_t id)
{
        const struct drm_v3d_extension *extension = NULL;

        if (flags & DRM_V3D_SUBMIT_EXTENSION)
                extension = pointer(extensions);
        while (extension && extension->id != id)
                extension = pointer(extension->next);
        return extension;
}

static struct emu_job *
make_job(enum emu_kind kind, uint64_t handles, uint32_t count)
{
        struct emu_job *job = calloc(1, sizeof(*job));
        const uint32_t *bo_handles = pointer(handles);

        job->kind = kind;
        job->bos = calloc(count ? count : 1, sizeof(*job->bos));
        for (; job->bo_count < count; job->bo_count++) {
                job->bos[job->bo_count] = emu_bo_ref(bo_handles[job->bo_count]);
                if (!job->bos[job->bo_count])
                        emu_stop("a job has a buffer with handle %u, which does not exist",
                                 bo_handles[job->bo_count]);
        }
        return job;
}

static struct emu_syncs *
take_syncs(uint32_t count, uint64_t sems, uint32_t more_count, const uint32_t *more)
{
        const struct drm_v3d_sem *sem = pointer(sems);
        struct emu_syncs *syncs = calloc(1, sizeof(*syncs) + (count + more_count) * sizeof(uint32_t));

        for (uint32_t i = 0; i < count; i++)
                syncs->handles[syncs->count++] = sem[i].handle;
        for (uint32_t i = 0; i < more_count; i++)
                if (more[i])
                        syncs->handles[syncs->count++] = more[i];
        return syncs;
}

/* Jobs run in order, so what a job waits for is done when it begins. more: what else it signals. */
static void
submit(struct emu_job *job, uint32_t flags, uint64_t extensions, const uint32_t *more, uint32_t more_count)
{
        const struct drm_v3d_multi_sync *multi =
                (const void *)find_extension(flags, extensions, DRM_V3D_EXT_ID_MULTI_SYNC);
        struct emu_syncs *in = take_syncs(multi ? multi->in_sync_count : 0, multi ? multi->in_syncs : 0, 0, NULL);
        struct emu_syncs *out = take_syncs(multi ? multi->out_sync_count : 0, multi ? multi->out_syncs : 0, more_count, more);

        emu_submit(job, in, out);
        free(in);
        free(out);
}

static int
submit_cl(int fd, unsigned long request, void *arg)
{
        const struct drm_v3d_submit_cl *s = arg;
        struct emu_job *job = make_job(EMU_LIST, s->bo_handles, s->bo_handle_count);

        job->start = s->rcl_start;
        job->end = s->rcl_end;
        submit(job, s->flags, s->extensions, &s->out_sync, 1);
        return 0;
}

static int
submit_csd(int fd, unsigned long request, void *arg)
{
        const struct drm_v3d_submit_csd *s = arg;
        if (version() != 71)
                emu_stop("only V3D 7.1 is executed; with V3D_NOOP_VERSION=42 (a Raspberry Pi 4) shaders are only compiled");
        struct emu_job *job = make_job(EMU_COMPUTE, s->bo_handles, s->bo_handle_count);

        memcpy(job->cfg, s->cfg, sizeof(job->cfg));
        submit(job, s->flags, s->extensions, &s->out_sync, 1);
        return 0;
}

static int
submit_tfu(int fd, unsigned long request, void *arg)
{
        emu_stop("the texture formatting unit is not emulated");
}

/* ---- Jobs of the CPU: timestamps ------------------------------------------ */

static void
write_timestamps(struct emu_job *job)
{
        for (uint32_t i = 0; i < job->count; i++) {
                const uint64_t now = emu_gpu_clock_ns();
                const uint32_t address = job->bos[0]->address + job->offsets[i];
                memcpy(emu_write(address, sizeof(now), "a timestamp"), &now, sizeof(now));
        }
}

static void
reset_timestamps(struct emu_job *job)
{
        memset(emu_write(job->bos[0]->address + job->offsets[0], 8 * job->count, "timestamps"), 0,
               8 * job->count);
}

static void
copy_timestamps(struct emu_job *job)
{
        const uint32_t to = job->bos[0]->address + job->cfg[0];

        for (uint32_t i = 0; i < job->count; i++) {
                const uint8_t *from = emu_read(job->bos[1]->address + job->offsets[i], 8, "a timestamp");
                memcpy(emu_write(to + i * job->cfg[1], job->cfg[2], "a copied timestamp"), from, job->cfg[2]);
        }
}

static void
take_offsets(struct emu_job *job, const uint32_t *offsets, uint32_t count)
{
        job->count = count;
        job->offsets = calloc(count ? count : 1, sizeof(*offsets));
        memcpy(job->offsets, offsets, count * sizeof(*offsets));
}

static int
submit_cpu(int fd, unsigned long request, void *arg)
{
        const struct drm_v3d_submit_cpu *s = arg;
        struct emu_job *job = make_job(EMU_TIMESTAMPS, s->bo_handles, s->bo_handle_count);
        const struct drm_v3d_timestamp_query *query =
                (const void *)find_extension(s->flags, s->extensions, DRM_V3D_EXT_ID_CPU_TIMESTAMP_QUERY);
        const struct drm_v3d_reset_timestamp_query *reset =
                (const void *)find_extension(s->flags, s->extensions, DRM_V3D_EXT_ID_CPU_RESET_TIMESTAMP_QUERY);
        const struct drm_v3d_copy_timestamp_query *copy =
                (const void *)find_extension(s->flags, s->extensions, DRM_V3D_EXT_ID_CPU_COPY_TIMESTAMP_QUERY);
        const uint32_t *syncs = NULL;

        if (query) {
                job->work = write_timestamps;
                take_offsets(job, pointer(query->offsets), query->count);
                syncs = pointer(query->syncs);
        } else if (reset) {
                job->work = reset_timestamps;
                take_offsets(job, &reset->offset, 1);
                job->count = reset->count;
                for (uint32_t i = 0; i < reset->count; i++)
                        emu_sync_reset(((const uint32_t *)pointer(reset->syncs))[i]);
        } else if (copy) {
                if (copy->availability_bit)
                        emu_stop("copies of timestamps with their availability are not emulated");
                job->work = copy_timestamps;
                take_offsets(job, pointer(copy->offsets), copy->count);
                job->cfg[0] = copy->offset;
                job->cfg[1] = copy->stride;
                job->cfg[2] = copy->do_64bit ? 8 : 4;
        } else {
                emu_stop("a job of the CPU is no timestamp");
        }
        submit(job, s->flags, s->extensions, syncs, syncs ? query->count : 0);
        return 0;
}

/* ---- The device ----------------------------------------------------------- */

/* What Mesa reads. CORE0_IDENT0[31:24]: the major version, CORE0_IDENT1[3:0] the minor one, [7:4] slices,
 * [11:8] QPUs of each, [31:28] VPM in 8 KiB; HUB_IDENT3[15:8]: revision, [23:16]: compatible revision.
 */
static const uint32_t registers_42[] = {
        [DRM_V3D_PARAM_V3D_UIFCFG] = 0x00000045,       [DRM_V3D_PARAM_V3D_HUB_IDENT1] = 0x000e1124,
        [DRM_V3D_PARAM_V3D_HUB_IDENT2] = 0x00000100,   [DRM_V3D_PARAM_V3D_HUB_IDENT3] = 0x00000e00,
        [DRM_V3D_PARAM_V3D_CORE0_IDENT0] = 0x04443356, [DRM_V3D_PARAM_V3D_CORE0_IDENT1] = 0x81001422,
        [DRM_V3D_PARAM_V3D_CORE0_IDENT2] = 0x40078121,
};
static const uint32_t registers_71[] = {
        [DRM_V3D_PARAM_V3D_UIFCFG] = 0x00000045,       [DRM_V3D_PARAM_V3D_HUB_IDENT1] = 0x000e1124,
        [DRM_V3D_PARAM_V3D_HUB_IDENT2] = 0x00000100,   [DRM_V3D_PARAM_V3D_HUB_IDENT3] = 0x00000700,
        [DRM_V3D_PARAM_V3D_CORE0_IDENT0] = 0x07443356, [DRM_V3D_PARAM_V3D_CORE0_IDENT1] = 0x81001431,
        [DRM_V3D_PARAM_V3D_CORE0_IDENT2] = 0x40078121,
};

static int
get_param(int fd, unsigned long request, void *arg)
{
        struct drm_v3d_get_param *get = arg;
        const uint32_t *registers = version() == 42 ? registers_42 : registers_71;

        switch (get->param) {
        case DRM_V3D_PARAM_SUPPORTS_TFU:
        case DRM_V3D_PARAM_SUPPORTS_CSD:
        case DRM_V3D_PARAM_SUPPORTS_CACHE_FLUSH:
        case DRM_V3D_PARAM_SUPPORTS_PERFMON:
        case DRM_V3D_PARAM_SUPPORTS_MULTISYNC_EXT:
        case DRM_V3D_PARAM_SUPPORTS_CPU_QUEUE:
                get->value = 1;
                return 0;
        case DRM_V3D_PARAM_MAX_PERF_COUNTERS:
        case DRM_V3D_PARAM_SUPPORTS_SUPER_PAGES:
                get->value = 0; /* of a kernel before 6.11 */
                return 0;
        default:
                if (get->param >= ARRAY_SIZE(registers_71) || !registers[get->param])
                        return failed(EINVAL);
                get->value = registers[get->param];
                return 0;
        }
}

static int
ignore(int fd, unsigned long request, void *arg)
{
        return 0;
}

static ioctl_fn_t driver_ioctls[] = {
        [DRM_V3D_SUBMIT_CL] = submit_cl,
        [DRM_V3D_SUBMIT_TFU] = submit_tfu,
        [DRM_V3D_SUBMIT_CSD] = submit_csd,
        [DRM_V3D_SUBMIT_CPU] = submit_cpu,
        [DRM_V3D_WAIT_BO] = wait_bo,
        [DRM_V3D_CREATE_BO] = create_bo,
        [DRM_V3D_GET_PARAM] = get_param,
        [DRM_V3D_GET_BO_OFFSET] = get_bo_offset,
        [DRM_V3D_MMAP_BO] = mmap_bo,
        [DRM_V3D_PERFMON_CREATE] = ignore,
        [DRM_V3D_PERFMON_DESTROY] = ignore,
        [DRM_V3D_PERFMON_GET_VALUES] = ignore,
};

/* Those that are not the driver's own. */
int
emu_core_ioctl(unsigned nr, void *arg, bool *known)
{
        int problem = 0;

        *known = true;
        if (nr == _IOC_NR(DRM_IOCTL_GEM_CLOSE)) {
                problem = emu_bo_close(((const struct drm_gem_close *)arg)->handle);
        } else if (nr == _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE)) {
                struct drm_prime_handle *prime = arg;
                const struct emu_bo *bo = emu_bo_import(prime->fd);
                problem = bo ? 0 : ENOMEM;
                prime->handle = bo ? bo->handle : 0;
        } else if (nr == _IOC_NR(DRM_IOCTL_PRIME_HANDLE_TO_FD)) {
                struct drm_prime_handle *prime = arg;
                prime->fd = emu_bo_export(prime->handle);
                problem = prime->fd < 0 ? EINVAL : 0;
        } else {
                return emu_sync_ioctl(nr, arg, known);
        }
        return problem ? failed(problem) : 0;
}

static void *
map(size_t length, int prot, int flags, off64_t offset)
{
        return emu_bo_map(length, prot, flags, offset);
}

void
drm_shim_driver_init(void)
{
        shim_device.bus_type = DRM_BUS_PLATFORM;
        shim_device.driver_name = "v3d";
        shim_device.driver_ioctls = driver_ioctls;
        shim_device.driver_ioctl_count = ARRAY_SIZE(driver_ioctls);
        emu_memory_init();
        drm_shim_init_iomem_region(0, 1ull << 32, map);
        drm_shim_override_file("OF_FULLNAME=/rdb/v3d\n"
                               "OF_COMPATIBLE_N=1\n"
                               "OF_COMPATIBLE_0=brcm,2711-v3d\n",
                               "/sys/dev/char/%d:%d/device/uevent", DRM_MAJOR, render_node_minor);
}
