// SPDX-License-Identifier: BSD-2-Clause
// The sum over a workgroup, without subgroup arithmetic, in a fixed order. Every invocation must
// come here; the sum must fit into a word.
shared uint reduce_lanes[METRIC_LANES];

uint reduce(uint value) {
    uint lane = gl_LocalInvocationIndex;
    reduce_lanes[lane] = value;
    barrier();
    [[unroll]] for (uint half_count = METRIC_LANES / 2; half_count > 0; half_count >>= 1) {
        if (lane < half_count) reduce_lanes[lane] += reduce_lanes[lane + half_count];
        barrier();
    }
    uint sum = reduce_lanes[0];
    barrier();
    return sum;
}

uint group_number() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }
