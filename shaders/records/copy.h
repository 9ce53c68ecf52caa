// SPDX-License-Identifier: BSD-2-Clause
// Push constants of the copies into the device's own memory and back, compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_COPY_H
#define V3DOFF_RECORDS_COPY_H

#include "records/record.h"

RECORDS_BEGIN(v3doff)

const uint COPY_LANES = 256;        // invocations of a workgroup
const uint COPY_GROUP_WORDS = 1024; // of a workgroup
const uint COPY_PLANES = 3;
const uint COPY_LINE_WORDS = 16; // the size of a cache line, which the bus moves at once

// Each plane's rows are a range of the samples, at the same place in both buffers, counted in
// parts. On the way in a part is 4 words, and the first and last parts include words beside the
// range. On the way out a part is a word, and the first one begins a cache line. Workgroups are in
// the order of the planes; those from arena_group on copy the arena.
struct CopyPush {
    uint at[COPY_PLANES], parts[COPY_PLANES];
    uint group[COPY_PLANES];  // the plane's first workgroup
    uint kept[COPY_PLANES];   // in: where it lies in the backup
    uint beside[COPY_PLANES]; // out: parts before the range, which are not written
    uint keep;                // in: 0: there is no backup
    uint arena_group, arena_parts;
};

RECORD_LAYOUT(sizeof(CopyPush) == 18 * 4)
RECORDS_END

#endif
