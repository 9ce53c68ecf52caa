// SPDX-License-Identifier: BSD-2-Clause
#include "vk/host_pages.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/descriptors.hpp"
#include "util/error.hpp"
#include "util/log.hpp"

namespace v3doff::vk {
namespace {

class Fd {
  public:
    explicit Fd(int fd) : fd_(fd) {}
    ~Fd() {
        if (fd_ >= 0) close(fd_);
    }
    Fd(const Fd &) = delete;
    Fd &operator=(const Fd &) = delete;
    int get() const { return fd_; }
    int release() { return std::exchange(fd_, -1); }

  private:
    int fd_;
};

[[noreturn]] void refuse(const char *what) {
    throw Error(V3DOFF_ERROR_UNSUPPORTED, std::string(what) + ": " + std::strerror(errno));
}

// The memory of a buffer may be larger than the buffer, and v3dv imports a dma-buf only if it is larger still:
// units of the GPU read ahead (Mesa 25.0: 320 bytes in all, rounded up to a page of 4096).
constexpr size_t read_ahead = 4096;

size_t whole_pages(size_t bytes, size_t page) {
    return (bytes + page - 1) / page * page;
}

int open_udmabuf(size_t bytes) {
    Fd device(open("/dev/udmabuf", O_RDWR | O_CLOEXEC));
    if (device.get() < 0) refuse("/dev/udmabuf");
    Fd memory(memfd_create("v3doff picture", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (memory.get() < 0) refuse("memfd_create");
    if (ftruncate(memory.get(), off_t(bytes)) != 0) refuse("ftruncate");
    // udmabuf demands that the file cannot shrink under the GPU.
    if (fcntl(memory.get(), F_ADD_SEALS, F_SEAL_SHRINK) != 0) refuse("F_SEAL_SHRINK");
    udmabuf_create create{};
    create.memfd = uint32_t(memory.get());
    create.flags = UDMABUF_FLAGS_CLOEXEC;
    create.size = bytes;
    int fd = ioctl(device.get(), UDMABUF_CREATE, &create);
    if (fd < 0) refuse("UDMABUF_CREATE");
    return fd;
}

int open_dma_heap(size_t bytes) {
    Fd heap(open("/dev/dma_heap/system", O_RDONLY | O_CLOEXEC));
    if (heap.get() < 0) refuse("/dev/dma_heap/system");
    dma_heap_allocation_data data{};
    data.len = bytes;
    data.fd_flags = O_RDWR | O_CLOEXEC;
    if (ioctl(heap.get(), DMA_HEAP_IOCTL_ALLOC, &data) != 0) refuse("DMA_HEAP_IOCTL_ALLOC");
    return int(data.fd);
}

} // namespace

HostPages HostPages::anonymous(size_t bytes, size_t alignment) {
    size_t page = size_t(sysconf(_SC_PAGESIZE));
    alignment = alignment < page ? page : alignment;
    HostPages pages;
    pages.size_ = whole_pages(bytes, alignment);
    // More than needed, so that an address with a larger alignment than a page's can be chosen.
    size_t mapped = pages.size_ + alignment - page;
    // Private: amdgpu imports only anonymous memory (AMDGPU_GEM_USERPTR_ANONONLY in libdrm), which
    // shared pages are not for the kernel. When a process forks, the kernel gives pinned pages to
    // the parent and copies to the child (since Linux 5.9), and drivers that do not pin, such as
    // amdgpu and i915, follow the parent's pages by their notifiers.
    void *data = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) throw Error(V3DOFF_ERROR_OUT_OF_MEMORY, "mmap: no memory");
    auto *start = static_cast<std::byte *>(data);
    size_t skip = (alignment - reinterpret_cast<uintptr_t>(start) % alignment) % alignment;
    if (skip) munmap(start, skip);
    if (size_t tail = mapped - skip - pages.size_) munmap(start + skip + pages.size_, tail);
    pages.data_ = start + skip;
    return pages;
}

HostPages HostPages::dma_buf(v3doff_memory_path path, size_t bytes) {
    HostPages pages;
    const size_t page = size_t(sysconf(_SC_PAGESIZE));
    pages.size_ = whole_pages(bytes, page);
    const size_t with_more = pages.size_ + whole_pages(read_ahead, page);
    pages.fd_ =
        path == V3DOFF_MEMORY_UDMABUF ? open_udmabuf(with_more) : open_dma_heap(with_more);
    if (descriptors::is_high(pages.fd_))
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "half of the descriptors are in use (ulimit -n)");
    void *data = mmap(nullptr, pages.size_, PROT_READ | PROT_WRITE, MAP_SHARED, pages.fd_, 0);
    if (data == MAP_FAILED) refuse("mmap of a dma-buf");
    pages.data_ = static_cast<std::byte *>(data);
    return pages;
}

HostPages &HostPages::operator=(HostPages &&other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(fd_, other.fd_);
    return *this;
}

HostPages::~HostPages() {
    if (data_) munmap(data_, size_);
    if (fd_ >= 0) close(fd_);
}

void HostPages::leak() {
    data_ = nullptr;
    fd_ = -1;
}

void HostPages::sync(uint64_t flags) const {
    if (fd_ < 0) return;
    dma_buf_sync request{};
    request.flags = flags | DMA_BUF_SYNC_RW;
    while (ioctl(fd_, DMA_BUF_IOCTL_SYNC, &request) != 0) {
        if (errno == EINTR || errno == EAGAIN) continue;
        LOG_WARNING_ONCE("DMA_BUF_IOCTL_SYNC: %s", std::strerror(errno));
        return;
    }
}

void HostPages::begin_cpu_access() const {
    sync(DMA_BUF_SYNC_START);
}
void HostPages::end_cpu_access() const {
    sync(DMA_BUF_SYNC_END);
}

bool HostPages::splits() const {
#if defined(__aarch64__) || defined(__x86_64__) || defined(__i386__)
    return true; // arm64 maintains cache lines; x86 has nothing to do
#else
    return fd_ < 0;
#endif
}

#if defined(__aarch64__)
namespace {

// On arm64 the kernel maintains the cache of a dma-buf by address, to the point of coherency. Linux
// lets programs do the same line by line (SCTLR_EL1.UCI).
template <typename Maintain>
void each_cache_line(const std::byte *from, size_t bytes, Maintain maintain) {
    uint64_t type;
    asm("mrs %0, ctr_el0" : "=r"(type));
    const uintptr_t line = uintptr_t(4) << (type >> 16 & 15);
    const auto start = reinterpret_cast<uintptr_t>(from);
    for (uintptr_t at = start & ~(line - 1); at < start + bytes; at += line)
        maintain(at);
    asm volatile("dsb sy" ::: "memory");
}

} // namespace
#endif

// The lines have been clean since end_cpu_access(), so dropping them writes nothing back.
void HostPages::begin_cpu_access([[maybe_unused]] size_t offset,
                                 [[maybe_unused]] size_t bytes) const {
#if defined(__aarch64__)
    if (fd_ < 0) return;
    each_cache_line(data_ + offset, bytes, [](uintptr_t at) {
        asm volatile("dc civac, %0" ::"r"(at) : "memory");
    });
#endif
}

void HostPages::end_cpu_access([[maybe_unused]] size_t offset,
                               [[maybe_unused]] size_t bytes) const {
#if defined(__aarch64__)
    if (fd_ < 0) return;
    each_cache_line(data_ + offset, bytes, [](uintptr_t at) {
        asm volatile("dc cvac, %0" ::"r"(at) : "memory");
    });
#endif
}

} // namespace v3doff::vk
