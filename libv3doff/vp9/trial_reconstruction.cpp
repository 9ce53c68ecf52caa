// SPDX-License-Identifier: BSD-2-Clause
// A whole picture as words, recorded as a decoder does that only parses.
#include <algorithm>
#include <array>
#include <iterator>
#include <memory>

#include "vp9/filter/filter.hpp"
#include "vp9/inter/inter.hpp"
#include "vp9/intra/intra.hpp"
#include "vp9/reconstruction/words.hpp"
#include "vp9/residual/residual.hpp"
#include "vp9/trial.hpp"
#include "vp9/trial_picture.hpp"

namespace v3doff::vp9 {
namespace {

void append_all(const TrialPicture &content, Words &to) {
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
    Words &words = picture.stage<Words>(Slot::words);
    append_all(content, words);
    WordsFrame frame;
    frame.reference[0] = reference;
    for (auto &factors : frame.dequantisation[0])
        std::copy_n(content.factor, 2, factors);
    words.record(picture.view(), frame, picture.stage<Inter>(Slot::prediction),
                 picture.stage<Residual>(Slot::transform), picture.stage<Intra>(Slot::intra));
    const FilterInput filter{content.format, 0, content.filter.data()};
    picture.stage<Filter>(Slot::filter).record(filter, filter.rows());
}

} // namespace

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
