// SPDX-License-Identifier: BSD-2-Clause
// Transform blocks on their way to the GPU: sorted by kind, their coefficients cut down to the
// corner that holds any, in the order the kernels read. No Vulkan here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/residual_lists.hpp"
#include "vp9/residual/kind.hpp"

namespace v3doff::vp9 {

// One block as a decoder hands it over: numbers as in reference.hpp, x and y in samples.
struct ResidualInput {
    uint plane, x, y;
    int tx, type, eob;
    const void *coefficients;
};
// The first sample of a block.
inline std::byte *residual_place(const PictureView &picture, uint plane, uint x, uint y) {
    const PlaneView &view = picture.plane[plane];
    return view.data + ptrdiff_t(y) * view.stride + ptrdiff_t(x * picture.format.sample_bytes());
}
// The same of a record.
inline std::byte *residual_place(const PictureView &picture, uint place) {
    return residual_place(picture, unpack(place, PLACE_PLANE), unpack(place, PLACE_X) * 4,
                          unpack(place, PLACE_Y) * 4);
}

// Records of one lane of recording. Thread-safety: none; one batch a lane.
class ResidualBatch : public ResidualLists<RESIDUAL_KINDS> {
  public:
    // Copies what counts of the block. The caller has made sure that residual_fits().
    Handle add(const ResidualInput &block, int bit_depth);

    // Adds a block on the CPU; a struck one does nothing.
    void run_cpu(Handle handle, const PictureView &picture) const;

    // The block as it could have been handed over: with an end of block of its class, and for a DC
    // block a coefficient that gives its residual. Nothing for a struck one.
    std::optional<ResidualInput> unpack(Handle handle, int bit_depth,
                                        std::vector<std::int32_t> &coefficients) const;
};

// With more than 8 bits a block can hold coefficients for which 32 bits do not suffice on the GPU
// (shaders/vp9/residual_rotate.glsl). No intermediate value exceeds the sum of their magnitudes:
// every node of every transform has weights of at most 1. Largest sum: a value below 2^17, less the
// rounding of the passes before it and the bias of the last one.
inline constexpr uint32_t largest_sum = 130000;
bool residual_fits(const ResidualInput &block, int bit_depth);

} // namespace v3doff::vp9
