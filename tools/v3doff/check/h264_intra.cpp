// SPDX-License-Identifier: BSD-2-Clause
// H.264 intra macroblocks with residuals among unchanged macroblocks: a picture is recorded as
// words and done in one submit.
#include <fmt/format.h>

#include "generators/h264_intra.hpp"
#include "generators/h264_intra_ffmpeg.hpp"
#include "picture_case.hpp"
#include "v3doff/h264_words.h"

namespace tool {
namespace {

using v3doff::check::H264IntraMix;
using v3doff::check::H264IntraPicture;
using v3doff::check::H264Random;
using v3doff::h264::IntraKind;

H264IntraPicture make_macroblocks(const H264IntraMix &mix, Random &random) {
    H264Random seeded(random());
    return {mix, seeded};
}

PictureShape shape_of(const v3doff::PictureFormat &format) {
    return {format.width, format.height, format.bit_depth, format.chroma};
}

class H264IntraCase final : public PictureCase {
  public:
    H264IntraCase(H264IntraPicture from, Random &random)
        : PictureCase({shape_of(from.format()), random}), from_(std::move(from)) {
        const uint32_t all = from_.mb_width() * from_.mb_height();
        partial_ = from_.intra().size() != all || below(random, 2);
    }

    Result run(Implementation implementation, Bench &bench) const override {
        Result result = PictureCase::run(implementation, bench);
        if (!partial_) picture_.restore_outside_blocks(result["samples"]);
        return result;
    }

  private:
    static constexpr uint32_t intra_4x4 = 1; // of v3doff_h264_arrays.mb_type

    void append(const H264IntraPicture::Intra &intra, v3doff_h264_words &words) const {
        const auto &macroblock = intra.macroblock;
        const auto &residual = intra.residual;
        const size_t bytes = from_.format().sample_bytes();
        size_t blocks = 0;
        for (uint16_t coded : residual.coded)
            blocks += size_t(__builtin_popcount(coded));
        if (macroblock.kind == IntraKind::pcm) {
            size_t samples = 0;
            for (unsigned p = 0; p < from_.format().planes(); p++)
                samples += 256u >> (from_.format().shift_x(p) + from_.format().shift_y(p));
            v3doff_h264_append_pcm(&words, macroblock.x, macroblock.y, residual.coefficients,
                                   samples * bytes);
            return;
        }
        if (blocks) v3doff_h264_append_block(&words, residual.coefficients, blocks * 32 * bytes);
        v3doff_h264_macroblock place{macroblock.x, macroblock.y, {}, 0, residual.bypass};
        std::copy_n(residual.coded, 3, place.coded);
        place.transform_8x8 = macroblock.kind == IntraKind::blocks_8x8 && !residual.bypass;
        v3doff_h264_intra how{};
        how.kind = v3doff_h264_kind(unsigned(macroblock.kind) + V3DOFF_H264_INTRA_4X4);
        std::copy_n(macroblock.mode, 16, how.mode);
        how.chroma_mode = macroblock.chroma_mode;
        how.top_left = macroblock.top_left_available;
        how.top_right = macroblock.top_right_available;
        v3doff_h264_append_intra(&words, &place, &how);
    }

    // In a random number of lanes, whatever macroblocks each of them has.
    void record(v3doff_picture *picture) const {
        const uint32_t lanes = 1 + uint32_t(from_.intra().size() % 3);
        const uint32_t all = from_.mb_width() * from_.mb_height();
        for (uint32_t lane = 0; lane < lanes; lane++) {
            v3doff_h264_words words{};
            check(v3doff_h264_make_room(picture, lane, &words, all), "making room for words");
            for (size_t i = lanes - 1 - lane; i < from_.intra().size(); i += lanes)
                append(from_.intra()[i], words);
            check(v3doff_h264_end_lane(picture, lane, &words), "ending a lane");
        }
        const std::vector<uint32_t> types(all, intra_4x4);
        const std::vector<uint16_t> slices(all, uint16_t(0));
        v3doff_h264_arrays arrays{};
        arrays.struct_size = sizeof arrays;
        arrays.mb_stride = from_.mb_width();
        arrays.mb_type = types.data();
        arrays.slice_table = slices.data();
        arrays.slice_count = 1;
        arrays.flags = V3DOFF_H264_ARRAYS_UNFILTERED;
        check(v3doff_h264_record_rows(picture, V3DOFF_H264_FRAME, &arrays, 0, V3DOFF_H264_ALL_ROWS),
              "handing over macroblocks");
        v3doff_h264_picture_info info{};
        info.struct_size = sizeof info;
        info.partial = partial_;
        check(v3doff_h264_record_picture(picture, &info), "recording words");
    }

    void run_library(CaseRun &run, v3doff_device *device, v3doff_executor expected) const override {
        run_in_library(run.copy, true, device, expected,
                       [this](v3doff_picture *picture) { record(picture); });
    }

    void run_ffmpeg(CaseRun &run, bool simd) const override {
        v3doff::PictureView view;
        view.format = from_.format();
        for (unsigned p = 0; p < shape().planes(); p++) {
            view.plane[p].data = reinterpret_cast<std::byte *>(run.copy.plane(p));
            view.plane[p].stride = picture_.stride(p);
        }
        reconstruct_in_ffmpeg(from_, view, simd);
    }

    H264IntraPicture from_;
    bool partial_; // if not set, samples outside of the macroblocks may be anything
};

Suite intra_suite(std::string name, const H264IntraMix &mix, unsigned cases) {
    return {std::move(name), "all modes, slices, neighbours that may not be used, residuals on top",
            cases, Ffmpeg::c_and_simd, [mix](Random &random) {
                H264IntraMix drawn = mix;
                drawn.residuals = below(random, 3) != 0;
                if (below(random, 5) == 0) drawn.largest = 40; // large enough to use tiles
                return std::make_unique<H264IntraCase>(make_macroblocks(drawn, random), random);
            }};
}

constexpr struct {
    const char *name;
    unsigned kinds, cases;
} intra_mixes[] = {{"4x4", 1, 3}, {"8x8", 2, 3}, {"16x16", 4, 3}, {"pcm", 8, 1}, {"mixed", 15, 6}};

} // namespace

void add_h264_intra(Suites &suites) {
    static const char *const chroma_names[] = {"400", "420", "422", "444"};
    for (unsigned chroma = V3DOFF_CHROMA_400; chroma <= V3DOFF_CHROMA_444; chroma++)
        for (unsigned bit_depth : {8u, 9u, 10u, 14u})
            for (const auto &mix : intra_mixes)
                suites.push_back(intra_suite(fmt::format("h264_intra_{}_{}bit_{}", mix.name,
                                                         bit_depth, chroma_names[chroma]),
                                             {bit_depth, v3doff_chroma(chroma), mix.kinds},
                                             mix.cases));
}

} // namespace tool
