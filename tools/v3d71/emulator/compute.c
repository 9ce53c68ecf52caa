/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A compute job: supergroups of workgroups, in batches of sixteen invocations. Supergroups are independent,
 * so the machine's cores take them one by one. With V3D_EMU_SEED they come in another order, the batches of each take
 * turns at random, and stores wait as long as they may: nothing of this may make a difference.
 */
#include "emulator.h"
#include "model.h"
#include "qpu.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dispatch {
        const struct qpu_program *program;
        uint32_t size[3], group_size, groups_a_super, batches_a_super, groups, supers;
        uint32_t index_bits, uniforms, threads;
        uint32_t slots;                /* with V3D_EMU_ORDER: supergroups with shared memory of their own */
        uint64_t seed, stride, offset; /* of the order */
        uint32_t next;            /* supergroup, atomic */
        bool counted;
        struct qpu_counts counts; /* atomic */
        uint64_t longest_instructions, longest_waits; /* of a batch; atomic */
};

static void
set_up(struct qpu_thread *thread, const struct dispatch *dispatch, uint32_t super, uint32_t batch, uint32_t slot)
{
        const uint32_t memory_bits = 16 - dispatch->index_bits;

        memset(thread, 0, sizeof(*thread));
        thread->program = dispatch->program;
        thread->uniforms = dispatch->uniforms;
        thread->written = 1 << 2 | 1 << 3;
        thread->index = slot * dispatch->batches_a_super + batch;
        thread->counted = dispatch->counted;
        thread->shuffled = dispatch->seed != 0;
        thread->fifo_size = QPU_FIFO / dispatch->threads;
        for (unsigned lane = 0; lane < QPU_LANES; lane++) {
                const uint32_t place = batch * QPU_LANES + lane, in_super = place / dispatch->group_size;
                const uint32_t group = super * dispatch->groups_a_super + in_super;
                const uint32_t index = place % dispatch->group_size;
                const uint32_t in_memory = slot * dispatch->groups_a_super + in_super;
                if (in_super >= dispatch->groups_a_super || group >= dispatch->groups)
                        continue;
                const uint32_t x = group % dispatch->size[0];
                const uint32_t y = group / dispatch->size[0] % dispatch->size[1];
                const uint32_t z = group / dispatch->size[0] / dispatch->size[1];
                thread->active[lane] = -1;
                thread->rf[3][lane] = x | y << 16;
                thread->rf[2][lane] = z | (index << memory_bits | in_memory) << 16;
        }
}

/* In turn, or in the opposite order, or with a seed in any order. */
static struct qpu_thread *
next_batch(const struct dispatch *dispatch, struct qpu_thread *threads, uint64_t *random)
{
        const uint32_t all = dispatch->batches_a_super, step = emu_backward() ? all - 1 : 1;
        uint32_t place = emu_backward() ? all - 1 : 0;

        if (dispatch->seed) {
                *random = *random * 6364136223846793005u + 1442695040888963407u;
                place = (*random >> 33) % all;
        }
        while (!threads[place].program || threads[place].waits)
                place = (place + step) % all;
        return &threads[place];
}

static void
at_least(uint64_t *most, uint64_t value)
{
        uint64_t before = __atomic_load_n(most, __ATOMIC_RELAXED);
        while (before < value &&
               !__atomic_compare_exchange_n(most, &before, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                ;
}

static void
add_counts(struct dispatch *dispatch, const struct qpu_counts *counts)
{
        __atomic_fetch_add(&dispatch->counts.instructions, counts->instructions, __ATOMIC_RELAXED);
        __atomic_fetch_add(&dispatch->counts.loads, counts->loads, __ATOMIC_RELAXED);
        __atomic_fetch_add(&dispatch->counts.stores, counts->stores, __ATOMIC_RELAXED);
        __atomic_fetch_add(&dispatch->counts.atomics, counts->atomics, __ATOMIC_RELAXED);
        __atomic_fetch_add(&dispatch->counts.lines, counts->lines, __ATOMIC_RELAXED);
        __atomic_fetch_add(&dispatch->counts.distinct, counts->distinct, __ATOMIC_RELAXED);
        __atomic_fetch_add(&dispatch->counts.waits, counts->waits, __ATOMIC_RELAXED);
        at_least(&dispatch->longest_instructions, counts->instructions);
        at_least(&dispatch->longest_waits, counts->waits);
}

/* A batch runs up to the next barrier, which all of them must reach; with a seed only up to the next thread switch. */
static void
run_supergroup(struct dispatch *dispatch, struct qpu_thread *threads, uint32_t super, uint32_t slot)
{
        const uint32_t all = dispatch->batches_a_super;
        uint32_t running = all, waiting = 0, barriers = 0;
        uint64_t random = dispatch->seed + super;

        for (uint32_t i = 0; i < all; i++)
                set_up(&threads[i], dispatch, super, i, slot);
        while (running) {
                struct qpu_thread *thread = next_batch(dispatch, threads, &random);
                if (emu_order())
                        emu_order_batch(super, thread - threads, barriers);
                const enum qpu_state state = qpu_run(thread);
                if (state == QPU_ENDED) {
                        thread->program = NULL;
                        running--;
                        if (dispatch->counted)
                                add_counts(dispatch, &thread->counts);
                }
                waiting += state == QPU_WAITS;
                if (waiting && waiting == running) {
                        if (running != all)
                                emu_stop("%u of %u batches of a workgroup wait at a barrier, and the others have ended",
                                         waiting, all);
                        for (uint32_t i = 0; i < all; i++)
                                threads[i].waits = false;
                        waiting = 0;
                        barriers++;
                }
        }
}

static void
work(struct dispatch *dispatch, struct qpu_thread *threads, uint32_t slot)
{
        for (;;) {
                const uint64_t number = __atomic_fetch_add(&dispatch->next, 1, __ATOMIC_RELAXED);
                if (number >= dispatch->supers)
                        return;
                const uint32_t super = (number * dispatch->stride + dispatch->offset) % dispatch->supers;
                run_supergroup(dispatch, threads, super, emu_order() ? super % dispatch->slots : slot);
        }
}

/* ---- The machine's cores --------------------------------------------------- */

enum { most_workers = 64, most_batches = 16 * 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begun = PTHREAD_COND_INITIALIZER, ended = PTHREAD_COND_INITIALIZER;
static struct dispatch *current;
static uint32_t workers, busy, turn;

static struct qpu_thread *
make_threads(void)
{
        struct qpu_thread *threads = aligned_alloc(64, most_batches * sizeof(*threads));
        if (!threads)
                emu_stop("no memory for a supergroup");
        return threads;
}

static void *
be_worker(void *argument)
{
        const uint32_t slot = (uintptr_t)argument;
        struct qpu_thread *threads = make_threads();
        uint32_t seen = 0;

        pthread_setname_np(pthread_self(), "V3D QPUs");
        pthread_mutex_lock(&lock);
        for (;;) {
                while (turn == seen)
                        pthread_cond_wait(&begun, &lock);
                seen = turn;
                struct dispatch *dispatch = current;
                pthread_mutex_unlock(&lock);
                if (slot < dispatch->supers)
                        work(dispatch, threads, slot);
                pthread_mutex_lock(&lock);
                if (!--busy)
                        pthread_cond_signal(&ended);
        }
        return NULL;
}

/* Signals are blocked: the caller is the thread of the queue. */
static void
start_workers(void)
{
        const uint64_t cores = emu_setting("V3D_EMU_CORES", sysconf(_SC_NPROCESSORS_ONLN));
        pthread_t thread;

        while (workers + 1 < cores && workers + 1 < most_workers &&
               !pthread_create(&thread, NULL, be_worker, (void *)(uintptr_t)(workers + 1)))
                workers++;
}

static void
run_all(struct dispatch *dispatch)
{
        static struct qpu_thread *threads;

        if (!threads) {
                threads = make_threads();
                start_workers();
        }
        /* A supergroup has fewer threads than the GPU. */
        const bool shared = workers && dispatch->supers > 1 && !qpu_has_thread_memory(dispatch->program) && !emu_order();
        if (shared) {
                pthread_mutex_lock(&lock);
                current = dispatch;
                busy = workers;
                turn++;
                pthread_cond_broadcast(&begun);
                pthread_mutex_unlock(&lock);
        }
        work(dispatch, threads, 0);
        if (shared) {
                pthread_mutex_lock(&lock);
                while (busy)
                        pthread_cond_wait(&ended, &lock);
                pthread_mutex_unlock(&lock);
        }
}

/* ---- The job ---------------------------------------------------------------- */

static uint64_t
greatest_divisor(uint64_t a, uint64_t b)
{
        return b ? greatest_divisor(b, a % b) : a;
}

static void
shuffle(struct dispatch *dispatch)
{
        const uint64_t seed = dispatch->seed = emu_order() ? 0 : emu_setting("V3D_EMU_SEED", 0);

        dispatch->stride = emu_backward() ? dispatch->supers - 1 : 1;
        dispatch->offset = emu_backward() ? dispatch->supers - 1 : 0;
        if (!seed)
                return;
        dispatch->stride = 1 + seed * 2654435761u % dispatch->supers;
        while (greatest_divisor(dispatch->stride, dispatch->supers) != 1)
                dispatch->stride++;
        dispatch->offset = seed * 40503u % dispatch->supers;
}

static struct emu_time
time_of(const struct dispatch *dispatch)
{
        const struct qpu_counts *counts = &dispatch->counts;

        return emu_time_of_compute(&(struct emu_work){
                .instructions = counts->instructions,
                .accesses = counts->loads + counts->stores + counts->atomics,
                .lines = counts->lines,
                .distinct = counts->distinct,
                .waits = counts->waits,
                .batches = (uint64_t)dispatch->supers * dispatch->batches_a_super,
                .longest_instructions = dispatch->longest_instructions,
                .longest_waits = dispatch->longest_waits,
                .threads = dispatch->threads,
        });
}

/* One line a job, for programs to read. */
static void
print(const struct dispatch *dispatch, uint64_t number, struct emu_time time)
{
        const struct qpu_counts *counts = &dispatch->counts;

        fprintf(stderr,
                "V3D-JOB number=%llu groups=%ux%ux%u group_size=%u batches=%u threads=%u instructions=%llu loads=%llu "
                "stores=%llu atomics=%llu lines=%llu distinct_lines=%llu waits=%llu lower_us=%.1f upper_us=%.1f\n",
                (unsigned long long)number, dispatch->size[0], dispatch->size[1], dispatch->size[2],
                dispatch->group_size, dispatch->supers * dispatch->batches_a_super, dispatch->threads,
                (unsigned long long)counts->instructions, (unsigned long long)counts->loads,
                (unsigned long long)counts->stores, (unsigned long long)counts->atomics,
                (unsigned long long)counts->lines, (unsigned long long)counts->distinct,
                (unsigned long long)counts->waits, time.lower_ns / 1000, time.upper_ns / 1000);
}

void
emu_compute(const struct emu_job *job)
{
        const uint64_t idle_us = emu_setting("V3D_EMU_IDLE_US", 0);
        if (idle_us) {
                usleep(idle_us);
                return;
        }

        const uint32_t *cfg = job->cfg;
        struct dispatch dispatch = {
                .size = { cfg[0] >> 16, cfg[1] >> 16, cfg[2] >> 16 },
                .group_size = cfg[3] & 0xff ? cfg[3] & 0xff : 256,
                .groups_a_super = emu_groups_a_super(cfg),
                .batches_a_super = (cfg[3] >> 12 & 0xff) + 1,
                .threads = cfg[5] & 1 ? 4 : 2,
                .uniforms = cfg[6],
                .counted = emu_is_modelled(),
        };

        dispatch.groups = dispatch.size[0] * dispatch.size[1] * dispatch.size[2];
        dispatch.supers = (dispatch.groups + dispatch.groups_a_super - 1) / dispatch.groups_a_super;
        if (!dispatch.supers)
                return;
        for (dispatch.index_bits = 6; 1u << dispatch.index_bits < dispatch.group_size;)
                dispatch.index_bits++;
        shuffle(&dispatch);
        dispatch.program = qpu_load(cfg[5] & ~7u, cfg[5] >> 1 & 1);
        if (emu_order()) {
                if (qpu_has_thread_memory(dispatch.program))
                        emu_stop("V3D_EMU_ORDER does not know programs with memory of their own");
                dispatch.slots = (1u << (16 - dispatch.index_bits)) / dispatch.groups_a_super;
                emu_order_dispatch(dispatch.supers, dispatch.batches_a_super);
        }
        if (dispatch.counted)
                qpu_count_lines_anew();
        run_all(&dispatch);
        qpu_unload(dispatch.program);
        if (!dispatch.counted || emu_backward())
                return;
        const struct emu_time time = time_of(&dispatch);
        if (emu_setting("V3D_EMU_TRACE", 0))
                print(&dispatch, job->number, time);
}
