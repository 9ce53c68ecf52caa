// SPDX-License-Identifier: BSD-2-Clause
// Deblocking from a decoder's arrays, and whole pictures from words, as decoders hand them over.
#include "h264/trial.hpp"

#include <memory>

#include "h264/filter/filter.hpp"
#include "h264/reconstruction/reconstruction.hpp"
#include "h264/trial_picture.hpp"

namespace v3doff::h264 {
namespace {

Arrays input_of(const TrialPicture &content) {
    Arrays input;
    input.mb_width = content.mb_width;
    input.mb_height = content.mb_height;
    input.mb_stride = content.mb_width;
    input.mb_type = content.type.data();
    input.qp = content.qp.data();
    input.slice_table = content.slice.data();
    input.non_zero_count = &content.counts[0].of_block;
    input.motion_stride = content.motion_stride();
    input.motion_mb_stride = 4 * content.motion_stride();
    input.motion[0] = reinterpret_cast<const int16_t(*)[2]>(content.motion.data());
    input.reference[0] = content.reference.data();
    input.slices = &content.parameters;
    input.slice_count = 1;
    return input;
}

Macroblocks::Part &record_macroblocks(const TrialPicture &content, Picture &picture) {
    const MacroblockArea area(content.format, {});
    auto &known = picture.stage<Macroblocks>(Slot::macroblocks)
                      .record(area, input_of(content), 0, area.mb_height);
    picture.stage<Filter>(Slot::filter).derive(known);
    return known;
}

// As decoders do: room for a slice, which this picture has one of.
void append_all(const TrialPicture &content, Reconstruction &to) {
    v3doff_h264_words words{};
    TrialResidual residual;
    to.make_room(content.format, 0, words, content.mb_width * content.mb_height);
    for (uint32_t y = 0; y < content.mb_height; y++)
        for (uint32_t x = 0; x < content.mb_width; x++)
            append_trial(content, x, y, residual, words);
    to.end_lane(0, words);
}

struct WholeTrial {
    WholeTrial(const TrialPicture &of, const v3doff_h264dsp &functions,
               const v3doff_h264_predictors &predict)
        : content(of), simd(functions), predictors(predict) {}
    void record(Picture &picture) const;
    void reconstruct(const PictureView &picture) const {
        reconstruct_trial(content, simd, predictors, picture, reference->view());
    }

    TrialPicture content;
    v3doff_h264dsp simd;
    v3doff_h264_predictors predictors;
    std::shared_ptr<Surface> reference;
};

void WholeTrial::record(Picture &picture) const {
    Macroblocks::Part &macroblocks = record_macroblocks(content, picture);
    auto &stage = picture.stage<Reconstruction>(Slot::reconstruction);
    append_all(content, stage);
    PictureSources from;
    from.reference[0] = reference;
    from.predictions = content.predictions();
    stage.record(picture.view(), from, macroblocks, false);
}

} // namespace

Trial filter_trial(unsigned size, const v3doff_h264dsp &simd) {
    Trial trial(V3DOFF_FAMILY_H264_DEBLOCK, size);
    auto content = std::make_shared<const TrialPicture>(trial.format);
    trial.record = [content](Picture &picture) { record_macroblocks(*content, picture); };
    trial.run_simd = [content, simd](const PictureView &picture) {
        run_trial_filter(simd, *content, picture);
    };
    return trial;
}

Trial reconstruction_trial(unsigned size, const v3doff_h264dsp &simd,
                           const v3doff_h264_predictors &predictors) {
    Trial trial(V3DOFF_FAMILY_H264_RECONSTRUCTION, size);
    return whole_trial<WholeTrial>(trial, TrialPicture(trial.format), simd, predictors);
}

Trial intra_trial(unsigned size, const v3doff_h264dsp &simd,
                  const v3doff_h264_predictors &predictors) {
    Trial trial(V3DOFF_FAMILY_H264_INTRA, size);
    return whole_trial<WholeTrial>(trial, TrialPicture::of_intra(trial.format), simd, predictors);
}

} // namespace v3doff::h264
