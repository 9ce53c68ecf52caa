// SPDX-License-Identifier: BSD-2-Clause
// A copy by one thread a workgroup, 256 bytes at a time.
#version 450
layout(local_size_x = 16) in;
layout(std430, set = 0, binding = 0) readonly buffer From { uint from[]; };
layout(std430, set = 0, binding = 1) writeonly buffer To { uint to[]; };

const uint rounds = 4096, bytes_a_thread = 65536;

void main() {
    uint at = gl_WorkGroupID.x * (bytes_a_thread / 4) + gl_LocalInvocationIndex;
    for (uint i = 0; i < rounds; i++) {
        uint a = from[at], b = from[at + 16], c = from[at + 32], d = from[at + 48];
        to[at] = a;
        to[at + 16] = b;
        to[at + 32] = c;
        to[at + 48] = d;
        at = i % (bytes_a_thread / 256) == 0 ? gl_WorkGroupID.x * (bytes_a_thread / 4) + gl_LocalInvocationIndex : at + 64;
    }
}
