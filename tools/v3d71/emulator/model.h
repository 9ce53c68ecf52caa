/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The time that a Raspberry Pi 5 would take: a model.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* What a dispatch has done. */
struct emu_work {
        uint64_t instructions, accesses;
        uint64_t lines;    /* cache lines, counted for each access */
        uint64_t distinct; /* cache lines, counted once */
        uint64_t waits;    /* for loads */
        uint64_t batches;
        uint64_t longest_instructions, longest_waits; /* of one batch: a supergroup is not faster */
        uint32_t threads;  /* places for batches in a QPU */
};

struct emu_time {
        double lower_ns, upper_ns;
};

/* The GPU's clock advances by the time of a job. */
struct emu_time emu_time_of_compute(const struct emu_work *work);
void emu_time_of_copy(uint64_t bytes_read, uint64_t bytes_written);

/* false: V3D_EMU_TIME says that timestamps are this machine's, so nothing has to be counted. */
bool emu_is_modelled(void);
int64_t emu_gpu_clock_ns(void);

#endif
