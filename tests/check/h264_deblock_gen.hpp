// SPDX-License-Identifier: BSD-2-Clause
// Pictures for H.264 deblocking that reach every branch of the filters.
#pragma once

#include <cstdint>
#include <vector>

#include "core/picture_format.hpp"
#include "core/stage.hpp"
#include "h264/deblock_records.hpp"

namespace v3doff::check {

// Small, seeded, the same on every machine.
class H264Random {
  public:
    explicit H264Random(uint64_t seed) : state_(seed) {}
    uint64_t next();
    uint32_t below(uint32_t bound) { return uint32_t((next() >> 32) * bound >> 32); }
    int between(int low, int high) { return low + int(below(uint32_t(high - low + 1))); }
    bool one_in(uint32_t n) { return below(n) == 0; }

  private:
    uint64_t state_;
};

// Planes of whole macroblocks with `guard` bytes on each side of each plane, all filled.
class H264Planes {
  public:
    H264Planes(const PictureFormat &format, uint32_t mb_width, uint32_t mb_height);
    PictureView view();
    // The field of a picture of two fields: every other line.
    PictureView field(unsigned parity);
    std::vector<std::byte> &bytes() { return bytes_; }
    size_t offset(unsigned plane) const { return offset_[plane]; }
    size_t stride(unsigned plane) const { return stride_[plane]; }

  private:
    PictureFormat format_;
    size_t offset_[max_planes] = {}, stride_[max_planes] = {};
    std::vector<std::byte> bytes_;
};

enum class H264Strengths { mixed, all, none };

struct H264DeblockCase {
    uint32_t mb_width = 0, mb_height = 0;
    std::vector<h264::DeblockInput> inputs;
};

// Strength 4 stands on whole macroblock edges; qp stays in the range that the depth allows; slices
// differ in their offsets and switch edges off.
H264DeblockCase make_deblock_case(H264Random &random, unsigned bit_depth, uint32_t mb_width,
                                  uint32_t mb_height, H264Strengths strengths);

// Per 8x8 block one of: noise of a small amplitude round a level, steps at multiples of 4, both ends
// of the range, anything.
void fill_samples(H264Random &random, const PictureView &picture);

} // namespace v3doff::check
