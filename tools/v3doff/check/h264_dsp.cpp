// SPDX-License-Identifier: BSD-2-Clause
// The DSP table of H.264: what its calls record, or do at once, must give the bits of the picture's
// own interface (the reference), and of FFmpeg's functions called in the same order.
#include <fmt/format.h>

#include "check/h264_filter_ffmpeg.hpp"
#include "h264_residual_ffmpeg.hpp"
#include "v3doff/h264dsp.h"

namespace tool {
namespace {

using v3doff::check::H264Random;
using v3doff::check::H264Strengths;

// Our functions in the structure that the driver takes.
FfdspH264 our_table(const PictureShape &shape) {
    v3doff_h264dsp from{};
    from.struct_size = sizeof from;
    check(v3doff_h264dsp_init(&from, shape.bit_depth, uint32_t(shape.chroma)), "filling the table");
    FfdspH264 to{};
    to.v_loop_filter_luma = from.h264_v_loop_filter_luma;
    to.h_loop_filter_luma = from.h264_h_loop_filter_luma;
    to.v_loop_filter_luma_intra = from.h264_v_loop_filter_luma_intra;
    to.h_loop_filter_luma_intra = from.h264_h_loop_filter_luma_intra;
    to.v_loop_filter_chroma = from.h264_v_loop_filter_chroma;
    to.h_loop_filter_chroma = from.h264_h_loop_filter_chroma;
    to.v_loop_filter_chroma_intra = from.h264_v_loop_filter_chroma_intra;
    to.h_loop_filter_chroma_intra = from.h264_h_loop_filter_chroma_intra;
    to.idct_add = from.h264_idct_add;
    to.idct8_add = from.h264_idct8_add;
    to.idct_dc_add = from.h264_idct_dc_add;
    to.idct8_dc_add = from.h264_idct8_dc_add;
    to.idct_add16 = from.h264_idct_add16;
    to.idct8_add4 = from.h264_idct8_add4;
    to.idct_add8 = from.h264_idct_add8;
    to.idct_add16intra = from.h264_idct_add16intra;
    to.luma_dc_dequant_idct = from.h264_luma_dc_dequant_idct;
    to.chroma_dc_dequant_idct = from.h264_chroma_dc_dequant_idct;
    to.add_pixels8_clear = from.h264_add_pixels8_clear;
    to.add_pixels4_clear = from.h264_add_pixels4_clear;
    return to;
}

class H264DspCase final : public PictureCase {
  public:
    H264DspCase(const PictureShape &shape, bool bound, Random &random)
        : PictureCase(make_picture(shape, random)), bound_(bound) {
        H264Random seeded(random());
        for (unsigned p = 0; p < shape.planes(); p++)
            v3doff::check::fill_filter_samples(seeded, picture_.writable(p), shape.bit_depth);
        H264Plan plan{{}, shape.bit_depth, shape.chroma, false, true};
        for (unsigned n = 0; n < h264_calls; n++)
            if (h264_call_exists(H264Call(n), shape.chroma) && takes_part(H264Call(n)))
                plan.calls.push_back(H264Call(n));
        operations_ = h264_operations(plan, picture_, random);
        parts_ = random_filter_parts(shape, H264Strengths::mixed, seeded);
    }

    std::string describe(const std::string &region, size_t byte) const override {
        return PictureCase::describe(region, byte) + structures_of(parts_);
    }

  private:
    // A sum that bypasses the transform is not clipped. Above 8 bits it may not be a valid sample,
    // and implementations of the filter then differ.
    bool takes_part(H264Call call) const {
        const bool bypass = call == H264Call::bypass4 || call == H264Call::bypass8;
        return !is_predicted(call) && !(bypass && shape().bit_depth > 8);
    }

    // The driver has one stride for both chroma planes, and the picture's luma stride.
    static GuardedPicture make_picture(const PictureShape &shape, Random &random) {
        for (;;) {
            GuardedPicture picture(shape, random);
            if (shape.planes() == 1 || picture.stride(1) == picture.stride(2)) return picture;
        }
    }

    void call_residuals(const FfdspH264 &table, const v3doff_planes &planes, CaseRun &run) const {
        call_h264_table(table, operations_, shape(), planes, run.coefficients);
    }

    void call_filters(const FfdspH264 &table, const v3doff_planes &planes) const {
        for (const FilterPart &part : parts_)
            filter_by_table(table, planes_of(part, shape(), planes), part.macroblocks);
    }

    void run_library(CaseRun &run, v3doff_device *device, v3doff_executor expected) const override {
        const bool gpu = expected == V3DOFF_EXECUTOR_GPU;
        if (!bound_) return run_at_once(run, device, gpu);
        run_in_library(run.copy, false, device, expected, [&](v3doff_picture *picture) {
            // The reference records the filter through the picture's own interface, so that both
            // interfaces are compared.
            check(v3doff_dsp_bind(picture, 5), "binding");
            const v3doff_planes planes = tool::planes_of(picture);
            call_residuals(our_table(shape()), planes, run);
            if (gpu) call_filters(our_table(shape()), planes);
            v3doff_dsp_unbind();
            for (const FilterPart &part : parts_)
                if (!gpu) record_part(picture, part);
        });
    }

    void run_at_once(CaseRun &run, v3doff_device *device, bool gpu) const {
        const v3doff_dsp_counts counts = count_at_once(device, [&] {
            call_residuals(our_table(shape()), run.copy.planes(), run);
            call_filters(our_table(shape()), run.copy.planes());
        });
        const uint64_t elsewhere = gpu ? counts.at_once_cpu : counts.at_once_gpu;
        if (elsewhere || counts.refused)
            throw std::runtime_error(
                fmt::format("{} calls were executed in the wrong place", elsewhere));
    }

    void run_ffmpeg(CaseRun &run, bool simd) const override {
        const FfdspH264 &table = *ffdsp_h264(int(shape().bit_depth), int(shape().chroma), simd);
        call_residuals(table, run.copy.planes(), run);
        call_filters(table, run.copy.planes());
        ffdsp_emms();
    }

    bool bound_;
    std::vector<H264Operation> operations_;
    std::vector<FilterPart> parts_;
};

Suite dsp_suite(bool bound, const char *chroma_name, v3doff_chroma chroma, unsigned bit_depth) {
    return {
        fmt::format("h264_dsp_{}_{}_{}bit", bound ? "bound" : "at_once", chroma_name, bit_depth),
        bound ? "calls of the bound DSP table, against the picture's own interface"
              : "calls without a picture: each a submit",
        bound ? 8u : 1u, Ffmpeg::c_and_simd, [=](Random &random) {
            const uint64_t most = bound ? 150 : 40;
            const PictureShape shape{uint32_t(1 + below(random, most)),
                                     uint32_t(1 + below(random, most)), bit_depth, chroma};
            return std::make_unique<H264DspCase>(shape, bound, random);
        }};
}

} // namespace

void add_h264_dsp(Suites &suites) {
    const std::pair<const char *, v3doff_chroma> formats[] = {{"400", V3DOFF_CHROMA_400},
                                                              {"420", V3DOFF_CHROMA_420},
                                                              {"422", V3DOFF_CHROMA_422},
                                                              {"444", V3DOFF_CHROMA_444}};
    for (bool bound : {true, false})
        for (const auto &[name, chroma] : formats)
            for (unsigned bit_depth : {8u, 9u, 10u, 12u, 14u})
                suites.push_back(dsp_suite(bound, name, chroma, bit_depth));
}

} // namespace tool
