// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking of whole pictures: frames, and one or both fields of a picture. FFmpeg's edge
// functions are called in the standard's raster order, so a wrong order shows as a difference.
#include <fmt/format.h>

#include "check/h264_filter_ffmpeg.hpp"

namespace tool {
namespace {

using v3doff::check::H264Random;
using v3doff::check::H264Strengths;

enum class Pictures { plain, mbaff };

struct FilterKind {
    v3doff_chroma chroma;
    unsigned bit_depth;
    H264Strengths strengths;
    Pictures pictures;
};

class FilterCase final : public PictureCase {
  public:
    FilterCase(const PictureShape &shape, Random &random, H264Strengths strengths,
               Pictures pictures)
        : PictureCase({shape, random}), own_memory_(below(random, 2)) {
        H264Random seeded(random());
        for (unsigned p = 0; p < shape.planes(); p++)
            v3doff::check::fill_filter_samples(seeded, picture_.writable(p), shape.bit_depth);
        if (pictures == Pictures::plain) {
            parts_ = random_filter_parts(shape, strengths, seeded);
            return;
        }
        mbaff_width_ = (shape.width + 15) / 16;
        mbaff_ = make_mbaff_mbs(seeded, shape.bit_depth, mbaff_width_, (shape.height + 31) / 32,
                                strengths);
    }

    std::string describe(const std::string &region, size_t byte) const override {
        return PictureCase::describe(region, byte) + structures_of(parts_);
    }

  private:
    void run_library(CaseRun &run, v3doff_device *device, v3doff_executor expected) const override {
        run_in_library(run.copy, own_memory_, device, expected, [&](v3doff_picture *picture) {
            if (!mbaff_.empty())
                check(v3doff_h264_record_deblock_mbaff(picture, mbaff_.data(), mbaff_.size()),
                      "recording the deblocking");
            for (const FilterPart &part : parts_)
                record_part(picture, part);
        });
    }

    void run_ffmpeg(CaseRun &run, bool simd) const override {
        const FfdspH264 &functions = *ffdsp_h264(int(shape().bit_depth), int(shape().chroma), simd);
        const v3doff_planes planes = run.copy.planes();
        const FilterPart frame{V3DOFF_H264_FRAME, mbaff_width_, (shape().height + 31) / 32 * 2, {}};
        if (!mbaff_.empty())
            filter_mbaff_by_table(functions, planes_of(frame, shape(), planes), mbaff_);
        for (const FilterPart &part : parts_)
            filter_by_table(functions, planes_of(part, shape(), planes), part.macroblocks);
        ffdsp_emms();
    }

    bool own_memory_;
    std::vector<FilterPart> parts_;
    uint32_t mbaff_width_ = 0;
    std::vector<v3doff_h264_deblock_mbaff_mb> mbaff_; // in place of parts
};

// All pictures have this size if it is not 0.
Suite filter_suite(std::string name, uint32_t width, uint32_t height, const FilterKind &kind) {
    return {std::move(name), "deblocking of whole frames and fields, against raster order",
            width ? 1u : 10u,
            ffdsp_h264(int(kind.bit_depth), 1, 0) ? Ffmpeg::c_and_simd : Ffmpeg::none,
            [=](Random &random) {
                // Mostly a few macroblocks; sometimes long pictures, for which the last pass has
                // many slabs.
                const uint64_t most[] = {48, 160, 400};
                const uint64_t columns = below(random, 3), rows = below(random, 3);
                PictureShape shape{uint32_t(1 + below(random, most[columns])),
                                   uint32_t(1 + below(random, most[rows])), kind.bit_depth,
                                   kind.chroma};
                if (width) shape.width = width, shape.height = height;
                return std::make_unique<FilterCase>(shape, random, kind.strengths, kind.pictures);
            }};
}

} // namespace

void add_h264_filter(Suites &suites) {
    const std::pair<const char *, v3doff_chroma> formats[] = {{"400", V3DOFF_CHROMA_400},
                                                              {"420", V3DOFF_CHROMA_420},
                                                              {"422", V3DOFF_CHROMA_422},
                                                              {"444", V3DOFF_CHROMA_444}};
    const std::tuple<const char *, H264Strengths, Pictures> kinds[] = {
        {"mixed", H264Strengths::mixed, Pictures::plain},
        {"all", H264Strengths::all, Pictures::plain},
        {"mbaff", H264Strengths::mixed, Pictures::mbaff},
        {"mbaff_all", H264Strengths::all, Pictures::mbaff}};
    for (const auto &[name, chroma] : formats)
        for (unsigned bit_depth : {8u, 9u, 10u, 12u, 14u})
            for (const auto &[kind, strengths, pictures] : kinds)
                suites.push_back(
                    filter_suite(fmt::format("h264_filter_{}_{}_{}bit", kind, name, bit_depth), 0,
                                 0, {chroma, bit_depth, strengths, pictures}));
    // From one macroblock to 256 by 256.
    constexpr std::pair<uint32_t, uint32_t> sizes[] = {
        {16, 16}, {4096, 16}, {16, 4096}, {1920, 1080}, {4096, 4096}};
    for (const auto &[width, height] : sizes)
        for (Pictures pictures : {Pictures::plain, Pictures::mbaff})
            suites.push_back(filter_suite(fmt::format("h264_filter_{}x{}{}", width, height,
                                                      pictures == Pictures::mbaff ? "_mbaff" : ""),
                                          width, height,
                                          {V3DOFF_CHROMA_420, 8, H264Strengths::mixed, pictures}));
}

} // namespace tool
