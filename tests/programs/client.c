// SPDX-License-Identifier: BSD-2-Clause
// client CELL MODE THREADS FILE [ARGUMENT...]: uses libavcodec's API as many programs do, each cell
// in another way. Frames must equal those of -v3doff off. The script run has all cells.
#include "client.h"

static const Cell cells[] = {
    {"one_in_one_out", one_in_one_out},
    {"ready_in_mid_stream", ready_in_mid_stream},
    {"receive_first", receive_first},
    {"no_drain", no_drain},
    {"drain_and_reuse", drain_and_reuse},
    {"flush", flush_in_mid_stream},
    {"seek", seek_about},
    {"writer", writer},
    {"filter", filter_in_place},
    {"keep", keep_frames},
    {"buffers", buffers},
    {"get_format", get_format},
    {"skip_loop_filter", skip_loop_filter},
    {"skip_frame", skip_frame},
    {"skip_idct", skip_idct},
    {"opaque_copied", opaque_copied},
    {"export_side_data", export_side_data},
    {"output_corrupt", output_corrupt},
    {"aspect_ratio", aspect_ratio},
    {"empty_packets", empty_packets},
    {"one_thread", one_thread},
    {"short_decodes", short_decodes},
    {"many_at_once", many_at_once},
    {"size_change", size_change},
    {"refused", refused_submits},
    {"getenv", getenv_calls},
    {"setenv", setenv_storm},
};

int main(int count, char **arguments) {
    return run_cell(count, arguments, cells, sizeof cells / sizeof cells[0]);
}
