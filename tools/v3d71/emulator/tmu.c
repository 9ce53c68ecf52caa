/* SPDX-License-Identifier: BSD-2-Clause
 *
 * General accesses of the memory unit: loads, stores and atomic operations, each of a vector of lanes.
 */
#include "emulator.h"
#include "qpu.h"

#include <string.h>
#include <sys/mman.h>

enum type { INT8, INT16, VEC2, VEC3, VEC4, UINT8, UINT16, UINT32 };

/* The operations, with data; without, 8 to 10 are an increment, a decrement and a complement. */
enum operation { ADD, SUB, XCHG, CMPXCHG, UMIN, UMAX, SMIN, SMAX, AND, OR, XOR, REGULAR = 15 };

static unsigned
components(enum type type)
{
        return type >= VEC2 && type <= VEC4 ? type : 1;
}

static unsigned
bytes(enum type type)
{
        return type == INT8 || type == UINT8 ? 1 : type == INT16 || type == UINT16 ? 2 : 4;
}

static void
expect_aligned(uint32_t address, unsigned size, const char *what)
{
        if (address % size)
                emu_stop("%s of %u bytes at 0x%08x is not aligned", what, size, address);
}

static const void *
source(uint32_t address, unsigned size, unsigned count)
{
        expect_aligned(address, size, "a load");
        return emu_read(address, size * count, "a load");
}

static void *
destination(uint32_t address, unsigned size, unsigned count, const char *what)
{
        expect_aligned(address, size, what);
        return emu_write(address, size * count, what);
}

static void
deliver(struct qpu_thread *thread, qpu_lanes result)
{
        if (thread->result_count == thread->fifo_size)
                emu_stop("more than %u results wait in the memory unit", thread->fifo_size);
        thread->results[(thread->result_first + thread->result_count++) % QPU_FIFO] = result;
}

static void
load(struct qpu_thread *thread, qpu_lanes address, qpu_masks lanes, enum type type)
{
        qpu_lanes results[4] = { 0 };
        const unsigned count = components(type), size = bytes(type);

        for (unsigned lane = 0; lane < QPU_LANES; lane++) {
                if (!lanes[lane])
                        continue;
                const void *from = source(address[lane], size, count);
                for (unsigned i = 0; i < count && emu_order(); i++)
                        emu_order_load(address[lane] + 4 * i);
                if (size == 1)
                        results[0][lane] = type == INT8 ? (uint32_t)(int32_t) * (const int8_t *)from
                                                        : *(const uint8_t *)from;
                else if (size == 2)
                        results[0][lane] = type == INT16 ? (uint32_t)(int32_t) * (const int16_t *)from
                                                         : *(const uint16_t *)from;
                else
                        for (unsigned i = 0; i < count; i++)
                                results[i][lane] = __atomic_load_n((const uint32_t *)from + i, __ATOMIC_RELAXED);
        }
        for (unsigned i = 0; i < count; i++)
                deliver(thread, results[i]);
}

/* Words, and the word that has a smaller store. */
static void
record(const struct qpu_store *store, unsigned lane, const void *to)
{
        const uint32_t address = store->address[lane];
        const uint32_t *word = (const uint32_t *)((uintptr_t)to & -4ul);
        uint32_t value = *word;

        if (store->bytes == 4) {
                for (unsigned i = 0; i < store->count; i++)
                        emu_order_store(address + 4 * i, word + i, store->data[i][lane], false);
        } else {
                memcpy((uint8_t *)&value + address % 4, &store->data[0][lane], store->bytes);
                emu_order_store(address & -4u, word, value, false);
        }
}

static void
make(const struct qpu_store *store)
{
        emu_order_instruction();
        for (unsigned lane = 0; lane < QPU_LANES; lane++) {
                if (!store->lanes[lane])
                        continue;
                void *to = destination(store->address[lane], store->bytes, store->count, "a store");
                if (emu_order())
                        record(store, lane, to);
                if (store->bytes == 1)
                        *(uint8_t *)to = store->data[0][lane];
                else if (store->bytes == 2)
                        *(uint16_t *)to = store->data[0][lane];
                else
                        for (unsigned i = 0; i < store->count; i++)
                                __atomic_store_n((uint32_t *)to + i, store->data[i][lane], __ATOMIC_RELAXED);
        }
}

void
qpu_finish_stores(struct qpu_thread *thread)
{
        for (unsigned i = 0; i < thread->store_count; i++)
                make(&thread->stores[i]);
        thread->store_count = 0;
}

static void
store(struct qpu_thread *thread, qpu_lanes address, qpu_masks lanes, enum type type)
{
        struct qpu_store *store = &thread->stores[thread->store_count++];

        *store = (struct qpu_store){ .address = address, .lanes = lanes, .count = components(type), .bytes = bytes(type) };
        if (thread->data_count != store->count)
                emu_stop("a store of %u words has %u", store->count, thread->data_count);
        for (unsigned i = 0; i < store->count; i++)
                store->data[i] = thread->data[i];
        thread->data_count = 0;
        if (!thread->shuffled || thread->store_count == QPU_STORES)
                qpu_finish_stores(thread);
}

static uint32_t
changed(enum operation operation, uint32_t old, uint32_t data)
{
        switch (operation) {
        case ADD: return old + data;
        case SUB: return old - data;
        case XCHG: return data;
        case UMIN: return old < data ? old : data;
        case UMAX: return old > data ? old : data;
        case SMIN: return (int32_t)old < (int32_t)data ? old : data;
        case SMAX: return (int32_t)old > (int32_t)data ? old : data;
        case AND: return old & data;
        case OR: return old | data;
        case XOR: return old ^ data;
        default: emu_stop("atomic operation %d of the memory unit is not known", operation);
        }
}

static void
change(struct qpu_thread *thread, qpu_lanes address, qpu_masks lanes, enum operation operation)
{
        qpu_lanes data = thread->data_count ? thread->data[0] : (qpu_lanes){ 0 }, olds = { 0 };

        if (thread->data_count > 1)
                emu_stop("an atomic operation with %u words is not known", thread->data_count);
        if (!thread->data_count) {
                if (operation != AND && operation != OR)
                        emu_stop("cache operation %d of the memory unit is not known", operation);
                data = data + (operation == AND ? 1 : -1);
                operation = ADD;
        }
        for (unsigned lane = 0; lane < QPU_LANES; lane++) {
                if (!lanes[lane])
                        continue;
                uint32_t *at = destination(address[lane], 4, 1, "an atomic operation");
                uint32_t old = __atomic_load_n(at, __ATOMIC_RELAXED);
                if (emu_order())
                        emu_order_store(address[lane], at, changed(operation, old, data[lane]), true);
                while (!__atomic_compare_exchange_n(at, &old, changed(operation, old, data[lane]), false,
                                                    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
                        ;
                olds[lane] = old;
        }
        thread->data_count = 0;
        if (emu_order())
                emu_order_atomic(&olds);
        deliver(thread, olds);
}

/* ---- What accesses cost ------------------------------------------------- */

/* For each line of the address space, the number of the last dispatch that touched it. */
static uint16_t *touched_by;
static uint16_t dispatch_number;

void
qpu_count_lines_anew(void)
{
        const size_t size = ((size_t)1 << 32) / EMU_LINE * sizeof(*touched_by);

        if (++dispatch_number && touched_by)
                return;
        if (touched_by)
                munmap(touched_by, size);
        touched_by = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (touched_by == MAP_FAILED)
                emu_stop("no memory to count cache lines");
        dispatch_number = 1;
}

static void
count_lines(struct qpu_counts *counts, qpu_lanes address, qpu_masks lanes)
{
        uint32_t lines[QPU_LANES], count = 0;

        for (unsigned lane = 0; lane < QPU_LANES; lane++) {
                const uint32_t line = address[lane] / EMU_LINE;
                unsigned before = count;
                if (!lanes[lane])
                        continue;
                while (before && lines[before - 1] != line) /* mostly the last one */
                        before--;
                if (before)
                        continue;
                lines[count++] = line;
                counts->distinct += __atomic_exchange_n(&touched_by[line], dispatch_number, __ATOMIC_RELAXED) !=
                                    dispatch_number;
        }
        counts->lines += count;
}

static void
count(struct qpu_thread *thread, qpu_lanes address, qpu_masks lanes, enum operation operation)
{
        struct qpu_counts *counts = &thread->counts;

        *(operation != REGULAR ? &counts->atomics : thread->data_count ? &counts->stores : &counts->loads) += 1;
        count_lines(counts, address, lanes);
        if (operation != REGULAR || !thread->data_count)
                thread->has_loaded = true;
}

void
qpu_access(struct qpu_thread *thread, qpu_lanes address, qpu_masks lanes, uint32_t config)
{
        const enum operation operation = config >> 3 & 15;
        const enum type type = config & 7;

        lanes &= thread->active;
        if (thread->counted)
                count(thread, address, lanes, operation);
        if (operation != REGULAR || !thread->data_count) /* a thread sees its own stores */
                qpu_finish_stores(thread);
        if (operation != REGULAR)
                change(thread, address, lanes, operation);
        else if (thread->data_count)
                store(thread, address, lanes, type);
        else
                load(thread, address, lanes, type);
}
