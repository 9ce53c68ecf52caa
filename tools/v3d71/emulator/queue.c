/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Jobs are executed one after the other, in the order of their submits, by a thread. So everything that a
 * job could wait for is complete when it begins.
 */
#include "emulator.h"
#include "qpu.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t submitted, completed;
static struct emu_job *first, **last = &first;
static uint64_t last_number = 1, completed_number = 1; /* 1: complete at all times */

_Noreturn void
emu_stop(const char *format, ...)
{
        va_list arguments;

        va_start(arguments, format);
        fputs("V3D emulator: ", stderr);
        vfprintf(stderr, format, arguments);
        fputs("\n", stderr);
        qpu_say_where();
        abort();
}

uint64_t
emu_setting(const char *name, uint64_t otherwise)
{
        const char *value = getenv(name);
        return value && *value ? strtoull(value, NULL, 0) : otherwise;
}

int64_t
emu_now_ns(void)
{
        struct timespec now;

        clock_gettime(CLOCK_MONOTONIC, &now);
        return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static void
name_buffers(const struct emu_job *job, bool named)
{
        for (uint32_t i = 0; i < job->bo_count; i++)
                emu_name(job->bos[i], named);
}

/* V3D_EMU=0: jobs but timestamps do nothing, for those who count what a program itself does. */
static void
execute(struct emu_job *job)
{
        if (job->kind != EMU_TIMESTAMPS && emu_setting("V3D_EMU", 1) == 0)
                return;
        name_buffers(job, true);
        switch (job->kind) {
        case EMU_COMPUTE:
                emu_compute(job);
                break;
        case EMU_LIST:
                emu_list(job);
                break;
        case EMU_TIMESTAMPS:
                job->work(job);
                break;
        }
        name_buffers(job, false);
}

/* With lock held: the first job and, if orders are looked at, those behind it that do not wait for all before them. The
 * driver's last job of a submit signals, so nobody waits long here.
 */
static uint32_t
take_first(struct emu_job **jobs)
{
        struct timespec until;
        uint32_t count = 0;

        jobs[count++] = first;
        if (!emu_order())
                return count;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec++;
        while (!jobs[count - 1]->signals) {
                while (!jobs[count - 1]->next)
                        if (pthread_cond_timedwait(&submitted, &lock, &until))
                                return count;
                if (!emu_order_joins(jobs, count, jobs[count - 1]->next))
                        break;
                jobs[count] = jobs[count - 1]->next;
                count++;
        }
        return count;
}

static void
complete_first(void)
{
        struct emu_job *job = first;

        pthread_mutex_lock(&lock);
        first = job->next;
        if (!first)
                last = &first;
        completed_number = job->number;
        pthread_cond_broadcast(&completed);
        pthread_mutex_unlock(&lock);
        emu_sync_completed();
        for (uint32_t i = 0; i < job->bo_count; i++)
                emu_bo_unref(job->bos[i]);
        free(job->bos);
        free(job->offsets);
        free(job);
}

static void *
run(void *unused)
{
        struct emu_job *jobs[EMU_WINDOW];

        (void)unused;
        pthread_setname_np(pthread_self(), "V3D emulator");
        pthread_mutex_lock(&lock);
        for (;;) {
                while (!first)
                        pthread_cond_wait(&submitted, &lock);
                const uint32_t count = take_first(jobs);
                pthread_mutex_unlock(&lock);
                if (emu_order())
                        emu_order_execute(jobs, count, execute);
                else
                        execute(jobs[0]);
                for (uint32_t i = 0; i < count; i++)
                        complete_first();
                pthread_mutex_lock(&lock);
        }
        return NULL;
}

static void
start(void)
{
        pthread_condattr_t monotonic;
        sigset_t all, before;
        pthread_t thread;

        pthread_condattr_init(&monotonic);
        pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
        pthread_cond_init(&completed, &monotonic);
        pthread_cond_init(&submitted, &monotonic);
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before); /* they are the program's */
        if (pthread_create(&thread, NULL, run, NULL))
                emu_stop("no thread to execute jobs");
        pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* The sync objects first: whoever waits for one of them may destroy the others as soon as the job is complete. */
void
emu_submit(struct emu_job *job, const struct emu_syncs *in, const struct emu_syncs *out)
{
        static pthread_once_t once = PTHREAD_ONCE_INIT;
        static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

        pthread_once(&once, start);
        pthread_mutex_lock(&order);
        job->number = ++last_number;
        if (emu_order())
                emu_order_submit(job, in);
        job->signals = out->count > 1; /* each signals one for jobs that come later */
        emu_sync_put(out->handles, out->count, job->number);
        pthread_mutex_lock(&lock);
        for (uint32_t i = 0; i < job->bo_count; i++)
                job->bos[i]->last_job = job->number;
        job->next = NULL;
        *last = job;
        last = &job->next;
        pthread_cond_signal(&submitted);
        pthread_mutex_unlock(&lock);
        pthread_mutex_unlock(&order);
}

uint64_t
emu_completed(void)
{
        pthread_mutex_lock(&lock);
        const uint64_t number = completed_number;
        pthread_mutex_unlock(&lock);
        return number;
}

bool
emu_wait_for(uint64_t number, int64_t until_ns)
{
        const struct timespec until = { until_ns / 1000000000, until_ns % 1000000000 };
        bool done = true;

        pthread_mutex_lock(&lock);
        while (done && completed_number < number)
                done = until_ns > 0 && pthread_cond_timedwait(&completed, &lock, &until) == 0;
        done = completed_number >= number;
        pthread_mutex_unlock(&lock);
        return done;
}
