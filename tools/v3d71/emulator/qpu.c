/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The execution of a program: results, flags, signals and the flow of control.
 */
#include "qpu.h"
#include "emulator.h"
#include "program.h"

#include <stdio.h>
#include <string.h>

static _Thread_local const struct qpu_thread *under_way;

void
qpu_say_where(void)
{
        enum { before = 12 };

        if (!under_way)
                return;
        const struct qpu_thread *thread = under_way;
        under_way = NULL;
        for (uint32_t i = thread->ip < before ? 0 : thread->ip - before; i <= thread->ip; i++)
                fprintf(stderr, "%6u  %s\n", i, qpu_text(&thread->program->instructions[i]));
}

/* ---- Results -------------------------------------------------------------------- */

static qpu_masks
lanes_of(const struct qpu_thread *thread, enum v3d_qpu_cond condition)
{
        switch (condition) {
        case V3D_QPU_COND_NONE: return (qpu_masks){ 0 } - 1;
        case V3D_QPU_COND_IFA: return thread->a;
        case V3D_QPU_COND_IFB: return thread->b;
        case V3D_QPU_COND_IFNA: return ~thread->a;
        case V3D_QPU_COND_IFNB: return ~thread->b;
        }
        return (qpu_masks){ 0 };
}

static uint32_t
next_uniform(struct qpu_thread *thread)
{
        uint32_t value;
        memcpy(&value, emu_read(thread->uniforms, 4, "a uniform"), 4);
        thread->uniforms += 4;
        return value;
}

static void
write_magic(struct qpu_thread *thread, const struct instruction *instruction, unsigned to, qpu_lanes value,
            qpu_masks lanes)
{
        switch (to) {
        case V3D_QPU_WADDR_NOP:
                break;
        case V3D_QPU_WADDR_TMUD:
                if (thread->data_count == thread->fifo_size)
                        emu_stop("more than %u words wait for a store", thread->fifo_size);
                thread->data[thread->data_count++] = value;
                break;
        case V3D_QPU_WADDR_TMUA:
                qpu_access(thread, value, lanes, 0xff);
                break;
        case V3D_QPU_WADDR_TMUAU:
                qpu_access(thread, value, lanes, next_uniform(thread));
                break;
        case V3D_QPU_WADDR_UNIFA:
                thread->unifa = value[0];
                break;
        case V3D_QPU_WADDR_SYNCB:
                thread->arrives = true;
                break;
        default:
                qpu_unknown(instruction, "a destination");
        }
}

static void
write_result(struct qpu_thread *thread, const struct instruction *instruction, unsigned to, bool magic,
             enum v3d_qpu_output_pack pack, qpu_lanes value, enum v3d_qpu_cond condition)
{
        const qpu_masks lanes = lanes_of(thread, condition);

        if (pack != V3D_QPU_PACK_NONE)
                qpu_unknown(instruction, "the form of a result");
        if (magic) {
                write_magic(thread, instruction, to, value, lanes);
                return;
        }
        thread->rf[to] = chosen(lanes, value, thread->rf[to]);
        thread->written |= 1ull << to;
}

/* ---- Flags and signals ----------------------------------------------------------- */

static qpu_masks
tested(const struct instruction *instruction, const struct value *value, enum v3d_qpu_pf what)
{
        switch (what) {
        case V3D_QPU_PF_PUSHZ: return (qpu_masks)(value->result == 0);
        case V3D_QPU_PF_PUSHN: return (qpu_masks)value->result >> 31;
        case V3D_QPU_PF_PUSHC:
                if (!value->has_carry)
                        qpu_unknown(instruction, "a carry");
                return value->carry;
        default: qpu_unknown(instruction, "a flag");
        }
}

static void
push(struct qpu_thread *thread, const struct instruction *instruction, const struct value *value,
     enum v3d_qpu_pf what)
{
        const qpu_masks flag = tested(instruction, value, what);
        thread->b = thread->a;
        thread->a = flag;
}

static void
update(struct qpu_thread *thread, const struct instruction *instruction, const struct value *value,
       enum v3d_qpu_uf how)
{
        static const enum v3d_qpu_pf tests[] = { V3D_QPU_PF_PUSHZ, V3D_QPU_PF_PUSHN, V3D_QPU_PF_PUSHC };
        const unsigned number = how - V3D_QPU_UF_ANDZ;
        const qpu_masks flag = tested(instruction, value, tests[number / 4]), a = thread->a;

        switch (number % 4) {
        case 0: thread->a = a & flag; break;       /* and, the flag */
        case 1: thread->a = a & ~flag; break;      /* and, its complement */
        case 2: thread->a = ~(a | ~flag); break;   /* nor, its complement */
        case 3: thread->a = ~(a | flag); break;    /* nor, the flag */
        }
}

static void
execute_alu(struct qpu_thread *thread, const struct instruction *instruction)
{
        const struct v3d_qpu_instr *instr = &instruction->decoded;
        const struct v3d_qpu_flags *flags = &instr->flags;
        const struct value add = qpu_add_unit(thread, instruction), mul = qpu_mul_unit(thread, instruction);
        const bool add_writes = v3d_qpu_add_op_has_dst(instr->alu.add.op);
        const bool mul_writes = v3d_qpu_mul_op_has_dst(instr->alu.mul.op);
        const struct v3d_qpu_sig *sig = &instr->sig;

        /* Conditions are those before the instruction's own flags. */
        if (add_writes && instr->alu.add.op != V3D_QPU_A_NOP)
                write_result(thread, instruction, instr->alu.add.waddr, instr->alu.add.magic_write,
                             instr->alu.add.output_pack, add.result, flags->ac);
        if (mul_writes && instr->alu.mul.op != V3D_QPU_M_NOP)
                write_result(thread, instruction, instr->alu.mul.waddr, instr->alu.mul.magic_write,
                             instr->alu.mul.output_pack, mul.result, flags->mc);
        if ((flags->apf || flags->auf) && (flags->mpf || flags->muf))
                qpu_unknown(instruction, "an instruction with flags of both units");
        if (flags->apf)
                push(thread, instruction, &add, flags->apf);
        if (flags->mpf)
                push(thread, instruction, &mul, flags->mpf);
        if (flags->auf)
                update(thread, instruction, &add, flags->auf);
        if (flags->muf)
                update(thread, instruction, &mul, flags->muf);

        if (sig->ldunif)
                write_result(thread, instruction, 0, false, V3D_QPU_PACK_NONE, all_lanes(next_uniform(thread)),
                             V3D_QPU_COND_NONE);
        if (sig->ldunifrf)
                write_result(thread, instruction, instr->sig_addr, instr->sig_magic, V3D_QPU_PACK_NONE,
                             all_lanes(next_uniform(thread)), V3D_QPU_COND_NONE);
        if (sig->ldunifa || sig->ldunifarf) {
                uint32_t value;
                memcpy(&value, emu_read(thread->unifa, 4, "a uniform"), 4);
                thread->unifa += 4;
                write_result(thread, instruction, sig->ldunifa ? 0 : instr->sig_addr,
                             sig->ldunifa ? false : instr->sig_magic, V3D_QPU_PACK_NONE, all_lanes(value),
                             V3D_QPU_COND_NONE);
        }
        if (sig->ldtmu) {
                if (!thread->result_count)
                        emu_stop("ldtmu: nothing was loaded");
                write_result(thread, instruction, instr->sig_addr, instr->sig_magic, V3D_QPU_PACK_NONE,
                             thread->results[thread->result_first], V3D_QPU_COND_NONE);
                thread->result_first = (thread->result_first + 1) % QPU_FIFO;
                thread->result_count--;
                thread->counts.waits += thread->has_loaded;
                thread->has_loaded = false;
        }
        if (sig->thrsw) {
                if (instruction->ends)
                        thread->end_in = switch_slots + 1;
                else if (!thread->switch_in)
                        thread->switch_in = switch_slots + 1;
        }
}

/* ---- Control flow ------------------------------------------------------------- */

static bool
any(qpu_masks lanes)
{
        for (unsigned i = 0; i < QPU_LANES; i++)
                if (lanes[i])
                        return true;
        return false;
}

static bool
is_taken(const struct qpu_thread *thread, const struct instruction *instruction)
{
        const struct v3d_qpu_branch_instr *branch = &instruction->decoded.branch;
        qpu_masks asked = (qpu_masks){ 0 } - 1;

        if (branch->msfign == V3D_QPU_MSFIGN_P)
                asked = thread->active;
        else if (branch->msfign == V3D_QPU_MSFIGN_Q)
                qpu_unknown(instruction, "a branch by quads");
        switch (branch->cond) {
        case V3D_QPU_BRANCH_COND_ALWAYS: return true;
        case V3D_QPU_BRANCH_COND_A0: return thread->a[0];
        case V3D_QPU_BRANCH_COND_NA0: return !thread->a[0];
        case V3D_QPU_BRANCH_COND_ALLA: return !any(~thread->a & asked);
        case V3D_QPU_BRANCH_COND_ANYNA: return any(~thread->a & asked);
        case V3D_QPU_BRANCH_COND_ANYA: return any(thread->a & asked);
        case V3D_QPU_BRANCH_COND_ALLNA: return !any(thread->a & asked);
        }
        return false;
}

static void
execute_branch(struct qpu_thread *thread, const struct instruction *instruction)
{
        const struct v3d_qpu_branch_instr *branch = &instruction->decoded.branch;
        const bool taken = is_taken(thread, instruction);

        if (branch->bdi != V3D_QPU_BRANCH_DEST_REL || (branch->ub && branch->bdu != V3D_QPU_BRANCH_DEST_REL))
                qpu_unknown(instruction, "a branch that is not relative");
        if ((int32_t)branch->offset % 8)
                qpu_unknown(instruction, "a branch between instructions");
        if (branch->ub) {
                const uint32_t by = next_uniform(thread);
                if (taken)
                        thread->uniforms += by;
        }
        if (!taken)
                return;
        thread->branch_in = branch_slots + 1;
        thread->branch_ip = thread->ip + 1 + branch_slots + (int32_t)branch->offset / 8;
}

enum qpu_state
qpu_run(struct qpu_thread *thread)
{
        const struct qpu_program *program = thread->program;

        under_way = thread;
        for (;;) {
                if (thread->ip >= program->count)
                        emu_stop("a program leaves its end");
                const struct instruction *instruction = &program->instructions[thread->ip];
                thread->counts.instructions++;
                if (instruction->decoded.type == V3D_QPU_INSTR_TYPE_ALU)
                        execute_alu(thread, instruction);
                else
                        execute_branch(thread, instruction);
                thread->ip++;
                if (thread->branch_in && !--thread->branch_in)
                        thread->ip = thread->branch_ip;
                if (thread->end_in && !--thread->end_in) {
                        qpu_finish_stores(thread);
                        if (thread->result_count)
                                emu_stop("a thread ends, and has not taken %u results of loads", thread->result_count);
                        under_way = NULL;
                        return QPU_ENDED;
                }
                if (thread->switch_in && !--thread->switch_in) {
                        thread->rtop_is_lost |= thread->has_rtop;
                        thread->waits = thread->arrives;
                        thread->arrives = false;
                        if (thread->waits || thread->shuffled) {
                                under_way = NULL;
                                return thread->waits ? QPU_WAITS : QPU_SWITCHES;
                        }
                }
        }
}
