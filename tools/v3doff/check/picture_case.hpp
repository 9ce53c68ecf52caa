// SPDX-License-Identifier: BSD-2-Clause
// A random picture with guard bytes round its planes, and the ways to hand it to an implementation.
#pragma once

#include <functional>

#include "picture/stage.hpp"
#include "suite.hpp"
#include "v3doff/dsp.h"

namespace tool {

struct PictureShape {
    uint32_t width = 0, height = 0, bit_depth = 8;
    v3doff_chroma chroma = V3DOFF_CHROMA_420;

    unsigned planes() const { return chroma == V3DOFF_CHROMA_400 ? 1 : 3; }
    unsigned sample_bytes() const { return bit_depth > 8 ? 2 : 1; }
    uint32_t plane_width(unsigned plane) const;
    uint32_t plane_height(unsigned plane) const;
};

inline uint8_t *sample_at(const v3doff_planes &planes, const PictureShape &shape, unsigned plane,
                          uint32_t x, uint32_t y) {
    return static_cast<uint8_t *>(planes.data[plane]) + ptrdiff_t(y) * planes.stride[plane] +
           x * shape.sample_bytes();
}

PictureShape random_shape(Random &random, uint32_t bit_depth, uint32_t largest);

// One allocation: guard, plane, guard, plane, ... Guards and the ends of rows hold random bytes
// that nobody may change. Planes and strides are aligned to 64 bytes, as FFmpeg's SIMD expects.
class GuardedPicture {
  public:
    GuardedPicture(const PictureShape &shape, Random &random);

    const PictureShape &shape() const { return shape_; }
    uint32_t padded_width(unsigned plane) const { return plane_[plane].width; }
    uint32_t padded_height(unsigned plane) const { return plane_[plane].height; }
    ptrdiff_t stride(unsigned plane) const { return plane_[plane].stride; }
    const uint8_t *readable(unsigned plane) const { return &bytes_[plane_[plane].offset]; }
    v3doff::PlaneView writable(unsigned plane);

    // A copy of the bytes to work on, aligned like the original.
    class Copy {
      public:
        explicit Copy(const GuardedPicture &from);
        const GuardedPicture &original() const { return from_; }
        uint8_t *plane(unsigned plane) { return data_ + from_.plane_[plane].offset; }
        v3doff_planes planes();
        std::vector<uint8_t> bytes() const { return {data_, data_ + from_.bytes_.size()}; }

      private:
        const GuardedPicture &from_;
        std::vector<uint8_t> storage_;
        uint8_t *data_;
    };

    // Restores bytes() of a copy, except the samples of 8x8 luma blocks of the picture.
    void restore_outside_blocks(std::vector<uint8_t> &bytes) const;

    // Describes the position of a byte of bytes().
    std::string describe(size_t byte) const;

  private:
    struct Plane {
        size_t offset;
        ptrdiff_t stride;
        uint32_t width, height; // padded
    };
    PictureShape shape_;
    std::vector<Plane> plane_;
    std::vector<uint8_t> bytes_;
};

// The samples that a block's filters reach, with those outside of width and height replaced by the
// nearest ones: what FFmpeg's decoder does before it calls a function near an edge. Its SIMD may
// read more.
class SampleWindow {
  public:
    static constexpr ptrdiff_t stride = 512; // bytes

    // x and y are the place of a block from which cols and rows are predicted.
    SampleWindow(const GuardedPicture &from, unsigned plane, int64_t x, int64_t y, int cols,
                 int rows, int64_t width, int64_t height);
    const uint8_t *first() const { return first_; } // of the block

  private:
    static constexpr int before = 3, behind = 5, margin = 16, largest = 64 * 2;
    alignas(64) uint8_t data_[(before + largest + behind) * stride];
    const uint8_t *first_;
};

// Runs recorded work through the library. own_memory: in a picture of the library's pool, copied
// in and out; otherwise in the copy's memory itself.
void run_in_library(GuardedPicture::Copy &copy, bool own_memory, v3doff_device *device,
                    v3doff_executor expected, const std::function<void(v3doff_picture *)> &record);

// Makes calls of a DSP table that belong to no picture; returns where they were executed.
v3doff_dsp_counts count_at_once(v3doff_device *device, const std::function<void()> &calls);

// A picture that others are predicted from.
struct GuardedReference {
    GuardedPicture picture;
    bool own_memory;
};

// Submits the references. They use the copies' memory, except those with memory of their own.
std::vector<Picture> open_references(const std::vector<GuardedReference> &references,
                                     v3doff_device *device, v3doff_executor expected,
                                     std::vector<GuardedPicture::Copy> &copies);

// Areas whose blocks the CPU takes back from the device.
class TakenBack {
  public:
    TakenBack() = default;
    TakenBack(const PictureShape &shape, Random &random);
    void require(v3doff_picture *picture) const;

  private:
    struct Area {
        uint32_t lane, plane, x, y, width, height;
    };
    std::vector<Area> areas_;
};

// What one implementation works on, and what it left of the coefficients that it was given.
struct CaseRun {
    GuardedPicture::Copy copy;
    std::vector<uint8_t> coefficients;
};

// What is done to one picture, by FFmpeg's functions or by the library.
class PictureCase : public Case {
  public:
    Result run(Implementation implementation, Bench &bench) const override;
    std::string describe(const std::string &region, size_t byte) const override;

  protected:
    explicit PictureCase(GuardedPicture picture) : picture_(std::move(picture)) {}
    const PictureShape &shape() const { return picture_.shape(); }

    GuardedPicture picture_;

  private:
    virtual void run_ffmpeg(CaseRun &run, bool simd) const = 0;
    virtual void run_library(CaseRun &run, v3doff_device *device,
                             v3doff_executor expected) const = 0;
};

} // namespace tool
