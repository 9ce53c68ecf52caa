/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Programs, decoded by Mesa's own decoder.
 */
#include "program.h"
#include "emulator.h"

#include <stdlib.h>
#include <string.h>

#include "broadcom/common/v3d_device_info.h"
#include "broadcom/qpu/qpu_disasm.h"

enum { longest = 1 << 16 };

static const struct v3d_device_info v3d71 = { .ver = 71 };

const char *
qpu_text(const struct instruction *instruction)
{
        const char *text = v3d_qpu_disasm(&v3d71, instruction->packed);
        return text ? text : "?";
}

_Noreturn void
qpu_unknown(const struct instruction *instruction, const char *what)
{
        emu_stop("%s is not known: %s", what, qpu_text(instruction));
}

static struct operand
decode_operand(const struct v3d_qpu_input *input, bool immediate)
{
        struct operand operand = { immediate, input->raddr, input->unpack, { 0 } };
        uint32_t value;

        if (!immediate)
                return operand;
        if (!v3d_qpu_small_imm_unpack(&v3d71, input->raddr, &value))
                emu_stop("small immediate %u is not known", input->raddr);
        operand.value = all_lanes(value);
        return operand;
}

static void
decode(struct instruction *to, uint64_t packed)
{
        to->packed = packed;
        to->ends = false;
        if (!v3d_qpu_instr_unpack(&v3d71, packed, &to->decoded))
                emu_stop("an instruction is not known: 0x%016llx", (unsigned long long)packed);
        const struct v3d_qpu_instr *instr = &to->decoded;
        if (instr->type != V3D_QPU_INSTR_TYPE_ALU)
                return;
        to->in[0] = decode_operand(&instr->alu.add.a, instr->sig.small_imm_a);
        to->in[1] = decode_operand(&instr->alu.add.b, instr->sig.small_imm_b);
        to->in[2] = decode_operand(&instr->alu.mul.a, instr->sig.small_imm_c);
        to->in[3] = decode_operand(&instr->alu.mul.b, instr->sig.small_imm_d);
        /* Mesa 25.0 decodes two of the three bits that it encodes, so clamping looks like a half. */
        if (instr->alu.mul.op == V3D_QPU_M_FMOV && instr->alu.mul.b.raddr >> 4 & 1)
                to->in[2].unpack = V3D71_QPU_UNPACK_SAT + (instr->alu.mul.b.raddr >> 2 & 3);
        const struct v3d_qpu_sig *sig = &instr->sig;
        if (sig->ldvary || sig->ldvpm || sig->ldtlb || sig->ldtlbu || sig->ucb || sig->rotate || sig->wrtmuc)
                qpu_unknown(to, "a signal");
}

/* Of two thread switches in a row the second says that the next one is the last, which ends the program. */
const struct qpu_program *
qpu_load(uint32_t address, bool single_segment)
{
        struct qpu_program *program = calloc(1, sizeof(*program));
        bool next_is_last = single_segment, ended = false;
        uint32_t place = 0, last_switch = longest, after_end = 0;

        while (!ended || after_end < switch_slots) {
                if (place == longest)
                        emu_stop("a program does not end");
                if (place == program->count) {
                        program->count = program->count ? 2 * program->count : 256;
                        program->instructions = realloc(program->instructions,
                                                        program->count * sizeof(*program->instructions));
                }
                struct instruction *to = &program->instructions[place];
                uint64_t packed;
                memcpy(&packed, emu_read(address + 8 * place, 8, "an instruction"), 8);
                decode(to, packed);
                after_end += ended;
                if (to->decoded.type == V3D_QPU_INSTR_TYPE_ALU && to->decoded.alu.add.op == V3D_QPU_A_TIDX)
                        program->has_thread_memory = true;
                if (to->decoded.type == V3D_QPU_INSTR_TYPE_ALU && to->decoded.sig.thrsw) {
                        if (last_switch == place - 1) {
                                next_is_last = true;
                        } else if (next_is_last) {
                                to->ends = ended = true;
                        } else {
                                last_switch = place;
                        }
                }
                place++;
        }
        program->count = place;
        return program;
}

bool
qpu_has_thread_memory(const struct qpu_program *program)
{
        return program->has_thread_memory;
}

void
qpu_unload(const struct qpu_program *program)
{
        free(program->instructions);
        free((void *)program);
}
