/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A QPU's threads. Sixteen lanes execute the same instruction.
 */
#ifndef QPU_H
#define QPU_H

#include <stdbool.h>
#include <stdint.h>

enum { QPU_LANES = 16, QPU_REGISTERS = 64, QPU_FIFO = 16 };

typedef uint32_t qpu_lanes __attribute__((vector_size(4 * QPU_LANES)));
typedef float qpu_floats __attribute__((vector_size(4 * QPU_LANES)));
typedef int32_t qpu_masks __attribute__((vector_size(4 * QPU_LANES))); /* 0 or -1 a lane */

/* A store that waits until others must see it. */
enum { QPU_STORES = 8 };
struct qpu_store {
        qpu_lanes address, data[4];
        qpu_masks lanes;
        unsigned count, bytes; /* words, and of each */
};

/* What a thread has done: accesses, and the cache lines of 64 bytes that they touched. */
struct qpu_counts {
        uint64_t instructions, loads, stores, atomics;
        uint64_t lines;    /* of each access */
        uint64_t distinct; /* which no access of the dispatch had touched before */
        uint64_t waits;    /* for loads: several may be on their way */
};

struct qpu_program;

struct qpu_thread {
        const struct qpu_program *program;
        qpu_lanes rf[QPU_REGISTERS];
        uint64_t written; /* a bit of each register */
        qpu_masks a, b;   /* flags */
        qpu_masks active; /* lanes that have an invocation */
        qpu_lanes rtop;
        bool has_rtop, rtop_is_lost; /* of a multiplication of two instructions: to a thread switch between them */
        uint32_t ip, uniforms, unifa;
        uint32_t index; /* among the threads of the GPU */
        /* What happens after delay slots; 0: nothing. */
        unsigned branch_in, switch_in, end_in;
        uint32_t branch_ip;
        bool arrives, waits; /* at a barrier: from the next thread switch on */
        bool shuffled;       /* others have their turn at each thread switch, and stores wait for tmuwt */
        /* The memory unit: data for the next store, results that wait for ldtmu. */
        qpu_lanes data[QPU_FIFO], results[QPU_FIFO];
        unsigned data_count, result_first, result_count, fifo_size;
        struct qpu_store stores[QPU_STORES];
        unsigned store_count;
        bool counted, has_loaded; /* nothing has waited for the loads yet */
        struct qpu_counts counts;
};

enum qpu_state { QPU_ENDED, QPU_WAITS, QPU_SWITCHES };

/* The program at this address. */
const struct qpu_program *qpu_load(uint32_t address, bool single_segment);
/* It has memory of its own for each of the GPU's threads, of which there are four a QPU. */
bool qpu_has_thread_memory(const struct qpu_program *program);
void qpu_unload(const struct qpu_program *program);

/* Executes until the thread ends, waits at a barrier or, if it is shuffled, is switched. */
enum qpu_state qpu_run(struct qpu_thread *thread);

/* Where this thread of the machine is in a program: a few instructions, the last of them under way. */
void qpu_say_where(void);

/* From now on no cache line has been touched. */
void qpu_count_lines_anew(void);

/* Stores that have waited are made. */
void qpu_finish_stores(struct qpu_thread *thread);

/* What a dispatch does, for order.c. */
void emu_order_dispatch(uint32_t supers, uint32_t batches);
void emu_order_batch(uint32_t super, uint32_t batch, uint32_t step);
void emu_order_instruction(void);
void emu_order_load(uint32_t address);
void emu_order_store(uint32_t address, const uint32_t *at, uint32_t value, bool atomic);
void emu_order_atomic(qpu_lanes *olds);

/* An access of the memory unit (tmu.c). config: the lowest byte of the configuration. */
void qpu_access(struct qpu_thread *thread, qpu_lanes address, qpu_masks lanes, uint32_t config);

#endif
