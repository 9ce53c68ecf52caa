/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Decoded programs, and what the two units of a QPU make of an instruction.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "broadcom/qpu/qpu_instr.h"
#include "qpu.h"

struct operand {
        bool immediate;
        uint8_t place;
        uint8_t unpack;
        qpu_lanes value;
};

struct instruction {
        struct v3d_qpu_instr decoded;
        uint64_t packed;
        struct operand in[4]; /* add a, add b, mul a, mul b */
        bool ends;            /* the thread, after its delay slots */
};

struct qpu_program {
        uint32_t count;
        bool has_thread_memory;
        struct instruction *instructions;
};

enum { branch_slots = 3, switch_slots = 2 };

/* The text of an instruction. */
const char *qpu_text(const struct instruction *instruction);
_Noreturn void qpu_unknown(const struct instruction *instruction, const char *what);

static inline qpu_lanes
all_lanes(uint32_t value)
{
        return (qpu_lanes){ 0 } + value;
}

static inline qpu_lanes
chosen(qpu_masks lanes, qpu_lanes yes, qpu_lanes no)
{
        return ((qpu_lanes)lanes & yes) | (~(qpu_lanes)lanes & no);
}

/* What a unit makes of its operands, and the bit that pushc pushes (alu.c). */
struct value {
        qpu_lanes result;
        qpu_masks carry;
        bool has_carry;
};

struct value qpu_add_unit(struct qpu_thread *thread, const struct instruction *instruction);
struct value qpu_mul_unit(struct qpu_thread *thread, const struct instruction *instruction);

#endif
