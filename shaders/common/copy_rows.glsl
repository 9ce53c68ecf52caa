// SPDX-License-Identifier: BSD-2-Clause
// What a workgroup copies of a plane. COPY_PART_WORDS are the words of a part; of what is left from
// the workgroup's begin on an invocation has every COPY_LANES-th part, so that neighbours read what
// lies side by side.
#include "records/copy.h"

layout(local_size_x = COPY_LANES) in;

layout(std430, push_constant) uniform Push { CopyPush push; };

const uint GROUP_PARTS = COPY_GROUP_WORDS / COPY_PART_WORDS;

struct Share {
    uint at;     // first part of this invocation
    uint left;   // parts from there to the end of the range
    uint kept;   // where the first one goes in the backup
    uint beside; // so many parts from there on are not in the range
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
