// SPDX-License-Identifier: BSD-2-Clause
// Which memory a picture gets, and how the GPU reaches it.
#include "picture/surface.hpp"

#include <algorithm>
#include <cstring>

#include "util/error.hpp"
#include "util/log.hpp"

namespace v3doff {
namespace {

std::vector<v3doff_memory_path> paths_to_try(const vk::Device &device, v3doff_memory_path first) {
    auto paths = device.caps().memory_paths;
    if (first == V3DOFF_MEMORY_AUTO) return paths;
    std::erase(paths, first);
    paths.insert(paths.begin(), first);
    return paths;
}

// How far the padding of the caller's planes may be used. The caller says how much memory there is,
// but other planes may lie in it.
uintptr_t first_byte(const PlaneView &plane) {
    return reinterpret_cast<uintptr_t>(plane.data);
}

// Where these samples of the plane end.
uintptr_t end_of(const PlaneView &plane, uint32_t width, uint32_t height, size_t sample_bytes) {
    return first_byte(plane) + size_t(plane.stride) * (height - 1) + width * sample_bytes;
}

void limit_width(PlaneView &plane, size_t most) {
    plane.padded_width =
        uint32_t(std::clamp<size_t>(most, plane.width, std::max(plane.width, plane.padded_width)));
}

// The planes share rows of memory. Rows behind them have the same columns.
void keep_beside(PlaneView &plane, const PlaneView &other, size_t sample_bytes) {
    const auto stride = size_t(plane.stride);
    const uintptr_t from = first_byte(plane), others = first_byte(other);
    if (plane.stride != other.stride) {
        plane.padded_width = plane.width;
        plane.padded_height = plane.height;
    } else if (others > from) {
        limit_width(plane, (others - from) % stride / sample_bytes);
    } else {
        limit_width(plane, (stride - (from - others) % stride) / sample_bytes);
    }
}

// The other plane begins behind this plane's last sample.
void keep_above(PlaneView &plane, const PlaneView &other, size_t sample_bytes) {
    const auto stride = size_t(plane.stride);
    const size_t room = first_byte(other) - first_byte(plane);
    limit_width(plane, (room - stride * (plane.height - 1)) / sample_bytes);
    const size_t rows = (room - plane.padded_width * sample_bytes) / stride + 1;
    plane.padded_height = uint32_t(std::min<size_t>(plane.padded_height, rows));
}

void keep_apart(PlaneView &plane, const PlaneView &other, size_t sample_bytes) {
    const auto end = [&](const PlaneView &of) {
        return end_of(of, of.width, of.height, sample_bytes);
    };
    const bool reaches =
        first_byte(other) < end_of(plane, plane.padded_width, plane.padded_height, sample_bytes) &&
        end(other) > first_byte(plane);
    if (!reaches) return;
    if (first_byte(other) < end(plane))
        keep_beside(plane, other, sample_bytes);
    else
        keep_above(plane, other, sample_bytes);
}

// Cuts the padding to whole superblocks, because a copy has no room for more, and to what does not
// reach the visible samples of another plane.
void limit_padding(PictureView &view) {
    const PictureLayout layout = lay_out(view.format);
    for (unsigned p = 0; p < view.format.planes(); p++) {
        PlaneView &plane = view.plane[p];
        plane.padded_width = std::min(plane.padded_width, layout.plane[p].padded_width);
        plane.padded_height = std::min(plane.padded_height, layout.plane[p].padded_height);
        for (unsigned other = 0; other < view.format.planes(); other++)
            if (other != p) keep_apart(plane, view.plane[other], view.format.sample_bytes());
    }
}

} // namespace

void Surface::use_own(const PictureLayout &layout, std::byte *base) {
    for (unsigned p = 0; p < layout.format.planes(); p++) {
        const PlaneLayout &plane = layout.plane[p];
        view_.plane[p] = {base + plane.offset, ptrdiff_t(plane.stride), plane.width,
                          plane.height,        plane.padded_width,      plane.padded_height};
    }
    view_.format = layout.format;
    own_ = {base, layout.bytes};
}

void Surface::fill_with_zeros() {
    std::memset(own_.data(), 0, own_.size());
}

void Surface::map_plane(unsigned p, size_t offset, size_t stride) {
    map_.format = view_.format;
    map_.offset_words[p] = uint32_t(offset / 4);
    map_.stride_words[p] = uint32_t(stride / 4);
    map_.row_bytes[p] = view_.plane[p].padded_width * view_.format.sample_bytes();
}

void Surface::map_planes(const PictureLayout &layout) {
    for (unsigned p = 0; p < layout.format.planes(); p++)
        map_plane(p, layout.plane[p].offset, layout.plane[p].stride);
}

std::unique_ptr<Surface> Surface::create(vk::Device *device, const PictureLayout &layout,
                                         v3doff_memory_path path) {
    std::unique_ptr<Surface> memory(new Surface);
    if (device && path != V3DOFF_MEMORY_CPU) {
        for (v3doff_memory_path candidate : paths_to_try(*device, path)) {
            if (candidate == V3DOFF_MEMORY_STAGING) break; // see below: it needs two copies
            memory->gpu_ = vk::Buffer::try_shared(*device, candidate, layout.bytes);
            if (!memory->gpu_) continue; // the next one may still have memory
            memory->path_ = candidate;
            memory->gpu_->begin_cpu_access(); // the CPU has it first
            memory->use_own(layout, memory->gpu_->data());
            memory->map_planes(layout);
            return memory;
        }
    }
    memory->plain_ = vk::HostPages::anonymous(layout.bytes, 0);
    memory->use_own(layout, memory->plain_.data());
    if (device && path != V3DOFF_MEMORY_CPU) memory->stage_copies(*device, layout);
    return memory;
}

void Surface::use_callers(const PictureView &planes) {
    view_ = planes;
    limit_padding(view_);
}

std::unique_ptr<Surface> Surface::import(vk::Device *device, v3doff_memory_path path,
                                         const PictureView &planes) {
    if (!device || !planes.one_allocation ||
        (path != V3DOFF_MEMORY_AUTO && path != V3DOFF_MEMORY_HOST_IMPORT))
        return nullptr;
    std::unique_ptr<Surface> memory(new Surface);
    memory->use_callers(planes);
    return memory->import_planes(*device) ? std::move(memory) : nullptr;
}

std::unique_ptr<Surface> Surface::stage(vk::Device *device, v3doff_memory_path path,
                                        const PictureView &planes) {
    std::unique_ptr<Surface> memory(new Surface);
    memory->use_callers(planes);
    if (device && path != V3DOFF_MEMORY_CPU) memory->stage_copies(*device, lay_out(planes.format));
    return memory;
}

void Surface::stage_others(const PictureView &planes) {
    use_callers(planes);
    map_planes(lay_out(planes.format));
}

void Surface::stage_copies(vk::Device &device, const PictureLayout &layout) {
    gpu_ = vk::Buffer::try_shared(device, V3DOFF_MEMORY_STAGING, layout.bytes);
    if (!gpu_) return; // no memory available: the CPU path always works
    path_ = V3DOFF_MEMORY_STAGING;
    gpu_->begin_cpu_access();
    map_planes(layout);
}

// Imports whole pages, so the planes must be of one allocation: then the memory between them is the
// caller's too.
bool Surface::import_planes(vk::Device &device) {
    const size_t alignment = size_t(device.facts().host_import_alignment);
    if (!alignment) return false;
    // Shaders use one stride for both chroma planes, as all known decoders do.
    if (view_.format.planes() == 3 && view_.plane[1].stride != view_.plane[2].stride) return false;
    uintptr_t first = UINTPTR_MAX, last = 0;
    size_t used = 0;
    for (unsigned p = 0; p < view_.format.planes(); p++) {
        const PlaneView &plane = view_.plane[p];
        uintptr_t start = reinterpret_cast<uintptr_t>(plane.data);
        size_t bytes = size_t(plane.stride) * (plane.padded_height - 1) +
                       size_t(plane.padded_width) * view_.format.sample_bytes();
        if (start % 4 || plane.stride % 4) return false; // shaders address whole words
        first = std::min(first, start);
        last = std::max(last, start + bytes);
        used += bytes;
    }
    if (last - first > used + used / 2) return false;
    first -= first % alignment;
    last = (last + alignment - 1) / alignment * alignment;
    try {
        gpu_ = vk::Buffer::import_host(device, reinterpret_cast<void *>(first), last - first);
    } catch (const Error &problem) {
        LOG_INFO("the caller's planes are copied, not imported: %s", problem.what());
        return false;
    }
    path_ = V3DOFF_MEMORY_HOST_IMPORT;
    for (unsigned p = 0; p < view_.format.planes(); p++)
        map_plane(p, reinterpret_cast<uintptr_t>(view_.plane[p].data) - first,
                  size_t(view_.plane[p].stride));
    return true;
}

} // namespace v3doff
