// SPDX-License-Identifier: BSD-2-Clause
#include "vk/caps.hpp"

#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "util/fault.hpp"
#include "vk/debug_keys.hpp"

namespace v3doff::vk {
namespace {

void require(std::string &missing, bool have, const char *what) {
    if (!have) missing += (missing.empty() ? "" : ", ") + std::string(what);
}

v3doff_device_kind kind_of(VkPhysicalDeviceType type) {
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return V3DOFF_DEVICE_KIND_DISCRETE;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return V3DOFF_DEVICE_KIND_INTEGRATED;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return V3DOFF_DEVICE_KIND_VIRTUAL;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return V3DOFF_DEVICE_KIND_SOFTWARE;
    default:
        return V3DOFF_DEVICE_KIND_OTHER;
    }
}

// An 8-bit 4:2:0 picture of 1920x1088. On V3D 7.1 no pass over it takes longer than 1.3 ms by its
// instructions, or 0.8 ms by its memory accesses (docs/journal/small-machines.md).
constexpr size_t v3d_piece_bytes = 1920 * 1088 * 3 / 2;

size_t piece_bytes_for(v3doff_device_kind kind) {
    if (const auto bytes = debug::number(debug::piece_bytes)) return *bytes;
    return kind == V3DOFF_DEVICE_KIND_INTEGRATED ? v3d_piece_bytes : 0;
}

void order_memory_paths(Caps &caps, const Facts &facts) {
    bool cached = facts.has_cached_memory();
    auto &paths = caps.memory_paths;
    // A driver that has only uncached mappings imports cached pages instead. (v3dv has one
    // write-combined memory type, which the CPU reads about 30 times slower.)
    if (facts.dma_buf && !cached) paths = {V3DOFF_MEMORY_UDMABUF, V3DOFF_MEMORY_DMA_HEAP};
    if (facts.host_import_alignment) paths.push_back(V3DOFF_MEMORY_HOST_IMPORT);
    if (cached) paths.push_back(V3DOFF_MEMORY_HOST_CACHED);
    if (facts.dma_buf && cached) {
        paths.push_back(V3DOFF_MEMORY_UDMABUF);
        paths.push_back(V3DOFF_MEMORY_DMA_HEAP);
    }
    paths.push_back(V3DOFF_MEMORY_STAGING);
    switch (paths.front()) {
    case V3DOFF_MEMORY_UDMABUF:
        caps.memory_reason = "the driver has no cached memory; cached pages are imported";
        break;
    case V3DOFF_MEMORY_HOST_IMPORT:
        caps.memory_reason = "the driver imports host pages";
        break;
    case V3DOFF_MEMORY_HOST_CACHED:
        caps.memory_reason = "the driver has cached memory";
        break;
    default:
        caps.memory_reason = "nothing can be shared: samples are copied";
        break;
    }
}

// The kernel drivers of NVIDIA and of Windows' subsystem for Linux, and Arm's and Qualcomm's own.
constexpr const char *other_nodes[] = {"/dev/nvidiactl", "/dev/dxg", "/dev/mali0", "/dev/kgsl-3d0"};
constexpr const char *render_nodes = "/dev/dri";

// Rights alone do not tell: a container or a sandbox may refuse what they allow. But a driver may
// wake the device when its node is opened.
bool is_there(const std::string &path, Node must) {
    if (must == Node::exists) return access(path.c_str(), F_OK) == 0;
    const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

bool has_render_node(Node must) {
    DIR *folder = opendir(render_nodes);
    if (!folder) return false;
    bool found = false;
    while (const dirent *entry = found ? nullptr : readdir(folder)) {
        const std::string name = entry->d_name;
        found = name.starts_with("renderD") && is_there(render_nodes + ("/" + name), must);
    }
    closedir(folder);
    return found;
}

} // namespace

Caps judge(const Facts &facts) {
    Caps caps;
    caps.kind = kind_of(facts.type);
    // Behind some wrappers llvmpipe reports the type OTHER, but still its own driver id.
    if (facts.driver_id == VK_DRIVER_ID_MESA_LLVMPIPE ||
        facts.driver_id == VK_DRIVER_ID_GOOGLE_SWIFTSHADER)
        caps.kind = V3DOFF_DEVICE_KIND_SOFTWARE;
    caps.software = caps.kind == V3DOFF_DEVICE_KIND_SOFTWARE;
    // lavapipe compiles a shader in the first submit that runs it, and shares the CPU.
    if (caps.software) caps.submit_timeout_ms = 60000;
    if (caps.software && fault::hit(fault::Point::kind)) {
        caps.kind = V3DOFF_DEVICE_KIND_OTHER;
        caps.software = false;
    }

    const VkPhysicalDeviceLimits &limits = facts.limits;
    require(caps.missing, facts.api_version >= VK_API_VERSION_1_2, "Vulkan 1.2");
    require(caps.missing, facts.queue_family.has_value(), "compute queue");
    require(caps.missing, facts.timeline, "timeline semaphore");
    require(caps.missing, limits.maxPerStageDescriptorStorageBuffers >= 4, "storage buffers");
    require(caps.missing,
            limits.maxComputeWorkGroupInvocations >= min_group_size &&
                limits.maxComputeWorkGroupSize[0] >= min_group_size,
            "workgroups of 256");
    require(caps.missing, limits.maxComputeSharedMemorySize >= min_shared_bytes,
            "16 KiB of shared memory");
    require(caps.missing, limits.maxPushConstantsSize >= push_bytes, "128 bytes of push constants");
    order_memory_paths(caps, facts);
    caps.uncached_reads = debug::switched(debug::uncached_reads, false);
    caps.piece_bytes = piece_bytes_for(caps.kind);
    caps.is_discrete = caps.kind == V3DOFF_DEVICE_KIND_DISCRETE;
    caps.passes_in_local_memory = debug::switched(debug::local_memory, caps.is_discrete);
    if (caps.passes_in_local_memory)
        caps.memory_reason += "; passes run on a copy in the device's own memory";
    return caps;
}

bool has_gpu_node(Node must) {
    return has_render_node(must) ||
           std::any_of(std::begin(other_nodes), std::end(other_nodes),
                       [must](const char *node) { return is_there(node, must); });
}

} // namespace v3doff::vk
