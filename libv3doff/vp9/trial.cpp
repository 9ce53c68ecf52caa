// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/trial.hpp"

#include <algorithm>
#include <memory>
#include <random>

#include "vp9/filter/filter.hpp"
#include "vp9/residual/residual.hpp"
#include "vp9/trial_picture.hpp"

namespace v3doff::vp9 {
namespace {

struct TrialItx {
    uint32_t plane, x, y;
    int tx, eob;
};

// A third of the 8x8 blocks have a residual: 4x4 and 8x8 with few coefficients, as natural clips at
// a few Mb/s do.
std::vector<TrialItx> make_blocks(const PictureFormat &format) {
    std::mt19937 random(3);
    std::vector<TrialItx> blocks;
    for (unsigned p = 0; p < format.planes(); p++)
        for (uint32_t y = 0; y + 8 <= format.plane_height(p); y += 8)
            for (uint32_t x = 0; x + 8 <= format.plane_width(p); x += 8) {
                const uint32_t what = random() % 9;
                if (what == 0) blocks.push_back({p, x, y, 1, 10});
                if (what == 1) blocks.push_back({p, x, y, 1, 1});
                if (what == 2)
                    for (uint32_t i = 0; i < 4; i++)
                        blocks.push_back({p, x + i % 2 * 4, y + i / 2 * 4, 0, i % 2 ? 16 : 1});
            }
    return blocks;
}

// Of a block with this end of block: the first ones of the default scan lie in this corner.
void fill_coefficients(const TrialItx &block, int16_t (&values)[64]) {
    const int edge = 4 << block.tx;
    std::fill(std::begin(values), std::end(values), int16_t(0));
    values[0] = int16_t(160 + int(block.x % 64));
    for (int i = 1; block.eob > 1 && i < 3; i++)
        values[i] = values[i * edge] = int16_t(40 - 25 * i);
}

} // namespace

Trial filter_trial(unsigned size, const v3doff_vp9dsp &simd) {
    Trial trial(V3DOFF_FAMILY_VP9_LOOPFILTER, size);
    auto superblocks =
        std::make_shared<const std::vector<FilterSuperblock>>(trial_superblocks(trial.format));
    const FilterInput input{trial.format, 0, superblocks->data()};
    trial.record = [superblocks, input](Picture &picture) {
        picture.stage<Filter>(Slot::filter).record(input, input.rows());
    };
    trial.run_simd = [superblocks, input, simd](const PictureView &picture) {
        run_trial_filter(simd, picture, input);
    };
    return trial;
}

Trial residual_trial(unsigned size, const v3doff_vp9dsp &simd) {
    Trial trial(V3DOFF_FAMILY_VP9_ITX, size);
    auto blocks = std::make_shared<const std::vector<TrialItx>>(make_blocks(trial.format));
    trial.record = [blocks](Picture &picture) {
        alignas(64) int16_t values[64];
        Residual &stage = picture.stage<Residual>(Slot::transform);
        for (const TrialItx &block : *blocks) {
            fill_coefficients(block, values);
            stage.record(0, picture.view(),
                         {block.plane, block.x, block.y, block.tx, 0, block.eob, values}, values);
        }
    };
    trial.run_simd = [blocks, simd](const PictureView &picture) {
        alignas(64) int16_t values[64];
        for (const TrialItx &block : *blocks) {
            fill_coefficients(block, values);
            const PlaneView &plane = picture.plane[block.plane];
            auto *dst = reinterpret_cast<uint8_t *>(plane.data + ptrdiff_t(block.y) * plane.stride +
                                                    block.x);
            simd.itxfm_add[block.tx][0](dst, plane.stride, values, block.eob);
        }
    };
    return trial;
}

} // namespace v3doff::vp9
