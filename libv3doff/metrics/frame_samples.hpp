// SPDX-License-Identifier: BSD-2-Clause
// The samples of one pair of pictures: in memory that the device reads, or in plain memory.
#pragma once

#include <memory>
#include <vector>

#include "metrics/frame.hpp"
#include "picture/stage.hpp"
#include "vk/buffer.hpp"

namespace v3doff::metrics {

class FrameSamples {
  public:
    // device null: plain memory. stride: words of a row of each plane.
    FrameSamples(vk::Device *device, const Config &config,
                 const std::array<uint32_t, max_planes> &stride);

    // Throws INVALID_ARGUMENT for a sample of more bits than the format has.
    void copy_in(const PictureView &reference, const PictureView &distorted);

    bool has(unsigned p) const { return p < planes_count_; }
    Plane reference(unsigned p) const { return planes_[0][p].plane; }
    Plane distorted(unsigned p) const { return planes_[1][p].plane; }

    // image 0 is the reference, 1 the distorted picture. Shaders read `local` if samples are copied
    // into the device's own memory, otherwise `host`.
    const vk::Buffer &host(unsigned image, unsigned p) const { return *planes_[image][p].host; }
    const vk::Buffer *local(unsigned image, unsigned p) const {
        return planes_[image][p].local.get();
    }
    const vk::Buffer &seen(unsigned image, unsigned p) const {
        return local(image, p) ? *local(image, p) : host(image, p);
    }

  private:
    struct Memory {
        std::unique_ptr<vk::Buffer> host, local;
        std::vector<std::byte> plain;
        std::byte *data = nullptr;
        Plane plane;
    };
    void allocate(vk::Device *device, Memory &memory, size_t bytes);
    void copy_plane(const PlaneView &from, Memory &to, const char *picture, unsigned number);

    unsigned planes_count_;
    Memory planes_[2][max_planes];
};

} // namespace v3doff::metrics
