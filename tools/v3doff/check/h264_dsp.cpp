// SPDX-License-Identifier: BSD-2-Clause
// The DSP table of H.264: what its calls record, or do at once, must give the bits of the picture's
// own interface (the reference), and of FFmpeg's functions called in the same order.
#include <fmt/format.h>

#include "check/h264_filter_ffmpeg.hpp"
#include "ffdsp.h"
#include "generators/h264_filter.hpp"
#include "h264_residual_ffmpeg.hpp"
#include "picture_case.hpp"
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

v3doff_dsp_counts counts_now() {
    v3doff_dsp_counts counts{};
    counts.struct_size = sizeof counts;
    check(v3doff_dsp_get_counts(&counts), "counting");
    return counts;
}

// One frame, or one field of the picture.
struct TablePart {
    v3doff_h264_structure structure;
    uint32_t mb_width, mb_height;
    std::vector<v3doff_h264_deblock_mb> macroblocks;
};

class H264DspCase final : public Case {
  public:
    H264DspCase(const PictureShape &shape, bool bound, Random &random)
        : random_(random()), bound_(bound), picture_(make_picture(shape, random)) {
        for (unsigned p = 0; p < shape.planes(); p++) {
            v3doff::PlaneView view;
            view.data = picture_.writable(p);
            view.stride = picture_.stride(p);
            view.padded_width = picture_.padded_width(p);
            view.padded_height = picture_.padded_height(p);
            v3doff::check::fill_filter_samples(random_, view, shape.bit_depth);
        }
        H264Plan plan{{}, shape.bit_depth, shape.chroma, false, true};
        for (unsigned n = 0; n < h264_calls; n++)
            if (h264_call_exists(H264Call(n), shape.chroma) && takes_part(H264Call(n)))
                plan.calls.push_back(H264Call(n));
        operations_ = h264_operations(plan, picture_, random);
        const uint64_t kind = below(random, 6);
        if (kind != 1) add(kind == 0 ? V3DOFF_H264_TOP_FIELD : V3DOFF_H264_FRAME);
        if (kind < 2) add(V3DOFF_H264_BOTTOM_FIELD);
    }

    Result run(Implementation implementation, Bench &bench) const override {
        const bool gpu = implementation == Implementation::vulkan;
        const v3doff_executor executor = gpu ? V3DOFF_EXECUTOR_GPU : V3DOFF_EXECUTOR_CPU;
        v3doff_device *device = gpu ? bench.vulkan.get() : bench.cpu.get();
        Result result;
        auto &left_behind = result["coefficients"];
        if (implementation == Implementation::ffmpeg || implementation == Implementation::ffmpeg_c)
            result["samples"] = run_ffmpeg(implementation == Implementation::ffmpeg, left_behind);
        else if (!bound_)
            result["samples"] = run_at_once(device, gpu, left_behind);
        else
            result["samples"] =
                run_in_library(picture_, false, device, executor, [&](v3doff_picture *picture) {
                    // The reference records the filter through the picture's own interface, so
                    // that both interfaces are compared.
                    check(v3doff_dsp_bind(picture, 5), "binding");
                    const v3doff_planes planes = planes_of(picture);
                    call_residuals(our_table(picture_.shape()), planes, left_behind);
                    if (gpu) call_filters(our_table(picture_.shape()), planes);
                    v3doff_dsp_unbind();
                    for (const TablePart &part : parts_)
                        if (!gpu)
                            check(v3doff_h264_record_deblock(picture, part.structure,
                                                             part.macroblocks.data(),
                                                             part.macroblocks.size()),
                                  "recording the deblocking");
                });
        return result;
    }

    std::string describe(const std::string &region, size_t byte) const override {
        if (region != "samples") return fmt::format("coefficient left behind at byte {}", byte);
        std::string text = picture_.describe(byte);
        for (const TablePart &part : parts_)
            text += fmt::format(", structure {}", int(part.structure));
        return text;
    }

  private:
    // A sum that bypasses the transform is not clipped. Above 8 bits it may not be a valid sample,
    // and implementations of the filter then differ.
    bool takes_part(H264Call call) const {
        const bool bypass = call == H264Call::bypass4 || call == H264Call::bypass8;
        return !is_predicted(call) && !(bypass && picture_.shape().bit_depth > 8);
    }

    // The driver has one stride for both chroma planes, and the picture's luma stride.
    static GuardedPicture make_picture(const PictureShape &shape, Random &random) {
        for (;;) {
            GuardedPicture picture(shape, random);
            if (shape.planes() == 1 || picture.stride(1) == picture.stride(2)) return picture;
        }
    }

    void add(v3doff_h264_structure structure) {
        const uint32_t lines = structure == V3DOFF_H264_FRAME ? 16 : 32;
        TablePart part{structure,
                       (picture_.shape().width + 15) / 16,
                       (picture_.shape().height + lines - 1) / lines,
                       {}};
        part.macroblocks =
            make_filter_mbs(random_, picture_.shape().bit_depth,
                            size_t(part.mb_width) * part.mb_height, H264Strengths::mixed);
        parts_.push_back(std::move(part));
    }

    void call_residuals(const FfdspH264 &table, const v3doff_planes &planes,
                        std::vector<uint8_t> &left_behind) const {
        uint8_t *data[3] = {};
        for (unsigned p = 0; p < planes.count; p++) {
            data[p] = static_cast<uint8_t *>(planes.data[p]);
            if (planes.stride[p] != picture_.stride(p)) own_strides(p, planes.stride[p]);
        }
        call_h264_table(table, operations_, picture_, data, left_behind);
    }
    [[noreturn]] static void own_strides(unsigned p, ptrdiff_t stride) {
        throw std::runtime_error(fmt::format("plane {}: stride {} is not the case's", p, stride));
    }

    void call_filters(const FfdspH264 &table, const v3doff_planes &from) const {
        for (const TablePart &part : parts_) {
            const bool frame = part.structure == V3DOFF_H264_FRAME;
            const bool bottom = part.structure == V3DOFF_H264_BOTTOM_FIELD;
            FilterPlanes planes{picture_.shape(), {}, {}, part.mb_width, part.mb_height};
            for (unsigned p = 0; p < from.count; p++) {
                planes.plane[p] =
                    static_cast<uint8_t *>(from.data[p]) + (bottom ? from.stride[p] : 0);
                planes.stride[p] = from.stride[p] * (frame ? 1 : 2);
            }
            filter_by_table(table, planes, part.macroblocks);
        }
    }

    std::vector<uint8_t> run_at_once(v3doff_device *device, bool gpu,
                                     std::vector<uint8_t> &left_behind) const {
        GuardedPicture::Copy copy(picture_);
        check(v3doff_dsp_set_device(device), "choosing the device");
        const v3doff_dsp_counts before = counts_now();
        call_residuals(our_table(picture_.shape()), copy.planes(), left_behind);
        call_filters(our_table(picture_.shape()), copy.planes());
        const v3doff_dsp_counts after = counts_now();
        check(v3doff_dsp_set_device(nullptr), "letting go of the device");
        const uint64_t elsewhere =
            gpu ? after.at_once_cpu - before.at_once_cpu : after.at_once_gpu - before.at_once_gpu;
        if (elsewhere || after.refused != before.refused)
            throw std::runtime_error(
                fmt::format("{} calls were executed in the wrong place", elsewhere));
        return copy.bytes();
    }

    std::vector<uint8_t> run_ffmpeg(bool simd, std::vector<uint8_t> &left_behind) const {
        GuardedPicture::Copy copy(picture_);
        const PictureShape &shape = picture_.shape();
        const FfdspH264 &table = *ffdsp_h264(int(shape.bit_depth), int(shape.chroma), simd);
        call_residuals(table, copy.planes(), left_behind);
        call_filters(table, copy.planes());
        ffdsp_emms();
        return copy.bytes();
    }

    H264Random random_;
    bool bound_;
    GuardedPicture picture_;
    std::vector<H264Operation> operations_;
    std::vector<TablePart> parts_;
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
