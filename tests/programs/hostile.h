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

void under_limit(void);
void small_stack(void);
void alarm_storm(void);
void threads_state(void);
void read_only_root(void);
void measured(void);
void cost_without_device(void);
void refused_calls(void);
void no_other_calls(void);
void failing_allocation(void);
