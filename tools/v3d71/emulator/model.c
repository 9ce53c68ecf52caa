/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How long a Raspberry Pi 5 would take for a job: a model, not a measurement. It is a range. At its lower end, what
 * the QPUs issue, what the memory unit does and the time for which threads wait overlap completely. At its upper end
 * issue and memory do not overlap at all, and a dispatch ends with its longest supergroup alone.
 *
 * Two parameters are fitted, to a copy kernel on a board; tools/v3d71/calibrate compares the rest with what
 * others published, and prints how well it is predicted (README.md, Time).
 */
#include "emulator.h"
#include "model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* A vector's load or store, for the whole GPU: 12 threads copied 4.15 GB/s, so 64 bytes are loaded and stored in
 * 15.4 ns. Nobody has published whether the memory or the memory unit is the limit.
 */
static const double access_ns = 7.7;
/* Until a load arrives: a thread alone copies 256 bytes in 148 ns, by four loads and four stores. */
static const double latency_ns = 75;
/* At the upper end: each further cache line of an access, at one line a cycle in each of three slices. */
static const double line_ns = 0.35;
/* A dispatch after another, at the lower and the upper end: a submit without work takes 22.7 us, one with a
 * dispatch 55.6 us.
 */
static const double dispatch_ns = 32900, single_dispatch_ns = 55600;

enum { cycles_an_instruction = 4 };

static double clock_ns;
static bool by_model = true, upper_end = true;
static double mhz = 960;
static uint64_t qpus = 12;

static void
set_up(void)
{
        static bool done;
        const char *end = getenv("V3D_EMU_TIME");

        if (done)
                return;
        done = true;
        clock_ns = emu_now_ns();
        mhz = emu_setting("V3D_EMU_MHZ", 960);
        qpus = emu_setting("V3D_EMU_QPUS", 12);
        if (!end || !*end)
                return;
        by_model = strcasecmp(end, "machine") != 0;
        upper_end = strcasecmp(end, "lower") != 0;
        if (by_model && upper_end && strcasecmp(end, "upper") != 0)
                emu_stop("V3D_EMU_TIME is upper, lower or machine");
}

bool
emu_is_modelled(void)
{
        set_up();
        return by_model;
}

int64_t
emu_gpu_clock_ns(void)
{
        static bool said;

        set_up();
        if (!by_model)
                return emu_now_ns();
        if (!said)
                fprintf(stderr, "V3D emulator: GPU times are modelled, not measured: the %s end of the model's range\n",
                        upper_end ? "upper" : "lower");
        said = true;
        return clock_ns;
}

static void
pass(struct emu_time time)
{
        clock_ns += upper_end ? time.upper_ns : time.lower_ns;
}

struct emu_time
emu_time_of_compute(const struct emu_work *work)
{
        set_up();
        const double issue_ns = cycles_an_instruction * 1000 / mhz;
        const uint64_t accesses = work->accesses, places = qpus * work->threads;
        const uint64_t resident = work->batches < places ? work->batches : places;
        const double issue = work->instructions * issue_ns / qpus;
        const double memory = access_ns * (accesses > work->distinct ? accesses : work->distinct);
        const double lines = work->lines > accesses ? line_ns * (work->lines - accesses) : 0;
        const double alone = work->instructions * issue_ns + work->waits * latency_ns;
        const double longest = work->longest_instructions * issue_ns + work->longest_waits * latency_ns;
        const double waiting = fmax(alone / resident, longest);
        const struct emu_time time = {
                .lower_ns = fmax(fmax(issue, memory), waiting) + dispatch_ns,
                .upper_ns = fmax(issue + memory + lines + longest, waiting) + single_dispatch_ns,
        };

        pass(time);
        return time;
}

/* The tile buffer reads and writes rows; nothing is known of its speed but the memory's. */
void
emu_time_of_copy(uint64_t bytes_read, uint64_t bytes_written)
{
        set_up();
        const double memory = access_ns * (bytes_read + bytes_written) / EMU_LINE;

        pass((struct emu_time){ memory + dispatch_ns, memory + single_dispatch_ns });
}
