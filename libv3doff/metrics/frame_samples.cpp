// SPDX-License-Identifier: BSD-2-Clause
#include "metrics/frame_samples.hpp"

#include <algorithm>

#include "util/error.hpp"
#include "util/log.hpp"
#include "vk/device.hpp"

namespace v3doff::metrics {
namespace {

// By the device's best path. The CPU reads the samples where the GPU fails, so staging memory, the
// last path, has to be of a kind that it reads cached.
std::unique_ptr<vk::Buffer> shared_buffer(vk::Device &device, size_t bytes) {
    for (v3doff_memory_path path : device.caps().memory_paths)
        try {
            return path == V3DOFF_MEMORY_STAGING ? vk::Buffer::create_readable(device, bytes)
                                                 : vk::Buffer::create(device, path, bytes);
        } catch (const Error &problem) {
            const std::string line = std::string("metrics: memory path ") +
                                     vk::memory_path_name(path) + " not taken: " + problem.what();
            if (device.first_time(line)) LOG_INFO("%s", line.c_str());
        }
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

void FrameSamples::copy_plane(const PlaneView &from, Memory &to) {
    const size_t row = size_t(to.plane.width) * (to.plane.depth > 8 ? 2 : 1);
    if (to.host) to.host->begin_cpu_access();
    for (uint32_t y = 0; y < to.plane.height; y++)
        std::memcpy(to.data + ptrdiff_t(y) * to.plane.stride,
                    from.data + ptrdiff_t(y) * from.stride, row);
    if (to.host) to.host->end_cpu_access();
}

void FrameSamples::copy_in(const PictureView &reference, const PictureView &distorted) {
    for (unsigned p = 0; p < planes_count_; p++) {
        copy_plane(reference.plane[p], planes_[0][p]);
        copy_plane(distorted.plane[p], planes_[1][p]);
    }
}

} // namespace v3doff::metrics
