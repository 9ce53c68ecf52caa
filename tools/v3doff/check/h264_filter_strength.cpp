// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking with derived boundary strengths: random decoder arrays, of frames and of fields,
// and samples in which the strengths are visible. FFmpeg's decoder deblocks from the same arrays.
#include <cstring>
#include <fmt/format.h>

#include "generators/h264_filter.hpp"
#include "generators/h264_filter_strength.hpp"
#include "generators/h264_filter_strength_ffmpeg.hpp"
#include "picture_case.hpp"
#include "v3doff/h264.h"

namespace tool {
namespace {

using v3doff::check::H264Arrays;
using v3doff::check::H264ArraysShape;
using v3doff::check::H264Slices;

struct StrengthKind {
    const char *slices_name;
    H264Slices slices;
    const char *chroma_name;
    v3doff_chroma chroma;
    unsigned bit_depth;
    bool mbaff;
};

// A picture's area: whole macroblocks; with fields, of both; in MBAFF frames, whole pairs.
struct Area {
    uint32_t mb_width, mb_height;
    bool fields, mbaff;

    Area(Random &random, bool with_mbaff)
        : mb_width(uint32_t(1 + below(random, below(random, 4) ? 6 : 30))),
          mb_height(uint32_t(1 + below(random, below(random, 4) ? 5 : 12))),
          fields(below(random, 3) == 0 && !with_mbaff), mbaff(with_mbaff) {
        if (mbaff) mb_height *= 2;
    }
    uint32_t lines() const { return mb_height * (fields ? 32 : 16); }
};

class StrengthCase final : public PictureCase {
  public:
    StrengthCase(const StrengthKind &kind, const Area &area, Random &random)
        : PictureCase({{area.mb_width * 16, area.lines(), kind.bit_depth, kind.chroma}, random}),
          area_(area), own_memory_(below(random, 2)) {
        v3doff::check::H264Random samples(random());
        for (unsigned p = 0; p < this->shape().planes(); p++)
            v3doff::check::fill_filter_samples(samples, picture_.writable(p), kind.bit_depth);
        H264ArraysShape shape;
        shape.mb_width = area.mb_width;
        shape.mb_height = area.mb_height;
        shape.bit_depth = kind.bit_depth;
        shape.slices = kind.slices;
        shape.mbaff = area.mbaff;
        shape.cabac = below(random, 2);
        if (below(random, 2))
            for (int &offset : shape.chroma_qp_index_offset)
                offset = int(between(random, -12, 12));
        const unsigned first = area.fields ? unsigned(1 + below(random, 2)) : 3;
        for (shape.structure = first; shape.structure < 4; shape.structure += area.fields ? 1 : 4)
            if (shape.structure < 3 || !area.fields) parts_.emplace_back(shape, random);
        // Half of the pictures are recorded in one call, the others by rows, and some of these in
        // bands.
        if (below(random, 2))
            for (uint32_t row = 1 + area.mbaff; row < area.mb_height; row += 1 + area.mbaff)
                if (!below(random, 3)) cuts_.push_back({row, below(random, 2) != 0});
    }

    std::string describe(const std::string &region, size_t byte) const override {
        std::string text = PictureCase::describe(region, byte);
        for (const H264Arrays &part : parts_)
            text += fmt::format(", structure {}", part.shape().structure);
        return text;
    }

  private:
    void run_library(CaseRun &run, v3doff_device *device, v3doff_executor expected) const override {
        run_in_library(run.copy, own_memory_, device, expected,
                       [&](v3doff_picture *picture) { record(picture); });
    }

    void record(v3doff_picture *picture) const {
        for (const H264Arrays &part : parts_) {
            const auto structure = v3doff_h264_structure(part.field() ? part.shape().structure : 0);
            const v3doff_h264_arrays arrays = part.arrays();
            if (cuts_.empty()) {
                check(v3doff_h264_record_rows(picture, structure, &arrays, 0, V3DOFF_H264_ALL_ROWS),
                      "recording the deblocking");
                continue;
            }
            uint32_t first = 0;
            for (size_t i = 0; i <= cuts_.size(); i++) {
                const uint32_t end = i < cuts_.size() ? cuts_[i].row : area_.mb_height;
                check(v3doff_h264_record_rows(picture, structure, &arrays, first, end - first),
                      "recording rows of the deblocking");
                if (i < cuts_.size() && cuts_[i].submit) finish_band(picture, end);
                first = end;
            }
        }
    }

    // Submits what is recorded, before the rows below are. Only a frame has bands; the first
    // field's rows are separate submits.
    void finish_band(v3doff_picture *picture, uint32_t row) const {
        const v3doff_rows_info info{sizeof info, row * 16, nullptr, nullptr};
        if (!area_.fields) {
            check(v3doff_picture_submit_rows(picture, &info), "submitting a band");
            return;
        }
        check(v3doff_picture_submit(picture, nullptr), "submitting a band");
        check(v3doff_picture_wait(picture, UINT64_MAX), "waiting for a band");
        check(v3doff_picture_reopen(picture), "opening the picture again");
    }

    void run_ffmpeg(CaseRun &run, bool simd) const override {
        // FFmpeg's frames have chroma lines of one length.
        const size_t stride = (area_.mb_width * 16 * shape().sample_bytes() + 63) & ~63u;
        const size_t size = stride * area_.lines();
        std::vector<uint8_t> memory(size * 3 + 64);
        uint8_t *const planes =
            memory.data() + (64 - reinterpret_cast<uintptr_t>(memory.data()) % 64) % 64;
        copy_planes(run.copy, planes, stride, true);
        for (H264Arrays part : parts_) {
            v3doff::check::FfmpegInput input(part, int(shape().chroma));
            for (unsigned p = 0; p < 3; p++)
                input.filter.data[p] = planes + p * size;
            input.filter.stride[0] = input.filter.stride[1] = ptrdiff_t(stride);
            if (ffdsp_filter_picture(&input.filter, simd, nullptr, nullptr))
                throw std::runtime_error("FFmpeg refused the picture");
        }
        copy_planes(run.copy, planes, stride, false);
    }

    // Between the picture and planes of one stride and size.
    void copy_planes(GuardedPicture::Copy &copy, uint8_t *planes, size_t stride, bool in) const {
        for (unsigned p = 0; p < shape().planes(); p++) {
            const size_t bytes = shape().plane_width(p) * shape().sample_bytes();
            for (uint32_t y = 0; y < shape().plane_height(p); y++) {
                uint8_t *theirs = planes + (p * area_.lines() + y) * stride;
                uint8_t *ours = copy.plane(p) + ptrdiff_t(y) * picture_.stride(p);
                std::memcpy(in ? theirs : ours, in ? ours : theirs, bytes);
            }
        }
    }

    Area area_;
    bool own_memory_;
    std::vector<H264Arrays> parts_;
    struct Cut {
        uint32_t row;
        bool submit; // before the rows below are recorded
    };
    std::vector<Cut> cuts_;
};

Suite strength_suite(const StrengthKind &kind) {
    return {fmt::format("h264_filter_strength_{}{}_{}_{}bit", kind.mbaff ? "mbaff_" : "",
                        kind.slices_name, kind.chroma_name, kind.bit_depth),
            "strengths derived from a decoder's arrays, shown by deblocking", 24,
            Ffmpeg::c_and_simd, [kind](Random &random) {
                return std::make_unique<StrengthCase>(kind, Area(random, kind.mbaff), random);
            }};
}

} // namespace

void add_h264_strength(Suites &suites) {
    const std::pair<const char *, H264Slices> slices[] = {
        {"p", H264Slices::p}, {"b", H264Slices::b}, {"mixed", H264Slices::mixed}};
    struct {
        const char *name;
        v3doff_chroma chroma;
        unsigned bit_depth;
    } const formats[] = {{"400", V3DOFF_CHROMA_400, 8},  {"420", V3DOFF_CHROMA_420, 8},
                         {"422", V3DOFF_CHROMA_422, 8},  {"444", V3DOFF_CHROMA_444, 8},
                         {"420", V3DOFF_CHROMA_420, 10}, {"422", V3DOFF_CHROMA_422, 14}};
    for (const auto &[slices_name, kind] : slices)
        for (const auto &format : formats)
            for (bool mbaff : {false, true})
                if (!mbaff || format.bit_depth < 14)
                    suites.push_back(strength_suite(
                        {slices_name, kind, format.name, format.chroma, format.bit_depth, mbaff}));
}

} // namespace tool
