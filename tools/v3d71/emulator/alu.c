/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The operations of the two units, and the forms of their operands.
 */
#include "emulator.h"
#include "program.h"

#include <math.h>
#include <string.h>

/* ---- Operands ------------------------------------------------------------------ */

static float
from_half(uint32_t half)
{
        const uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, mantissa = half & 1023;
        float value;
        uint32_t bits;

        if (exponent == 0)
                value = ldexpf(mantissa, -24);
        else if (exponent == 31)
                value = mantissa ? NAN : INFINITY;
        else
                value = ldexpf(mantissa | 1024, (int)exponent - 25);
        memcpy(&bits, &value, 4);
        bits |= sign;
        memcpy(&value, &bits, 4);
        return value;
}

static qpu_lanes
halves(qpu_lanes value, unsigned shift)
{
        qpu_floats result;
        for (unsigned i = 0; i < QPU_LANES; i++)
                result[i] = from_half(value[i] >> shift & 0xffff);
        return (qpu_lanes)result;
}

static qpu_lanes
clamped(qpu_lanes value, float lowest, float highest)
{
        qpu_floats result;
        for (unsigned i = 0; i < QPU_LANES; i++)
                result[i] = fminf(fmaxf(((qpu_floats)value)[i], lowest), highest);
        return (qpu_lanes)result;
}

/* Zeros if the operation does not have it. */
static qpu_lanes
read_operand(const struct qpu_thread *thread, const struct instruction *instruction, unsigned which, bool has_it)
{
        const struct operand *in = &instruction->in[which];

        if (!has_it)
                return (qpu_lanes){ 0 };
        if (!in->immediate && !(thread->written >> in->place & 1))
                emu_stop("register %u is read, and nothing has been written to it", in->place);
        const qpu_lanes value = in->immediate ? in->value : thread->rf[in->place];

        switch (in->unpack) {
        case V3D_QPU_UNPACK_NONE: return value;
        case V3D_QPU_UNPACK_ABS: return value & 0x7fffffffu;
        case V3D_QPU_UNPACK_L: return halves(value, 0);
        case V3D_QPU_UNPACK_H: return halves(value, 16);
        case V3D71_QPU_UNPACK_SAT: return clamped(value, 0, 1);
        case V3D71_QPU_UNPACK_NSAT: return clamped(value, -1, 1);
        case V3D71_QPU_UNPACK_MAX0: return clamped(value, 0, INFINITY);
        case V3D_QPU_UNPACK_UL: return value & 0xffffu;
        case V3D_QPU_UNPACK_UH: return value >> 16;
        case V3D_QPU_UNPACK_IL: return (qpu_lanes)((qpu_masks)(value << 16) >> 16);
        case V3D_QPU_UNPACK_IH: return (qpu_lanes)((qpu_masks)value >> 16);
        default: qpu_unknown(instruction, "the form of an operand");
        }
}

/* ---- Operations ----------------------------------------------------------------- */

static struct value
plain(qpu_lanes result)
{
        return (struct value){ result, { 0 }, false };
}

static struct value
with_carry(qpu_lanes result, qpu_masks carry)
{
        return (struct value){ result, carry, true };
}

#define EACH_LANE(expression)                                                                      \
        ({                                                                                         \
                qpu_lanes result_;                                                                 \
                for (unsigned i = 0; i < QPU_LANES; i++)                                           \
                        result_[i] = (expression);                                                 \
                result_;                                                                           \
        })
#define EACH_FLOAT(expression)                                                                     \
        ({                                                                                         \
                qpu_floats result_;                                                                \
                for (unsigned i = 0; i < QPU_LANES; i++)                                           \
                        result_[i] = (expression);                                                 \
                (qpu_lanes)result_;                                                                \
        })

static uint32_t
to_unsigned(float value)
{
        return value >= 4294967296.0f ? UINT32_MAX : value > 0 ? (uint32_t)value : 0;
}

static uint32_t
to_signed(float value)
{
        return value >= 2147483648.0f ? INT32_MAX : value > -2147483648.0f ? (uint32_t)(int32_t)value
                                                                          : (uint32_t)INT32_MIN;
}

static struct value
compare_floats(qpu_floats a, qpu_floats b)
{
        qpu_lanes result = EACH_LANE(a[i] == b[i] ? 0 : a[i] < b[i] ? 0x80000000u : 1);
        return with_carry(result, (qpu_masks)(a <= b));
}

struct value
qpu_add_unit(struct qpu_thread *thread, const struct instruction *instruction)
{
        const enum v3d_qpu_add_op op = instruction->decoded.alu.add.op;
        const int operands = v3d_qpu_add_op_num_src(op);
        const qpu_lanes a = read_operand(thread, instruction, 0, operands > 0);
        const qpu_lanes b = read_operand(thread, instruction, 1, operands > 1);
        const qpu_masks sa = (qpu_masks)a, sb = (qpu_masks)b;
        const qpu_floats fa = (qpu_floats)a, fb = (qpu_floats)b;
        const qpu_lanes by = b & 31;

        switch (op) {
        case V3D_QPU_A_NOP: return plain(a);
        case V3D_QPU_A_ADD: return with_carry(a + b, (qpu_masks)(a + b < a));
        case V3D_QPU_A_SUB: return with_carry(a - b, (qpu_masks)(a < b));
        case V3D_QPU_A_MIN: return with_carry(chosen(sa < sb, a, b), sa > sb);
        case V3D_QPU_A_MAX: return plain(chosen(sa > sb, a, b));
        case V3D_QPU_A_UMIN: return plain(chosen((qpu_masks)(a < b), a, b));
        case V3D_QPU_A_UMAX: return plain(chosen((qpu_masks)(a > b), a, b));
        case V3D_QPU_A_SHL: return plain(a << by);
        case V3D_QPU_A_SHR: return plain(a >> by);
        case V3D_QPU_A_ASR: return plain((qpu_lanes)(sa >> (qpu_masks)by));
        case V3D_QPU_A_ROR: return plain(a >> by | a << (-by & 31));
        case V3D_QPU_A_AND: return plain(a & b);
        case V3D_QPU_A_OR: return plain(a | b);
        case V3D_QPU_A_XOR: return plain(a ^ b);
        case V3D_QPU_A_NOT: return plain(~a);
        case V3D_QPU_A_NEG: return plain(-a);
        case V3D_QPU_A_MOV:
        case V3D_QPU_A_FMOV: return plain(a);
        case V3D_QPU_A_CLZ: return plain(EACH_LANE(a[i] ? __builtin_clz(a[i]) : 32));
        case V3D_QPU_A_FADD:
        case V3D_QPU_A_FADDNF: return plain((qpu_lanes)(fa + fb));
        case V3D_QPU_A_FSUB: return plain((qpu_lanes)(fa - fb));
        case V3D_QPU_A_FMIN: return plain(EACH_FLOAT(fminf(fa[i], fb[i])));
        case V3D_QPU_A_FMAX: return plain(EACH_FLOAT(fmaxf(fa[i], fb[i])));
        case V3D_QPU_A_FCMP: return compare_floats(fa, fb);
        case V3D_QPU_A_FROUND: return plain(EACH_FLOAT(rintf(fa[i])));
        case V3D_QPU_A_FTRUNC: return plain(EACH_FLOAT(truncf(fa[i])));
        case V3D_QPU_A_FFLOOR: return plain(EACH_FLOAT(floorf(fa[i])));
        case V3D_QPU_A_FCEIL: return plain(EACH_FLOAT(ceilf(fa[i])));
        case V3D_QPU_A_FTOIZ: return plain(EACH_LANE(to_signed(fa[i])));
        case V3D_QPU_A_FTOIN: return plain(EACH_LANE(to_signed(rintf(fa[i]))));
        case V3D_QPU_A_FTOUZ: return plain(EACH_LANE(to_unsigned(fa[i])));
        case V3D_QPU_A_ITOF: return plain(EACH_FLOAT((float)sa[i]));
        case V3D_QPU_A_UTOF: return plain(EACH_FLOAT((float)a[i]));
        case V3D_QPU_A_RECIP: return plain((qpu_lanes)(1.0f / fa));
        case V3D_QPU_A_RSQRT:
        case V3D_QPU_A_RSQRT2: return plain(EACH_FLOAT(1.0f / sqrtf(fa[i])));
        case V3D_QPU_A_EXP: return plain(EACH_FLOAT(exp2f(fa[i])));
        case V3D_QPU_A_LOG: return plain(EACH_FLOAT(log2f(fa[i])));
        case V3D_QPU_A_TIDX: return plain(all_lanes(thread->index));
        case V3D_QPU_A_EIDX: return plain(EACH_LANE(i));
        case V3D_QPU_A_MSF: return plain((qpu_lanes)thread->active & 15);
        case V3D_QPU_A_TMUWT:
                qpu_finish_stores(thread);
                return plain((qpu_lanes){ 0 });
        case V3D_QPU_A_BARRIERID: return plain((qpu_lanes){ 0 });
        default: qpu_unknown(instruction, "an operation");
        }
}

/* multop keeps what umul24 lacks for the low 32 bits of the product. */
static qpu_lanes
high_part(qpu_lanes a, qpu_lanes b)
{
        return ((a >> 24) * (b & 0xffffff) + (a & 0xffffff) * (b >> 24)) << 24;
}

struct value
qpu_mul_unit(struct qpu_thread *thread, const struct instruction *instruction)
{
        const enum v3d_qpu_mul_op op = instruction->decoded.alu.mul.op;
        const int operands = v3d_qpu_mul_op_num_src(op);
        const qpu_lanes a = read_operand(thread, instruction, 2, operands > 0);
        const qpu_lanes b = read_operand(thread, instruction, 3, operands > 1);
        const qpu_lanes rtop = thread->rtop;

        switch (op) {
        case V3D_QPU_M_NOP: return plain(a);
        case V3D_QPU_M_ADD: return with_carry(a + b, (qpu_masks)(a + b < a));
        case V3D_QPU_M_SUB: return with_carry(a - b, (qpu_masks)(a < b));
        case V3D_QPU_M_MOV:
        case V3D_QPU_M_FMOV: return plain(a);
        case V3D_QPU_M_MULTOP:
                thread->rtop = high_part(a, b);
                thread->has_rtop = true;
                thread->rtop_is_lost = false;
                return plain((qpu_lanes){ 0 });
        case V3D_QPU_M_UMUL24:
                if (thread->rtop_is_lost)
                        emu_stop("umul24 needs what multop has left, but a thread switch lies between them");
                thread->rtop = (qpu_lanes){ 0 };
                thread->has_rtop = false;
                return plain((a & 0xffffff) * (b & 0xffffff) + rtop);
        case V3D_QPU_M_SMUL24:
                return plain((qpu_lanes)(((qpu_masks)(a << 8) >> 8) * ((qpu_masks)(b << 8) >> 8)));
        case V3D_QPU_M_FMUL: return plain((qpu_lanes)((qpu_floats)a * (qpu_floats)b));
        default: qpu_unknown(instruction, "an operation");
        }
}
