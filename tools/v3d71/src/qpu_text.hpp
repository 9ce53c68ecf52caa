// SPDX-License-Identifier: BSD-2-Clause
// Counts from the final QPU assembly: one instruction per line, "add op ; mul op ; signals".
#pragma once

#include <string>

namespace v3doff::v3d71 {

struct QpuCounts {
    int tmu = 0; // accesses: addresses written to the TMU, for buffers, shared memory, scratch
    int tmu_writes = 0; // words of data written to it (stores, atomics)
    int tmu_reads = 0;  // words read back from it
    int thread_switches = 0;
    int uniform_loads = 0;
    int dual = 0;  // both ALUs busy
    int mul32 = 0; // 32-bit multiplications: two instructions each
    int sfu = 0;   // reciprocal, square root, exponential, logarithm, sine, ballot
};

QpuCounts count_qpu(const std::string &assembly);

} // namespace v3doff::v3d71
