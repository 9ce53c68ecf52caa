// SPDX-License-Identifier: BSD-2-Clause
#include "metrics/frame_samples.hpp"

#include <algorithm>
#include <string>

#include "util/error.hpp"
#include "vk/device.hpp"

namespace v3doff::metrics {
namespace {

// Takes the device's best path. If the GPU fails, the CPU reads the samples, so staging memory, the
// last path, must be cached.
std::unique_ptr<vk::Buffer> shared_buffer(vk::Device &device, size_t bytes) {
    for (v3doff_memory_path path : device.caps().memory_paths)
        if (auto buffer = vk::Buffer::try_shared(device, path, bytes)) return buffer;
    throw Error(V3DOFF_ERROR_OUT_OF_MEMORY, "no memory for a frame's samples");
}

} // namespace

FrameSamples::FrameSamples(vk::Device *device, const Config &config,
                           const std::array<uint32_t, max_planes> &stride)
    : planes_count_(config.planes()) {
    for (auto &image : planes_)
        for (unsigned p = 0; p < planes_count_; p++) {
            const ptrdiff_t row = ptrdiff_t(stride[p]) * 4;
            const uint32_t height = config.format.plane_height(p);
            allocate(device, image[p], size_t(row) * height + 16); // kernels read a little further
            image[p].plane = {image[p].data, row, config.format.plane_width(p), height,
                              config.format.bit_depth};
        }
}

void FrameSamples::allocate(vk::Device *device, Memory &memory, size_t bytes) {
    if (!device) {
        memory.plain.assign(bytes, std::byte(0));
        memory.data = memory.plain.data();
        return;
    }
    memory.host = shared_buffer(*device, bytes);
    if (device->caps().passes_in_local_memory)
        memory.local = vk::Buffer::create_private(*device, bytes);
    memory.data = memory.host->data();
    memory.host->begin_cpu_access();
    std::memset(memory.data, 0, bytes); // the ends of rows stay zero
    memory.host->end_cpu_access();
}

namespace {

// The first row that has a sample with too many bits; the plane's height if there is none.
uint32_t row_beyond_depth(const Plane &plane) {
    if (plane.depth == 8) return plane.height;
    for (uint32_t y = 0; y < plane.height; y++) {
        uint32_t bits = 0;
        for (uint32_t x = 0; x < plane.width; x++)
            bits |= plane.sample(x, y);
        if (bits >> plane.depth) return y;
    }
    return plane.height;
}

// Refuses such samples and does not clamp them: the stated depth is wrong, so no score would mean
// anything. The arithmetic of CPU and GPU relies on it. Checks the copy, which nobody changes.
void require_depth(const Plane &plane, const char *picture, unsigned number) {
    const uint32_t y = row_beyond_depth(plane);
    for (uint32_t x = 0; y < plane.height && x < plane.width; x++)
        if (const uint32_t sample = plane.sample(x, y); sample >> plane.depth)
            throw Error(V3DOFF_ERROR_INVALID_ARGUMENT,
                        std::string(picture) + ": sample " + std::to_string(sample) + " in plane " +
                            std::to_string(number) + " at x=" + std::to_string(x) +
                            " y=" + std::to_string(y) + " has more than " +
                            std::to_string(plane.depth) + " bits");
}

} // namespace

void FrameSamples::copy_plane(const PlaneView &from, Memory &to, const char *picture,
                              unsigned number) {
    const size_t row = size_t(to.plane.width) * (to.plane.depth > 8 ? 2 : 1);
    if (to.host) to.host->begin_cpu_access();
    for (uint32_t y = 0; y < to.plane.height; y++)
        std::memcpy(to.data + ptrdiff_t(y) * to.plane.stride,
                    from.data + ptrdiff_t(y) * from.stride, row);
    if (to.host) to.host->end_cpu_access();
    require_depth(to.plane, picture, number);
}

void FrameSamples::copy_in(const PictureView &reference, const PictureView &distorted) {
    for (unsigned p = 0; p < planes_count_; p++) {
        copy_plane(reference.plane[p], planes_[0][p], "reference", p);
        copy_plane(distorted.plane[p], planes_[1][p], "distorted", p);
    }
}

} // namespace v3doff::metrics
