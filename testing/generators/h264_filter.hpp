// SPDX-License-Identifier: BSD-2-Clause
// Pictures for H.264 deblocking that reach every branch of the filters.
#pragma once

#include <cstdint>
#include <vector>

#include "h264/filter/records.hpp"
#include "picture/stage.hpp"

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

enum class H264Strengths { mixed, all, none };

// Strength 4 is only on whole macroblock edges; qp stays in the range of the depth; slices have
// different offsets and disable edges.
std::vector<v3doff_h264_deblock_mb> make_filter_mbs(H264Random &random, unsigned bit_depth,
                                                    size_t count, H264Strengths strengths);

// The same for an MBAFF frame of pairs: field and frame pairs mixed.
std::vector<v3doff_h264_deblock_mbaff_mb> make_mbaff_mbs(H264Random &random, unsigned bit_depth,
                                                         uint32_t mb_width, uint32_t pair_height,
                                                         H264Strengths strengths);

// Fills a plane, its padding too.
void fill_filter_samples(H264Random &random, const PlaneView &plane, unsigned bit_depth);

} // namespace v3doff::check
