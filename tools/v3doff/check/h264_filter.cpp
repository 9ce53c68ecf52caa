// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking of whole pictures: frames, and one or both fields of a picture. FFmpeg's edge
// functions are called in the standard's raster order, so a wrong order shows as a difference.
#include <fmt/format.h>

#include "check/h264_filter_ffmpeg.hpp"
#include "generators/h264_filter.hpp"
#include "picture_case.hpp"
#include "v3doff/h264.h"

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

// One call of the API.
struct Part {
    v3doff_h264_structure structure;
    uint32_t mb_width, mb_height;
    std::vector<v3doff_h264_deblock_mb> macroblocks;
};

class FilterCase final : public PictureCase {
  public:
    FilterCase(const PictureShape &shape, Random &random, H264Strengths strengths,
               Pictures pictures)
        : random_(random()), picture_(shape, random), own_memory_(below(random, 2)) {
        for (unsigned p = 0; p < shape.planes(); p++)
            v3doff::check::fill_filter_samples(random_, plane(p), shape.bit_depth);
        if (pictures == Pictures::mbaff)
            add_mbaff(strengths);
        else
            add_parts(below(random, 6), strengths);
    }

    std::string describe(const std::string &, size_t byte) const override {
        std::string text = picture_.describe(byte);
        for (const Part &part : parts_)
            text += fmt::format(", structure {}", int(part.structure));
        return text;
    }

  private:
    std::vector<uint8_t> run_library(v3doff_device *device,
                                     v3doff_executor expected) const override {
        return run_in_library(picture_, own_memory_, device, expected,
                              [&](v3doff_picture *picture) { record(picture); });
    }

    v3doff::PlaneView plane(unsigned p) {
        v3doff::PlaneView view;
        view.data = picture_.writable(p);
        view.stride = picture_.stride(p);
        view.padded_width = picture_.padded_width(p);
        view.padded_height = picture_.padded_height(p);
        return view;
    }

    void add(v3doff_h264_structure structure, H264Strengths strengths) {
        const uint32_t lines = structure == V3DOFF_H264_FRAME ? 16 : 32;
        Part part{structure,
                  (picture_.shape().width + 15) / 16,
                  (picture_.shape().height + lines - 1) / lines,
                  {}};
        part.macroblocks = make_filter_mbs(random_, picture_.shape().bit_depth,
                                           size_t(part.mb_width) * part.mb_height, strengths);
        parts_.push_back(std::move(part));
    }

    // One field, both fields, or, mostly, a frame.
    void add_parts(uint64_t kind, H264Strengths strengths) {
        if (kind != 1) add(kind == 0 ? V3DOFF_H264_TOP_FIELD : V3DOFF_H264_FRAME, strengths);
        if (kind < 2) add(V3DOFF_H264_BOTTOM_FIELD, strengths);
    }

    void add_mbaff(H264Strengths strengths) {
        mbaff_width_ = (picture_.shape().width + 15) / 16;
        const uint32_t pairs = (picture_.shape().height + 31) / 32;
        mbaff_ =
            make_mbaff_mbs(random_, picture_.shape().bit_depth, mbaff_width_, pairs, strengths);
    }

    void record(v3doff_picture *picture) const {
        if (!mbaff_.empty())
            check(v3doff_h264_record_deblock_mbaff(picture, mbaff_.data(), mbaff_.size()),
                  "recording the deblocking");
        for (const Part &part : parts_)
            check(v3doff_h264_record_deblock(picture, part.structure, part.macroblocks.data(),
                                             part.macroblocks.size()),
                  "recording the deblocking");
    }

    std::vector<uint8_t> run_ffmpeg(bool simd) const override {
        GuardedPicture::Copy copy(picture_);
        if (!mbaff_.empty())
            filter_mbaff_by_ffmpeg(
                planes_of(
                    copy,
                    {V3DOFF_H264_FRAME, mbaff_width_, uint32_t(mbaff_.size()) / mbaff_width_, {}}),
                mbaff_, simd);
        for (const Part &part : parts_)
            filter_macroblocks_by_ffmpeg(planes_of(copy, part), part.macroblocks, simd);
        return copy.bytes();
    }

    FilterPlanes planes_of(GuardedPicture::Copy &copy, const Part &part) const {
        FilterPlanes planes{picture_.shape(), {}, {}, part.mb_width, part.mb_height};
        for (unsigned p = 0; p < picture_.shape().planes(); p++) {
            const bool frame = part.structure == V3DOFF_H264_FRAME;
            const bool bottom = part.structure == V3DOFF_H264_BOTTOM_FIELD;
            planes.plane[p] = copy.plane(p) + (bottom ? picture_.stride(p) : 0);
            planes.stride[p] = picture_.stride(p) * (frame ? 1 : 2);
        }
        return planes;
    }

    H264Random random_;
    GuardedPicture picture_;
    bool own_memory_;
    std::vector<Part> parts_;
    uint32_t mbaff_width_ = 0;
    std::vector<v3doff_h264_deblock_mbaff_mb> mbaff_; // in place of parts
};

// All pictures have this size if it is not 0.
Suite filter_suite(std::string name, uint32_t width, uint32_t height, const FilterKind &kind) {
    return {std::move(name), "deblocking of whole frames and fields, against raster order",
            width ? 1u : 10u, ffmpeg_deblocks(kind.bit_depth) ? Ffmpeg::c_and_simd : Ffmpeg::none,
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
