// SPDX-License-Identifier: BSD-2-Clause
// The inverse transforms of a picture that was recorded as words. The coefficients stay as the
// decoder appended them; the kernels multiply them and put them in their places.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "common/lane_coefficients.hpp"
#include "picture/plain_array.hpp"
#include "picture/stage.hpp"
#include "vp9/residual/kind.hpp"

namespace v3doff::vp9 {

// Those of the inter blocks, or of the intra blocks, by kind.
class Residual {
  public:
    // What inter blocks need: all DCT but in lossless frames (VP9 bitstream specification, 6.4.24).
    static std::vector<uint32_t> shaders(const PictureFormat &format);

    struct Handle {
        uint kind, index;
    };
    void add(uint kind, const ResidualWordsRecord &record) { *lists_[kind].append(1) = record; }
    void add_raw(int tx, uint place, std::span<const int16_t> residuals);
    void clear(); // keeps the memory
    bool empty() const { return !size(); }
    std::size_t size() const;
    std::span<const ResidualWordsRecord> records(uint kind) const { return lists_[kind].span(); }

    // Adds all of them to the picture's samples.
    void plan(const SampleMap &map, const LaneCoefficients &coefficients, Plan &plan) const;
    void run_cpu(const LaneCoefficients &coefficients, const PictureView &picture) const;

    // Dispatches `like` this one. parts: each block once, or once for each part of the residuals.
    void plan(ResidualUse use, Dispatch like, unsigned parts, int bit_depth, Plan &plan) const;
    // Adds a block on the CPU.
    void run_cpu(Handle handle, const LaneCoefficients &coefficients,
                 const PictureView &picture) const;

  private:
    void plan_shader(uint shader, const Dispatch &like, uint raw, unsigned parts, int bit_depth,
                     Plan &plan) const;

    std::array<PlainArray<ResidualWordsRecord>, RESIDUAL_KINDS> lists_;
    PlainArray<uint> raw_; // residuals, two to a word; a record's source counts from its begin
};

} // namespace v3doff::vp9
