// SPDX-License-Identifier: BSD-2-Clause
#include "vm_watch.hpp"

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fstream>
#include <linux/dma-buf.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace vm {
namespace {

constexpr int most_descriptors = 4096;
std::atomic<bool> begun_on[most_descriptors];
std::atomic<unsigned> begun, ended, wrong, failed;

int count_descriptors() {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        count++;
    if (folder) closedir(folder);
    return count - 3; // ".", "..", and the folder's own
}

int count_dma_bufs() {
    // Its last line is "Total N objects, M bytes".
    std::ifstream info("/sys/kernel/debug/dma_buf/bufinfo");
    int count = -1;
    for (std::string line; std::getline(info, line);)
        std::sscanf(line.c_str(), "Total %d objects", &count);
    return count;
}

int count_mappings() {
    std::ifstream maps("/proc/self/maps");
    int count = 0;
    for (std::string line; std::getline(maps, line);)
        count++;
    return count;
}

long used_memory_kb() {
    std::ifstream info("/proc/meminfo");
    long total = 0, available = 0;
    for (std::string line; std::getline(info, line);) {
        std::sscanf(line.c_str(), "MemTotal: %ld kB", &total);
        std::sscanf(line.c_str(), "MemAvailable: %ld kB", &available);
    }
    return total - available;
}

} // namespace

Left left() {
    return {count_descriptors(), count_dma_bufs(), count_mappings(), used_memory_kb()};
}

std::string Left::text() const {
    char line[160];
    std::snprintf(line, sizeof line, "%d descriptors, %d dma-bufs, %d mappings, %ld kB used",
                  descriptors, dma_bufs, mappings, used_kb);
    return line;
}

Syncs syncs() {
    return {begun, ended, wrong, failed};
}

static void note_sync(int fd, uint64_t flags, int result) {
    if (result != 0 && errno != EINTR && errno != EAGAIN) failed++;
    if (result != 0) return;
    const bool begin = !(flags & DMA_BUF_SYNC_END);
    if (fd >= most_descriptors || begun_on[fd].exchange(begin) == begin) wrong++;
    (begin ? begun : ended)++;
}

static void note_close(int fd) {
    if (fd >= 0 && fd < most_descriptors) begun_on[fd] = false;
}

} // namespace vm

// These take the C library's place for the whole program, the library under test included.
extern "C" int ioctl(int fd, unsigned long request, ...) noexcept {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    const int result = int(syscall(SYS_ioctl, fd, request, argument));
    if (request == DMA_BUF_IOCTL_SYNC)
        vm::note_sync(fd, static_cast<dma_buf_sync *>(argument)->flags, result);
    return result;
}

extern "C" int close(int fd) {
    vm::note_close(fd);
    return int(syscall(SYS_close, fd));
}
