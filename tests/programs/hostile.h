// SPDX-License-Identifier: BSD-2-Clause
// The cells of hostile.
#pragma once

#include <sys/types.h>

#include "program.h"

// Waits for a child, which must end by itself with this status within the limit; a signal counts as
// 128 and its number.
void expect_end(pid_t child, int status, double limit, const char *what);

void fork_matrix(void);
void daemon_after_open(void);
void spawn_after_open(void);
void end_in_phase(void);
