/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests that limit memory (RLIMIT_AS). A program that includes it must define EXPECT. */
#ifndef TESTS_ADDRESS_SPACE_H
#define TESTS_ADDRESS_SPACE_H

#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

/* The size of the process's address space in bytes. */
static size_t address_space(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    EXPECT(file && fscanf(file, "%lu", &pages) == 1);
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

#endif
