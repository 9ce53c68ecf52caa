// SPDX-License-Identifier: BSD-2-Clause
// The cells of client.
#pragma once

#include "program.h"

void one_in_one_out(void);
void ready_in_mid_stream(void);
void receive_first(void);
void no_drain(void);
void drain_and_reuse(void);
void flush_in_mid_stream(void);
void seek_about(void);

void writer(void);
void filter_in_place(void);
void keep_frames(void);

void buffers(void);
void get_format(void);
void skip_loop_filter(void);
void skip_frame(void);
void skip_idct(void);
void opaque_copied(void);
void export_side_data(void);
void output_corrupt(void);
void aspect_ratio(void);
void empty_packets(void);
void one_thread(void);
void short_decodes(void);
void many_at_once(void);
void size_change(void);

void refused_submits(void);

void getenv_calls(void);
void setenv_storm(void);
