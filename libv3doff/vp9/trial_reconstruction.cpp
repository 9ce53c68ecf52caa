// SPDX-License-Identifier: BSD-2-Clause
// A whole picture as words, recorded as a decoder does that only parses.
#include <algorithm>
#include <array>
#include <iterator>
#include <memory>

#include "vp9/filter.hpp"
#include "vp9/inter.hpp"
#include "vp9/intra.hpp"
#include "vp9/residual.hpp"
#include "vp9/trial.hpp"
#include "vp9/trial_picture.hpp"
#include "vp9/words.hpp"

namespace v3doff::vp9 {
namespace {

struct WholeTrial {
    TrialPicture content;
    v3doff_vp9dsp simd;
    v3doff_vp9_intra_pred intra[4][V3DOFF_VP9_INTRA_MODES];
    std::shared_ptr<Surface> reference;
};

void append_all(const TrialPicture &content, Words &to) {
    v3doff_vp9_words words{};
    for (size_t superblock = 0; superblock < content.superblocks.size(); superblock++) {
        if (!v3doff_vp9_has_room(&words)) to.make_room(0, words);
        append_trial(content, superblock, words);
    }
    to.end_lane(0, words);
}

void record_whole(const WholeTrial &trial, Picture &picture) {
    Words &words = picture.stage<Words>(Slot::words);
    append_all(trial.content, words);
    WordsFrame frame;
    frame.reference[0] = trial.reference;
    for (auto &factors : frame.dequantisation[0])
        std::copy_n(trial.content.factor, 2, factors);
    words.record(picture.view(), frame, picture.stage<Inter>(Slot::prediction),
                 picture.stage<Residual>(Slot::transform), picture.stage<Intra>(Slot::intra));
    const FilterInput filter{trial.content.format, 0, trial.content.filter.data()};
    picture.stage<Filter>(Slot::filter).record(filter, filter.rows());
}

} // namespace

Trial reconstruction_trial(unsigned size, const v3doff_vp9dsp &simd,
                           const v3doff_vp9_intra_pred (*intra)[V3DOFF_VP9_INTRA_MODES]) {
    Trial trial{V3DOFF_FAMILY_VP9_RECONSTRUCTION, size, trial_format(size), {}, {}, {}};
    auto whole = std::make_shared<WholeTrial>(WholeTrial{TrialPicture(trial.format), simd, {}, {}});
    if (intra)
        std::copy_n(&intra[0][0], std::size(whole->intra) * V3DOFF_VP9_INTRA_MODES,
                    &whole->intra[0][0]);
    trial.predict_from = [whole](Picture &reference) { whole->reference = reference.as_surface(); };
    trial.record = [whole](Picture &picture) { record_whole(*whole, picture); };
    trial.run_simd = [whole](const PictureView &picture) {
        reconstruct_trial(whole->content, whole->simd, whole->intra, picture,
                          whole->reference->view());
    };
    return trial;
}

} // namespace v3doff::vp9
