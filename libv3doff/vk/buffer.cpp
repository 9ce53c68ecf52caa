// SPDX-License-Identifier: BSD-2-Clause
#include "vk/buffer.hpp"

#include <cassert>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/error.hpp"
#include "util/fault.hpp"
#include "util/log.hpp"

namespace v3doff::vk {

std::unique_ptr<Buffer> Buffer::create(Device &device, v3doff_memory_path path, size_t bytes) {
    std::unique_ptr<Buffer> buffer(new Buffer(device));
    switch (path) {
    case V3DOFF_MEMORY_UDMABUF:
    case V3DOFF_MEMORY_DMA_HEAP:
        if (!device.facts().dma_buf)
            throw Error(V3DOFF_ERROR_UNSUPPORTED, "the driver does not import dma-bufs");
        buffer->pages_ = HostPages::dma_buf(path, bytes);
        buffer->create_buffer(buffer->pages_.size(),
                              VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT);
        buffer->import_dma_buf();
        break;
    case V3DOFF_MEMORY_HOST_IMPORT: {
        size_t alignment = size_t(device.facts().host_import_alignment);
        if (!alignment)
            throw Error(V3DOFF_ERROR_UNSUPPORTED, "the driver does not import host pages");
        buffer->pages_ = HostPages::anonymous(bytes, alignment);
        buffer->create_buffer(buffer->pages_.size(),
                              VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT);
        buffer->import_pages(buffer->pages_.data());
        break;
    }
    case V3DOFF_MEMORY_HOST_CACHED:
        buffer->create_buffer(bytes, 0);
        buffer->allocate_mapped(VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
                                VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
        break;
    case V3DOFF_MEMORY_STAGING:
        buffer->create_buffer(bytes, 0);
        buffer->allocate_mapped(0, VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
        break;
    default:
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "not a memory path of a device");
    }
    return buffer;
}

std::unique_ptr<Buffer> Buffer::create_readable(Device &device, size_t bytes) {
    if (device.facts().has_cached_memory()) return create(device, V3DOFF_MEMORY_HOST_CACHED, bytes);
    std::string reasons;
    for (v3doff_memory_path path : device.caps().memory_paths) {
        if (path == V3DOFF_MEMORY_STAGING) break;
        try {
            return create(device, path, bytes);
        } catch (const Error &problem) {
            reasons += std::string(reasons.empty() ? "" : "; ") + memory_path_name(path) + ": " +
                       problem.what();
        }
    }
    if (device.caps().uncached_reads) return create(device, V3DOFF_MEMORY_STAGING, bytes);
    throw Error(V3DOFF_ERROR_UNSUPPORTED,
                "no memory of the device that the CPU reads cached" +
                    (reasons.empty() ? std::string() : " (" + reasons + ")"));
}

std::unique_ptr<Buffer> Buffer::try_shared(Device &device, v3doff_memory_path path, size_t bytes) {
    try {
        // The CPU reads staging copies, so they use any path that has cached memory.
        auto buffer = path == V3DOFF_MEMORY_STAGING ? create_readable(device, bytes)
                                                    : create(device, path, bytes);
        if (!buffer->readable())
            throw Error(V3DOFF_ERROR_UNSUPPORTED, "the CPU would read memory that is not cached");
        return buffer;
    } catch (const Error &problem) {
        const std::string line =
            std::string("memory path ") + memory_path_name(path) + " not taken: " + problem.what();
        if (device.first_time(line)) LOG_INFO("%s", line.c_str());
        return nullptr;
    }
}

const std::byte *Buffer::data_to_read() const {
    assert(readable());
    return data_;
}

std::unique_ptr<Buffer> Buffer::import_host(Device &device, void *data, size_t bytes) {
    std::unique_ptr<Buffer> buffer(new Buffer(device));
    buffer->create_buffer(bytes, VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT);
    buffer->import_pages(data);
    return buffer;
}

std::unique_ptr<Buffer> Buffer::create_private(Device &device, size_t bytes) {
    std::unique_ptr<Buffer> buffer(new Buffer(device));
    buffer->create_buffer(bytes, 0);
    const VkMemoryRequirements requirements = buffer->requirements();
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    info.allocationSize = requirements.size;
    info.memoryTypeIndex =
        device.memory_type(requirements.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    if (info.memoryTypeIndex == UINT32_MAX)
        info.memoryTypeIndex = device.memory_type(requirements.memoryTypeBits, 0);
    buffer->allocate(info, "vkAllocateMemory");
    return buffer;
}

Buffer::~Buffer() {
    if (device_.abandoned()) {
        pages_.leak();
        return;
    }
    const DeviceFunctions &fn = device_.fn();
    fn.vkDestroyBuffer(device_.handle(), buffer_, nullptr);
    fn.vkFreeMemory(device_.handle(), memory_, nullptr); // unmaps too
}

void Buffer::create_buffer(size_t bytes, VkExternalMemoryHandleTypeFlags external) {
    if (bytes > device_.facts().max_allocation)
        throw Error(V3DOFF_ERROR_OUT_OF_MEMORY, "larger than the device's largest allocation");
    size_ = bytes;
    VkExternalMemoryBufferCreateInfo external_info{
        VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
    external_info.handleTypes = external;
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.pNext = external ? &external_info : nullptr;
    info.size = bytes;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    check(device_.fn().vkCreateBuffer(device_.handle(), &info, nullptr, &buffer_),
          "vkCreateBuffer");
}

VkMemoryRequirements Buffer::requirements() const {
    VkMemoryRequirements requirements;
    device_.fn().vkGetBufferMemoryRequirements(device_.handle(), buffer_, &requirements);
    return requirements;
}

void Buffer::allocate(const VkMemoryAllocateInfo &info, const char *what) {
    check(fault::hit(fault::Point::allocate)
              ? VK_ERROR_OUT_OF_DEVICE_MEMORY
              : device_.fn().vkAllocateMemory(device_.handle(), &info, nullptr, &memory_),
          what);
    check(device_.fn().vkBindBufferMemory(device_.handle(), buffer_, memory_, 0),
          "vkBindBufferMemory");
}

void Buffer::import_pages(void *data) {
    VkMemoryHostPointerPropertiesEXT types{VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    constexpr auto kind = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
    check(fault::hit(fault::Point::host_import) ? VK_ERROR_INVALID_EXTERNAL_HANDLE
                                                : device_.fn().vkGetMemoryHostPointerPropertiesEXT(
                                                      device_.handle(), kind, data, &types),
          "vkGetMemoryHostPointerPropertiesEXT");
    VkImportMemoryHostPointerInfoEXT import{VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT};
    import.handleType = kind;
    import.pHostPointer = data;
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    info.pNext = &import;
    info.allocationSize = size_;
    // Only coherent memory: other memory would have to be mapped to be flushed.
    info.memoryTypeIndex = device_.memory_type(types.memoryTypeBits & requirements().memoryTypeBits,
                                               VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                                   VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    if (info.memoryTypeIndex == UINT32_MAX)
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "host pages cannot be imported as coherent memory");
    allocate(info, "import of host pages");
    data_ = static_cast<std::byte *>(data);
}

void Buffer::import_dma_buf() {
    constexpr auto kind = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
    VkMemoryFdPropertiesKHR types{VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR};
    check(device_.fn().vkGetMemoryFdPropertiesKHR(device_.handle(), kind, pages_.dma_buf_fd(),
                                                  &types),
          "vkGetMemoryFdPropertiesKHR");
    VkMemoryDedicatedAllocateInfo dedicated{VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
    dedicated.buffer = buffer_;
    VkImportMemoryFdInfoKHR import{VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR};
    import.pNext = &dedicated;
    import.handleType = kind;
    import.fd = fcntl(pages_.dma_buf_fd(), F_DUPFD_CLOEXEC, 3); // the import owns its descriptor
    if (import.fd < 0) throw Error(V3DOFF_ERROR_OUT_OF_MEMORY, "no file descriptor left");
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    info.pNext = &import;
    const VkMemoryRequirements needed = requirements();
    info.allocationSize = needed.size;
    info.memoryTypeIndex = device_.memory_type(types.memoryTypeBits & needed.memoryTypeBits, 0);
    try {
        if (info.memoryTypeIndex == UINT32_MAX)
            throw Error(V3DOFF_ERROR_UNSUPPORTED, "no memory type takes this dma-buf");
        allocate(info, "import of a dma-buf");
    } catch (...) {
        if (!memory_) close(import.fd); // a failed import leaves it ours
        throw;
    }
    data_ = pages_.data();
}

void Buffer::allocate_mapped(VkMemoryPropertyFlags required, VkMemoryPropertyFlags preferred) {
    required |= VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    const VkMemoryRequirements requirements = this->requirements();
    uint32_t type = device_.memory_type(requirements.memoryTypeBits, required | preferred);
    if (type == UINT32_MAX) type = device_.memory_type(requirements.memoryTypeBits, required);
    if (type == UINT32_MAX)
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "the device has no such memory type");
    VkMemoryPropertyFlags flags = device_.facts().memory.memoryTypes[type].propertyFlags;
    cached_ = flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    coherent_ = flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    info.allocationSize = requirements.size;
    info.memoryTypeIndex = type;
    allocate(info, "vkAllocateMemory");
    void *data = nullptr;
    check(device_.fn().vkMapMemory(device_.handle(), memory_, 0, VK_WHOLE_SIZE, 0, &data),
          "vkMapMemory");
    // Without memory, Mesa 25.0's lavapipe reports success and passes on the result of mmap().
    if (!data || data == MAP_FAILED)
        throw Error(V3DOFF_ERROR_OUT_OF_MEMORY, "vkMapMemory: no memory");
    data_ = static_cast<std::byte *>(data);
    mapped_ = true;
}

VkMappedMemoryRange Buffer::whole() const {
    VkMappedMemoryRange range{VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE};
    range.memory = memory_;
    range.size = VK_WHOLE_SIZE;
    return range;
}

void Buffer::begin_cpu_access() const {
    pages_.begin_cpu_access();
    if (!mapped_ || coherent_) return;
    VkMappedMemoryRange range = whole();
    device_.fn().vkInvalidateMappedMemoryRanges(device_.handle(), 1, &range);
}

void Buffer::end_cpu_access() const {
    pages_.end_cpu_access();
    if (!mapped_ || coherent_) return;
    VkMappedMemoryRange range = whole();
    device_.fn().vkFlushMappedMemoryRanges(device_.handle(), 1, &range);
}

} // namespace v3doff::vk
