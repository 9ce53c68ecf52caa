// SPDX-License-Identifier: BSD-2-Clause
// Whole pictures, reconstructed from words: made-up inter and intra pictures of several
// sizes (a codec's made_picture.hpp).
#pragma once

#include "bench/pictures.hpp"

namespace tool::bench {

class WholePicture {
  public:
    explicit WholePicture(const v3doff::PictureFormat &format) : format_(format) {}
    virtual ~WholePicture() = default;

    const v3doff::PictureFormat &format() const { return format_; }
    void make_reference(v3doff_device *device);

    virtual void record(v3doff_picture *picture) const = 0;
    virtual size_t word_bytes() const = 0;
    virtual void reconstruct_by_ffmpeg(const v3doff_planes &planes, bool simd) const = 0;

  protected:
    v3doff_picture *reference() const { return reference_.get(); }

  private:
    v3doff::PictureFormat format_;
    Picture reference_;
};

Json run_whole(const Session &session, const std::string &codec,
               const std::shared_ptr<WholePicture> &whole);

} // namespace tool::bench
