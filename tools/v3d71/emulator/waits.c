/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which jobs wait for which, as V3D_EMU_ORDER needs it. The driver says so by sync objects. The hardware executes jobs of
 * one kind in the order of their submits, but that is no promise of Vulkan's: a job only follows what it, or an earlier
 * job of its kind, has waited for.
 */
#include "emulator.h"

#include <stdlib.h>
#include <string.h>

bool emu_order_on;

/* A job has here, for each kind, the last job of that kind that is complete when it begins. */
static struct waited {
        uint64_t for_kind[EMU_KINDS];
        enum emu_kind kind;
} *waited;
enum { first_number = 2 }; /* queue.c */
static uint64_t waited_room, last_of_kind[EMU_KINDS];

static void
join(struct waited *to, uint64_t number)
{
        const struct waited *from = &waited[number];

        for (unsigned kind = 0; kind < EMU_KINDS; kind++)
                if (to->for_kind[kind] < from->for_kind[kind])
                        to->for_kind[kind] = from->for_kind[kind];
}

/* Calls come in the order of numbers. */
void
emu_order_submit(struct emu_job *job, const struct emu_syncs *in)
{
        if (job->number >= waited_room) {
                waited_room = waited_room ? 2 * waited_room : 4096;
                waited = realloc(waited, waited_room * sizeof(*waited));
        }
        struct waited *its = &waited[job->number];
        *its = (struct waited){ .kind = job->kind };
        if (last_of_kind[job->kind])
                join(its, last_of_kind[job->kind]);
        for (uint32_t i = 0; i < in->count; i++) {
                const uint64_t number = emu_sync_job(in->handles[i]);
                if (number < first_number)
                        continue;
                join(its, number);
                uint64_t *last = &its->for_kind[waited[number].kind];
                *last = *last < number ? number : *last;
        }
        last_of_kind[job->kind] = job->number;
        memcpy(job->waits_for, its->for_kind, sizeof(job->waits_for));
}

bool
emu_order_waits(const struct emu_job *job, const struct emu_job *earlier)
{
        return job->waits_for[earlier->kind] >= earlier->number;
}

/* Whether the job may be executed with those before it. Jobs of the CPU never are: the driver lets them wait for all. */
bool
emu_order_joins(struct emu_job *const *jobs, uint32_t count, const struct emu_job *job)
{
        bool all = true;

        if (count == EMU_WINDOW || job->kind == EMU_TIMESTAMPS || jobs[0]->kind == EMU_TIMESTAMPS)
                return false;
        for (uint32_t i = 0; i < count; i++)
                all &= emu_order_waits(job, jobs[i]);
        return !all;
}
