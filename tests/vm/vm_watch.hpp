// SPDX-License-Identifier: BSD-2-Clause
// What a process and the kernel hold, and every DMA_BUF_IOCTL_SYNC of this program.
#pragma once

#include <string>

namespace vm {

struct Left {
    int descriptors = 0;
    int dma_bufs = -1; // of the whole machine; -1: the kernel does not tell this user
    int mappings = 0;
    long used_kb = 0; // of the machine's memory
    std::string text() const;
};
Left left();

// wrong: begun twice or ended twice on one descriptor.
struct Syncs {
    unsigned begun = 0, ended = 0, wrong = 0, failed = 0;
};
Syncs syncs();

} // namespace vm
