// SPDX-License-Identifier: BSD-2-Clause
// Cached pages of our own that a driver can import: anonymous memory by address, or a dma-buf made
// of a memfd (udmabuf) or of the kernel's system heap (dma-heap).
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "v3doff/v3doff.h"

namespace v3doff::vk {

class HostPages {
  public:
    // bytes is rounded up to whole pages. Throws OUT_OF_MEMORY, or UNSUPPORTED with the reason
    // (device node absent, permission denied, size limit, half of the descriptors in use).
    static HostPages anonymous(size_t bytes, size_t alignment);
    static HostPages dma_buf(v3doff_memory_path path, size_t bytes);

    HostPages() = default;
    HostPages(HostPages &&other) noexcept { *this = std::move(other); }
    HostPages &operator=(HostPages &&other) noexcept;
    ~HostPages();

    std::byte *data() const { return data_; }
    size_t size() const { return size_; }
    int dma_buf_fd() const { return fd_; } // -1: not a dma-buf

    // The kernel's cache maintenance round CPU access to a dma-buf; no effect on anonymous pages.
    void begin_cpu_access() const;
    void end_cpu_access() const;

    // Whether this can be done for a part, while CPU and GPU work on other parts. False: the kernel
    // can only maintain the whole, and would drop what the CPU writes meanwhile.
    bool splits() const;
    void begin_cpu_access(size_t offset, size_t bytes) const;
    void end_cpu_access(size_t offset, size_t bytes) const;

    // Never frees the pages: the GPU may still write to them.
    void leak();

  private:
    void sync(uint64_t flags) const;
    std::byte *data_ = nullptr;
    size_t size_ = 0;
    int fd_ = -1;
};

} // namespace v3doff::vk
