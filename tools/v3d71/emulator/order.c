/* SPDX-License-Identifier: BSD-2-Clause
 *
 * V3D_EMU_ORDER=1: whether an order that nothing guarantees makes a difference. Jobs that do not wait for each other are
 * executed twice from the same memory: first as they come, then jobs, workgroups, and batches between two barriers in
 * the opposite order. Memory must be the same. A load whose value nobody uses makes no difference, so it is no mistake.
 * Atomic operations return in the second run what they returned in the first. Two stores of different values into one
 * word are a mistake at once. Buffers that the program never maps are shared memory of workgroups: what is left in them
 * makes no difference. All of this happens on one core.
 */
#include "emulator.h"
#include "qpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The batch of a supergroup that stores, and how many of its barriers came before. */
struct unit {
        uint32_t job, super, batch, step;
};

struct word {
        uint32_t address, before, after; /* after: the first run */
        struct unit writer;              /* the last one of this run */
        uint32_t instruction;            /* of the writer */
        bool atomic, by_list;
        bool in_first;
        struct unit first_writer;        /* in the first run: the last one */
};

/* What an atomic operation returned in the first run. */
struct answer {
        qpu_lanes olds;
        uint32_t next; /* of the same batch, +1 */
};

static struct {
        struct emu_job *const *jobs;
        struct word *words;
        uint32_t *places; /* of each word of memory: in words, if it is there */
        uint32_t count, room;
        struct unit now;
        uint32_t instruction;
        bool backward, watching;
        const struct word *differs; /* its writer is watched */
        uint32_t in_opposite_order; /* its value */
        struct answer *answers;
        uint32_t answer_count, answer_room;
        uint32_t *answers_of[EMU_WINDOW]; /* the first answer of each batch, +1 */
        uint32_t *last_answers_of[EMU_WINDOW];
        uint32_t batches[EMU_WINDOW];
} run;

bool
emu_backward(void)
{
        return run.backward;
}

/* ---- What is wrong -------------------------------------------------------------- */

static const char *
name(char *to, size_t size, const struct unit *unit, bool by_list)
{
        const struct emu_job *job = run.jobs[unit->job];

        if (by_list)
                snprintf(to, size, "the copy or fill of job %llu", (unsigned long long)job->number);
        else
                snprintf(to, size, "workgroup %u (batch %u, barrier %u) of job %llu (%ux%ux%u)",
                         unit->super * emu_groups_a_super(job->cfg), unit->batch, unit->step,
                         (unsigned long long)job->number, job->cfg[0] >> 16, job->cfg[1] >> 16, job->cfg[2] >> 16);
        return to;
}

/* Whether no barrier and no job that waits is between them. */
static bool
unordered(const struct unit *a, const struct unit *b)
{
        if (a->job != b->job) {
                const struct unit *first = a->job < b->job ? a : b, *second = first == a ? b : a;
                return !emu_order_waits(run.jobs[second->job], run.jobs[first->job]);
        }
        return a->super != b->super || (a->batch != b->batch && a->step == b->step);
}

static struct word *
find(uint32_t address)
{
        const uint32_t place = run.places[address / 4];

        return place < run.count && run.words[place].address == address ? &run.words[place] : NULL;
}

void
emu_order_load(uint32_t address)
{
        const struct unit *now = &run.now;
        char reader[160], writer[160];

        if (!run.differs || now->job != run.differs->first_writer.job || now->super != run.differs->first_writer.super)
                return;
        const struct word *word = find(address & -4u);
        if (!word || word->before == word->after || !unordered(now, &word->first_writer))
                return;
        if (!emu_is_mapped(address) && now->super != word->first_writer.super)
                return;
        emu_stop("order: %s stores 0x%08x into the word at 0x%08x or, in the opposite order, 0x%08x: it loads the word at "
                 "0x%08x, which %s stores, and neither waits for the other", name(reader, sizeof(reader), now, false),
                 run.differs->after, run.differs->address, run.in_opposite_order, address,
                 name(writer, sizeof(writer), &word->first_writer, word->by_list));
}

/* ---- The record of a run ---------------------------------------------------------- */

static struct word *
add(uint32_t address, uint32_t before)
{
        if (run.count == run.room) {
                run.room = run.room ? 2 * run.room : 1 << 16;
                run.words = realloc(run.words, run.room * sizeof(*run.words));
                if (!run.words)
                        emu_stop("no memory for what a job stores");
        }
        run.places[address / 4] = run.count;
        run.words[run.count] = (struct word){ .address = address, .before = before, .after = before, .first_writer = run.now };
        return &run.words[run.count++];
}

static void
store(uint32_t address, const uint32_t *at, uint32_t value, bool atomic, bool by_list)
{
        char one[160], other[160];

        if (run.watching)
                return;
        struct word *word = find(address);
        if (!word) {
                word = add(address, *at);
        } else if (word->in_first != run.backward && !atomic && !word->atomic && *at != value) {
                const struct unit *writer = &word->writer;
                const bool same_group = writer->job == run.now.job && writer->super == run.now.super;
                if ((same_group || emu_is_mapped(address)) &&
                    (unordered(&run.now, writer) || (same_group && writer->batch == run.now.batch && !by_list &&
                                                     word->instruction == run.instruction)))
                        emu_stop("order: 0x%08x and 0x%08x are stored into the word at 0x%08x by %s and by %s: neither waits "
                                 "for the other", *at, value, address, name(one, sizeof(one), writer, word->by_list),
                                 name(other, sizeof(other), &run.now, by_list));
        }
        word->in_first = !run.backward;
        word->writer = run.now;
        word->instruction = run.instruction;
        word->atomic = atomic;
        word->by_list = by_list;
}

void
emu_order_store(uint32_t address, const uint32_t *at, uint32_t value, bool atomic)
{
        store(address, at, value, atomic, false);
}

void
emu_order_list_stores(uint32_t address, const void *at, const void *values, uint32_t size)
{
        /* From the word of the first byte on; of a word that is not whole the old value does. */
        for (int64_t i = -(int64_t)(address % 4); emu_order() && i < size; i += 4) {
                const uint32_t *word = (const uint32_t *)((const uint8_t *)at + i);
                uint32_t value = *word;
                if (i >= 0 && i + 4 <= size)
                        memcpy(&value, (const uint8_t *)values + i, 4);
                store(address + i, word, value, false, true);
        }
}

void
emu_order_batch(uint32_t super, uint32_t batch, uint32_t step)
{
        run.now = (struct unit){ run.now.job, super, batch, step };
}

void
emu_order_instruction(void)
{
        run.instruction++;
}

void
emu_order_dispatch(uint32_t supers, uint32_t batches)
{
        const uint32_t job = run.now.job;

        run.batches[job] = batches;
        if (!run.backward) {
                run.answers_of[job] = calloc((uint64_t)supers * batches, sizeof(uint32_t));
                run.last_answers_of[job] = calloc((uint64_t)supers * batches, sizeof(uint32_t));
        }
}

/* The answers of one batch are a list in the order of its operations. */
void
emu_order_atomic(qpu_lanes *olds)
{
        const uint32_t job = run.now.job, batch = run.now.super * run.batches[job] + run.now.batch;
        uint32_t *first = &run.answers_of[job][batch], *last = &run.last_answers_of[job][batch];

        if (run.backward) {
                if (*first) {
                        *olds = run.answers[*first - 1].olds;
                        *first = run.answers[*first - 1].next;
                }
                return;
        }
        if (run.answer_count == run.answer_room) {
                const uint32_t room = run.answer_room ? 2 * run.answer_room : 1024;
                struct answer *more = aligned_alloc(64, room * sizeof(*more));
                if (run.answer_count)
                        memcpy(more, run.answers, run.answer_count * sizeof(*more));
                free(run.answers);
                run.answers = more;
                run.answer_room = room;
        }
        run.answers[run.answer_count++] = (struct answer){ *olds, 0 };
        *(*last ? &run.answers[*last - 1].next : first) = run.answer_count;
        *last = run.answer_count;
}

/* ---- Both runs --------------------------------------------------------------------- */

static uint32_t *
memory_of(const struct word *word)
{
        return (uint32_t *)emu_read(word->address, 4, "a stored word");
}

static void
restore(void)
{
        for (uint32_t i = run.count; i-- > 0;)
                *memory_of(&run.words[i]) = run.words[i].before;
}

static void
run_jobs(const uint8_t *order, uint32_t count, void (*execute)(struct emu_job *))
{
        for (uint32_t i = 0; i < count; i++) {
                run.now = (struct unit){ .job = order[i] };
                execute(run.jobs[order[i]]);
        }
}

/* From the end: the first job that no later one waits for. So what does not wait is executed as late as it may be. */
static void
opposite(uint8_t *order, uint32_t count)
{
        bool used[EMU_WINDOW] = { false };

        for (uint32_t place = count; place-- > 0;) {
                uint32_t job = 0;
                for (;; job++) {
                        bool last = !used[job];
                        for (uint32_t later = job + 1; later < count && last; later++)
                                last = used[later] || !emu_order_waits(run.jobs[later], run.jobs[job]);
                        if (last)
                                break;
                }
                used[order[place] = job] = true;
        }
}

static _Noreturn void
explain(const struct word *word, uint32_t now, const uint8_t *order, uint32_t count, void (*execute)(struct emu_job *))
{
        char first[160], second[160];
        const struct unit *one = &word->first_writer, *other = &word->writer;

        if (one->job == other->job && one->super == other->super && !word->by_list) {
                run.differs = word;
                run.in_opposite_order = now;
                run.backward = false;
                run.watching = true;
                restore();
                run_jobs(order, count, execute);
        }
        emu_stop("order: %s stores 0x%08x into the word at 0x%08x or, in the opposite order, %s stores 0x%08x",
                 name(first, sizeof(first), one, word->by_list), word->after, word->address,
                 name(second, sizeof(second), other, word->by_list), now);
}

void
emu_order_execute(struct emu_job *const *jobs, uint32_t count, void (*execute)(struct emu_job *))
{
        uint8_t order[EMU_WINDOW], backward[EMU_WINDOW];

        if (count == 1 && jobs[0]->kind != EMU_COMPUTE) {
                run.watching = true;
                execute(jobs[0]);
                run.watching = false;
                return;
        }
        if (!run.places) {
                run.places = mmap(NULL, 1ull << 32, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
                if (run.places == MAP_FAILED)
                        emu_stop("no address space for the record of what is stored");
        }
        run.jobs = jobs;
        run.count = run.answer_count = 0;
        for (uint32_t i = 0; i < count; i++)
                order[i] = i;
        opposite(backward, count);
        run_jobs(order, count, execute);
        for (uint32_t i = 0; i < run.count; i++) {
                run.words[i].after = *memory_of(&run.words[i]);
                run.words[i].first_writer = run.words[i].writer;
        }
        restore();
        run.backward = true;
        run_jobs(backward, count, execute);
        run.backward = false;
        for (uint32_t i = 0; i < run.count; i++)
                if (*memory_of(&run.words[i]) != run.words[i].after && emu_is_mapped(run.words[i].address))
                        explain(&run.words[i], *memory_of(&run.words[i]), order, count, execute);
        for (uint32_t i = 0; i < count; i++) {
                free(run.answers_of[i]);
                free(run.last_answers_of[i]);
                run.answers_of[i] = run.last_answers_of[i] = NULL;
        }
}
