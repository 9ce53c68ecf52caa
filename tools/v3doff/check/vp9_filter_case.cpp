// SPDX-License-Identifier: BSD-2-Clause
#include "vp9_filter_case.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>

#include "ffdsp.h"
#include "generators/vp9_filter.hpp"

namespace tool {
namespace {

v3doff::PictureFormat format_of(const PictureShape &shape) {
    return {shape.width, shape.height, shape.bit_depth, shape.chroma};
}

// Whole superblocks, in one allocation: FFmpeg filters 8 lines of every block, and requires one
// stride for both chroma planes.
class FfmpegPicture {
  public:
    FfmpegPicture(const GuardedPicture &picture, GuardedPicture::Copy &copy)
        : picture_(picture), copy_(copy) {
        size_t bytes = 0, offset[3];
        for (unsigned p = 0; p < 3; p++) {
            stride_[p] = (ptrdiff_t(picture.padded_width(p)) * sample_bytes() + 63) / 64 * 64;
            offset[p] = bytes;
            bytes += size_t(stride_[p]) * picture.padded_height(p);
        }
        memory_.reset(static_cast<uint8_t *>(std::aligned_alloc(64, bytes)));
        if (!memory_) throw std::bad_alloc();
        for (unsigned p = 0; p < 3; p++) {
            plane_[p] = memory_.get() + offset[p];
            for (uint32_t y = 0; y < picture.padded_height(p); y++)
                std::memcpy(plane_[p] + y * stride_[p], copy.plane(p) + y * picture.stride(p),
                            size_t(picture.padded_width(p)) * sample_bytes());
        }
    }

    void filter(FfdspVp9Filter *filter, const v3doff::vp9::FilterSuperblock &superblock,
                uint32_t row, uint32_t col) {
        uint8_t bytes[sizeof superblock];
        std::memcpy(bytes, &superblock, sizeof bytes);
        ffdsp_vp9_filter_superblock(filter, plane_, stride_, bytes, int(row), int(col));
    }

    // What the filter may write goes back into the copy.
    void put_back() const {
        for (unsigned p = 0; p < 3; p++) {
            const auto area = v3doff::vp9::filter_area(format_of(picture_.shape()), p);
            for (uint32_t y = 0; y < area.height; y++)
                std::memcpy(copy_.plane(p) + y * picture_.stride(p), plane_[p] + y * stride_[p],
                            size_t(area.width) * sample_bytes());
        }
    }

  private:
    struct Free {
        void operator()(uint8_t *memory) const { std::free(memory); }
    };
    size_t sample_bytes() const { return picture_.shape().sample_bytes(); }

    const GuardedPicture &picture_;
    GuardedPicture::Copy &copy_;
    std::unique_ptr<uint8_t, Free> memory_;
    uint8_t *plane_[3];
    ptrdiff_t stride_[3]; // both of chroma are the same
};

// Sets the requested order in V3DOFF_DEBUG while this exists.
class AskedOrder {
  public:
    explicit AskedOrder(const char *order) {
        if (!order) return;
        if (const char *before = std::getenv(name)) before_ = before;
        setenv(name, (before_ + ",vp9_loopfilter=" + order).c_str(), 1);
        set_ = true;
        read_again();
    }
    ~AskedOrder() {
        if (set_ && before_.empty()) unsetenv(name);
        if (set_ && !before_.empty()) setenv(name, before_.c_str(), 1);
        if (set_) read_again();
    }
    AskedOrder(const AskedOrder &) = delete;

  private:
    // The library reads the environment when a device is opened.
    static void read_again() { open_cpu(); }

    static constexpr const char *name = "V3DOFF_DEBUG";
    std::string before_;
    bool set_ = false;
};

} // namespace

FilterCase::FilterCase(const PictureShape &shape, const char *order, Random &random, bool wild)
    : PictureCase({shape, random}), random_(uint32_t(random())), order_(order),
      own_memory_(below(random, 2)), sharpness_(uint32_t(below(random, 8))) {
    for (unsigned p = 0; p < 3; p++)
        v3doff::check::random_samples(picture_.writable(p), shape.bit_depth, random_);
    if (wild)
        superblocks_ = v3doff::check::wild_superblocks(format_of(shape), random_() % 101, random_);
    else
        superblocks_ = v3doff::check::random_superblocks(
            format_of(shape), v3doff::check::random_mix(random_), random_);
}

void FilterCase::filter(CaseRun &run, const Superblocks &superblocks, v3doff_device *device,
                        v3doff_executor expected) const {
    const AskedOrder asked(order_);
    run_in_library(run.copy, own_memory_, device, expected,
                   [&](v3doff_picture *recorded) { record(recorded, superblocks, expected); });
}

void FilterCase::record(v3doff_picture *picture, const Superblocks &superblocks,
                        v3doff_executor) const {
    check(v3doff_vp9_record_loopfilter(
              picture, sharpness_,
              reinterpret_cast<const v3doff_vp9_superblock *>(superblocks.data()),
              superblocks.size()),
          "recording the loop filter");
}

void FilterCase::run_ffmpeg(CaseRun &run, bool simd) const {
    const v3doff::PictureFormat format = format_of(picture_.shape());
    const std::unique_ptr<FfdspVp9Filter, void (*)(FfdspVp9Filter *)> filter(
        ffdsp_vp9_filter_open(int(format.bit_depth), simd, int(format.shift_x(1)),
                              int(format.shift_y(1)), int(sharpness_)),
        ffdsp_vp9_filter_close);
    if (!filter) throw std::bad_alloc();
    FfmpegPicture picture(picture_, run.copy);
    const uint32_t cols = (format.width + 63) / 64;
    for (uint32_t i = 0; i < superblocks_.size(); i++)
        picture.filter(filter.get(), superblocks_[i], i / cols, i % cols);
    ffdsp_emms();
    picture.put_back();
}

} // namespace tool
