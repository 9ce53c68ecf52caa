// SPDX-License-Identifier: BSD-2-Clause
// A plugin of qemu-user (count-work): how many instructions a program executed in each of its files. What the
// C and C++ libraries did counts for the file that called them. Its lines, on standard error when the program
// exits: "instructions NUMBER FILE".
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// From qemu-plugin.h, version 1, which Debian does not package.
#define EXPORTED __attribute__((visibility("default")))
struct qemu_plugin_tb;
typedef uint64_t qemu_plugin_id_t;
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int, void *);
void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, unsigned));
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *), void *);
EXPORTED int qemu_plugin_version = 1;

enum { most_files = 128, most_threads = 1024 };
struct block {
    unsigned instructions, file;
};
static char files[most_files][64] = {"no caller"};
static unsigned file_count = 1;
static int of_runtime[most_files];
static struct {
    unsigned caller; // the file outside of the C and C++ libraries that a thread was last in
    uint64_t counts[most_files];
} threads[most_threads];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned file_named(const char *name) {
    static const char *const runtime[] = {"libc.so", "libc-", "ld-linux", "libm.so", "libpthread", "libstdc++", "libgcc_s"};
    for (unsigned i = 0; i < file_count; i++)
        if (!strncmp(files[i], name, sizeof(files[i]) - 1)) return i;
    if (file_count == most_files) return 0;
    snprintf(files[file_count], sizeof(files[0]), "%.*s", (int)sizeof(files[0]) - 1, name);
    for (size_t i = 0; i < sizeof(runtime) / sizeof(runtime[0]); i++)
        of_runtime[file_count] |= !strncmp(name, runtime[i], strlen(runtime[i]));
    return file_count++;
}

// The program's mappings are qemu's own. Blocks are translated once, so this may be slow.
static unsigned file_at(uintptr_t address) {
    char line[1024];
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned found = 0;
    while (maps && !found && fgets(line, sizeof(line), maps)) {
        unsigned long long first, end;
        char path[512] = "";
        if (sscanf(line, "%llx-%llx %*s %*s %*s %*s %511s", &first, &end, path) < 2) continue;
        if (address < first || address >= end) continue;
        const char *slash = strrchr(path, '/');
        found = file_named(slash ? slash + 1 : *path ? path : "no file");
    }
    if (maps) fclose(maps);
    return found;
}

static void executed(unsigned thread, void *data) {
    const struct block *block = data;
    thread %= most_threads;
    if (!of_runtime[block->file]) threads[thread].caller = block->file;
    threads[thread].counts[threads[thread].caller] += block->instructions;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
    (void)id;
    struct block *block = malloc(sizeof(*block)); // as long as the program runs
    block->instructions = (unsigned)qemu_plugin_tb_n_insns(tb);
    pthread_mutex_lock(&lock);
    block->file = file_at((uintptr_t)qemu_plugin_insn_haddr(qemu_plugin_tb_get_insn(tb, 0)));
    pthread_mutex_unlock(&lock);
    qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, 0, block);
}

static void started(qemu_plugin_id_t id, unsigned thread) {
    (void)id;
    threads[thread % most_threads].caller = 0;
}

static void finished(qemu_plugin_id_t id, void *unused) {
    (void)id, (void)unused;
    for (unsigned file = 0; file < file_count; file++) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < most_threads; i++) sum += threads[i].counts[file];
        if (sum) fprintf(stderr, "instructions %llu %s\n", (unsigned long long)sum, files[file]);
    }
}

EXPORTED int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int count, char **arguments) {
    (void)info, (void)count, (void)arguments;
    qemu_plugin_register_vcpu_init_cb(id, started);
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, finished, NULL);
    return 0;
}
