// SPDX-License-Identifier: BSD-2-Clause
// Calls of a DSP table that no picture takes: each becomes a small picture of its own, submitted
// and waited for.
#pragma once

#include <functional>

#include "dsp/call.hpp"
#include "policy/open_device.hpp"

namespace v3doff::dsp {

// Work of different stages cannot share pictures.
enum class AtOnce : unsigned { vp9_itx, vp9_edge, vp9_mc, vp9_reference, h264_idct, h264_edge };

// Such a picture has one plane, this many samples wide and high. A block of 64 samples reads 135 if
// its reference is twice as large.
constexpr uint32_t at_once_side(AtOnce kind) {
    return kind == AtOnce::vp9_reference ? 160 : 64;
}

// A small picture that is open until the end of its scope.
class AtOncePicture {
  public:
    AtOncePicture(AtOnce kind, unsigned bit_depth);
    ~AtOncePicture();
    AtOncePicture(const AtOncePicture &) = delete;
    AtOncePicture &operator=(const AtOncePicture &) = delete;
    Picture &operator*() { return *picture_; }
    Picture *operator->() { return picture_; }

  private:
    std::shared_ptr<Pool> pool_;
    Picture *picture_;
};

// Fills the picture and records with `before`, reads the result with `after`. Pass both by
// std::ref, which cannot fail. Counts where the call ran. False: nothing has changed that anyone
// can see, and the caller must do the call without a picture.
bool run_at_once(AtOnce kind, unsigned bit_depth, const std::function<void(Picture &)> &before,
                 const std::function<void(const PlaneView &)> &after) noexcept;

// The same for a call that changes a block of samples: the picture begins with what they are when
// `record` is called. Pass it by std::ref.
bool run_block_at_once(AtOnce kind, const Call &call, uint32_t width, uint32_t height,
                       const std::function<void(Picture &)> &record) noexcept;

// Null: the device that the environment selects.
void set_device_at_once(std::shared_ptr<const OpenDevice> device);

// Rows of samples between the caller's memory and the small picture.
void copy_rows(std::byte *to, ptrdiff_t to_stride, const std::byte *from, ptrdiff_t from_stride,
               size_t bytes, uint32_t rows);

} // namespace v3doff::dsp
