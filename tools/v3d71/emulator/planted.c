/* SPDX-License-Identifier: BSD-2-Clause
 *
 * v3d_planted NAME: executes a program of a few instructions that no compiler makes. The emulator must stop it with a
 * sentence; `nothing` it must execute. tests/shaderstat/test_emulator.py knows the sentences.
 */
#include "emulator.h"
#include "qpu.h"

#include <stdio.h>
#include <string.h>

#include "broadcom/common/v3d_device_info.h"
#include "broadcom/qpu/qpu_instr.h"

enum { code_bytes = 4096, data_at = 4096, uniforms_at = 8192, buffer_bytes = 12288 };
enum { a_register = 10, another_register = 11, never_written = 20 };

static const struct v3d_device_info v3d71 = { .ver = 71 };
static struct emu_bo *buffer;
static uint32_t instructions, uniforms;

static struct v3d_qpu_instr
nothing(void)
{
        struct v3d_qpu_instr instr = { .type = V3D_QPU_INSTR_TYPE_ALU };

        instr.alu.add.op = V3D_QPU_A_NOP;
        instr.alu.mul.op = V3D_QPU_M_NOP;
        instr.alu.add.waddr = instr.alu.mul.waddr = V3D_QPU_WADDR_NOP;
        instr.alu.add.magic_write = instr.alu.mul.magic_write = true;
        return instr;
}

static void
emit(struct v3d_qpu_instr instr)
{
        uint64_t packed;

        if (!v3d_qpu_instr_pack(&v3d71, &instr, &packed))
                emu_stop("instruction %u cannot be packed", instructions);
        memcpy(emu_write(buffer->address + 8 * instructions++, 8, "code"), &packed, 8);
}

static void
uniform(uint32_t value)
{
        struct v3d_qpu_instr instr = nothing();

        instr.sig.ldunifrf = true;
        instr.sig_addr = a_register;
        emit(instr);
        memcpy(emu_write(buffer->address + uniforms_at + 4 * uniforms++, 4, "uniforms"), &value, 4);
}

/* The multiplier's result, to a register or (magic) somewhere else. */
static void
multiplier(enum v3d_qpu_mul_op op, unsigned from, unsigned to, bool magic)
{
        struct v3d_qpu_instr instr = nothing();

        instr.alu.mul.op = op;
        instr.alu.mul.a.raddr = instr.alu.mul.b.raddr = from;
        instr.alu.mul.waddr = to;
        instr.alu.mul.magic_write = magic;
        emit(instr);
}

static void
move(unsigned from, unsigned to, bool magic)
{
        multiplier(V3D_QPU_M_MOV, from, to, magic);
}

static void
switch_threads(void)
{
        struct v3d_qpu_instr instr = nothing();

        instr.sig.thrsw = true;
        emit(instr);
        emit(nothing());
        emit(nothing());
}

static void
access(uint32_t address, unsigned words)
{
        uniform(address);
        for (unsigned i = 0; i < words; i++)
                move(a_register, V3D_QPU_WADDR_TMUD, true);
        move(a_register, V3D_QPU_WADDR_TMUA, true);
}

static void
take_result(void)
{
        struct v3d_qpu_instr instr = nothing();

        instr.sig.ldtmu = true;
        instr.sig_addr = another_register;
        emit(instr);
}

static void
plant(const char *name)
{
        const uint32_t data = buffer->address + data_at;

        if (!strcmp(name, "nothing")) {
                access(data, 0);
                take_result();
                uniform(3);
                multiplier(V3D_QPU_M_MULTOP, a_register, V3D_QPU_WADDR_NOP, true);
                multiplier(V3D_QPU_M_UMUL24, a_register, another_register, false);
        } else if (!strcmp(name, "unaligned_load")) {
                access(data + 2, 0);
        } else if (!strcmp(name, "unaligned_store")) {
                access(data + 1, 1);
        } else if (!strcmp(name, "never_written")) {
                move(never_written, another_register, false);
        } else if (!strcmp(name, "never_taken")) {
                access(data, 0);
        } else if (!strcmp(name, "never_loaded")) {
                take_result();
        } else if (!strcmp(name, "many_loads")) {
                for (unsigned i = 0; i < 5; i++)
                        access(data, 0);
        } else if (!strcmp(name, "many_words")) {
                access(data, 5);
        } else if (!strcmp(name, "lost_rtop")) {
                uniform(3);
                multiplier(V3D_QPU_M_MULTOP, a_register, V3D_QPU_WADDR_NOP, true);
                switch_threads();
                multiplier(V3D_QPU_M_UMUL24, a_register, another_register, false);
        } else {
                emu_stop("nothing is called %s", name);
        }
}

int
main(int argc, char **argv)
{
        emu_memory_init();
        buffer = emu_bo_create(buffer_bytes);
        emu_name(buffer, true);
        plant(argc == 2 ? argv[1] : "");
        switch_threads(); /* of two in a row, the second says that the next is the last */
        instructions -= 2;
        switch_threads();
        switch_threads();

        const struct emu_job job = {
                .kind = EMU_COMPUTE,
                .number = 2,
                .cfg = { 1 << 16, 1 << 16, 1 << 16, QPU_LANES | 1 << 8, 0, buffer->address | 1, buffer->address + uniforms_at },
        };
        emu_compute(&job);
        puts("executed");
        return 0;
}
