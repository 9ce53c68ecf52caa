// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/trial.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <random>

#include "vp9/filter/filter.hpp"
#include "vp9/reconstruction/reconstruction.hpp"
#include "vp9/residual/calls.hpp"
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

// A whole picture as words, recorded as a decoder does that only parses.
void append_all(const TrialPicture &content, Reconstruction &to) {
    v3doff_vp9_words words{};
    for (size_t superblock = 0; superblock < content.superblocks.size(); superblock++) {
        if (!v3doff_vp9_has_room(&words)) to.make_room(0, words);
        append_trial(content, superblock, words);
    }
    to.end_lane(0, words);
}

struct WholeTrial {
    using IntraFunctions = const v3doff_vp9_intra_pred (*)[V3DOFF_VP9_INTRA_MODES];
    WholeTrial(const TrialPicture &of, const v3doff_vp9dsp &functions, IntraFunctions predict)
        : content(of), simd(functions) {
        if (predict)
            std::copy_n(&predict[0][0], std::size(intra) * V3DOFF_VP9_INTRA_MODES, &intra[0][0]);
    }
    void record(Picture &picture) const;
    void reconstruct(const PictureView &picture) const {
        reconstruct_trial(content, simd, intra, picture, reference->view());
    }

    TrialPicture content;
    v3doff_vp9dsp simd;
    v3doff_vp9_intra_pred intra[4][V3DOFF_VP9_INTRA_MODES] = {};
    std::shared_ptr<Surface> reference;
};

void WholeTrial::record(Picture &picture) const {
    auto &stage = picture.stage<Reconstruction>(Slot::reconstruction);
    append_all(content, stage);
    WordsFrame frame;
    frame.references.surface[0] = reference;
    for (auto &factors : frame.dequantisation[0])
        std::copy_n(content.factor, 2, factors);
    stage.record(picture.view(), frame);
    const FilterInput filter{content.format, 0, content.filter.data()};
    picture.stage<Filter>(Slot::filter).record(filter, filter.rows());
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
        auto &stage = picture.stage<ResidualCalls>(Slot::transform);
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

Trial reconstruction_trial(unsigned size, const v3doff_vp9dsp &simd,
                           const v3doff_vp9_intra_pred (*intra)[V3DOFF_VP9_INTRA_MODES]) {
    Trial trial(V3DOFF_FAMILY_VP9_RECONSTRUCTION, size);
    return whole_trial<WholeTrial>(trial, TrialPicture(trial.format), simd, intra);
}

Trial intra_trial(unsigned size, const v3doff_vp9dsp &simd,
                  const v3doff_vp9_intra_pred (*intra)[V3DOFF_VP9_INTRA_MODES]) {
    Trial trial(V3DOFF_FAMILY_VP9_INTRA, size);
    return whole_trial<WholeTrial>(trial, TrialPicture::of_intra(trial.format), simd, intra);
}

} // namespace v3doff::vp9
