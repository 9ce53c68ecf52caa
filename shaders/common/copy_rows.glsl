// SPDX-License-Identifier: BSD-2-Clause
// What a workgroup copies of a plane. A part has COPY_PART_WORDS words. From the workgroup's
// beginning on, an invocation copies every COPY_LANES-th part, so that neighbours read adjacent
// parts.
#include "records/copy.h"

layout(local_size_x = COPY_LANES) in;

layout(std430, push_constant) uniform Push { CopyPush push; };

const uint GROUP_PARTS = COPY_GROUP_WORDS / COPY_PART_WORDS;

struct Share {
    uint at;     // first part of this invocation
    uint left;   // parts from there to the end of the range
    uint kept;   // where the first one goes in the backup
    uint beside; // the number of parts from there on that are not in the range
};

Share share_of_rows(uint group) {
    uint at = push.at[0], parts = push.parts[0], kept = push.kept[0], first = 0;
    uint beside = push.beside[0];
    [[unroll]] for (uint p = 1; p < COPY_PLANES; p++) {
        bool here = group >= push.group[p];
        at = here ? push.at[p] : at;
        parts = here ? push.parts[p] : parts;
        kept = here ? push.kept[p] : kept;
        beside = here ? push.beside[p] : beside;
        first = here ? push.group[p] : first;
    }
    uint begin = (group - first) * GROUP_PARTS + gl_LocalInvocationID.x;
    return Share(at + begin, parts - min(parts, begin), kept + begin, beside - min(beside, begin));
}
