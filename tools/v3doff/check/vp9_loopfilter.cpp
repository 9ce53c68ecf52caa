// SPDX-License-Identifier: BSD-2-Clause
// The VP9 loop filter on whole pictures: random partitions, transforms, skips, levels. FFmpeg's
// edge functions take part where all planes use the luma masks (4:4:4), driven in the standard's
// raster order; so a wrong order of edges shows as a difference from them, too.
#include <cstring>
#include <fmt/format.h>

#include "check/vp9_loopfilter_gen.hpp"
#include "picture_case.hpp"
#include "vp9/loopfilter_input.hpp"

#ifdef V3DOFF_HAVE_FFDSP
#include "ffdsp.h"
#endif

namespace tool {
namespace {

using v3doff::vp9::LoopfilterSuperblock;

class LoopfilterCase final : public Case {
  public:
    LoopfilterCase(unsigned bit_depth, v3doff_chroma chroma, Random &random)
        : random_(uint32_t(random())), picture_(shape(bit_depth, chroma, random), random),
          own_memory_(below(random, 2)), sharpness_(uint32_t(below(random, 8))) {
        for (unsigned p = 0; p < 3; p++)
            v3doff::check::random_samples(picture_.writable(p), picture_.stride(p),
                                          picture_.padded_width(p), picture_.padded_height(p),
                                          bit_depth, random_);
        v3doff::PictureFormat format{picture_.shape().width, picture_.shape().height, bit_depth,
                                     chroma};
        superblocks_ =
            v3doff::check::random_superblocks(format, v3doff::check::random_mix(random_), random_);
    }

    Result run(Implementation implementation, Bench &bench) const override {
        Result result;
        if (implementation == Implementation::ffmpeg ||
            implementation == Implementation::ffmpeg_c) {
            result["samples"] = run_ffmpeg(implementation == Implementation::ffmpeg);
            return result;
        }
        bool gpu = implementation == Implementation::vulkan;
        result["samples"] = run_in_library(
            picture_, own_memory_, gpu ? bench.vulkan.get() : bench.cpu.get(),
            gpu ? V3DOFF_EXECUTOR_GPU : V3DOFF_EXECUTOR_CPU, [&](v3doff_picture *picture) {
                check(v3doff_vp9_record_loopfilter(
                          picture, sharpness_,
                          reinterpret_cast<const v3doff_vp9_superblock *>(superblocks_.data()),
                          superblocks_.size()),
                      "recording the loop filter");
            });
        return result;
    }

    std::string describe(const std::string &, size_t byte) const override {
        return picture_.describe(byte);
    }

  private:
    static PictureShape shape(unsigned bit_depth, v3doff_chroma chroma, Random &random) {
        // Mostly small and odd; some that the wavefront crosses in several dispatches.
        uint32_t largest = below(random, 6) ? 200 : 700;
        return {uint32_t(8 + below(random, largest)), uint32_t(8 + below(random, largest)),
                bit_depth, chroma};
    }

    std::vector<uint8_t> run_ffmpeg(bool simd) const {
        GuardedPicture::Copy copy(picture_);
#ifdef V3DOFF_HAVE_FFDSP
        const uint32_t cols = (picture_.shape().width + 63) / 64;
        const FfdspVp9 *functions = ffdsp_vp9(int(picture_.shape().bit_depth), simd);
        for (size_t i = 0; i < superblocks_.size(); i++)
            for (unsigned p = 0; p < 3; p++)
                for (unsigned direction = 0; direction < 2; direction++)
                    filter_superblock(*functions, superblocks_[i], copy.plane(p), p, direction,
                                      uint32_t(i % cols), uint32_t(i / cols));
        ffdsp_emms();
#else
        (void)simd;
#endif
        return copy.bytes();
    }

#ifdef V3DOFF_HAVE_FFDSP
    // 8.8.1: all edges between columns, from left to right in each row; then all between rows.
    void filter_superblock(const FfdspVp9 &functions, const LoopfilterSuperblock &superblock,
                           uint8_t *plane, unsigned p, unsigned direction, uint32_t col,
                           uint32_t row) const {
        for (unsigned y = 0; y < 8; y++)
            for (unsigned x = 0; x < 8; x++)
                for (unsigned size = 0; size < v3doff::vp9::mask_sizes; size++) {
                    // The picture's own left and top edge is not filtered.
                    bool border = size != v3doff::vp9::mask_inner &&
                                  (direction ? row * 8 + y == 0 : col * 8 + x == 0);
                    if (!(superblock.mask[0][direction][y][size] >> x & 1) || border) continue;
                    unsigned inner = size == v3doff::vp9::mask_inner ? 4 : 0;
                    uint8_t *at =
                        plane +
                        ptrdiff_t(row * 64 + y * 8 + (direction ? inner : 0)) * picture_.stride(p) +
                        (col * 64 + x * 8 + (direction ? 0 : inner)) *
                            picture_.shape().sample_bytes();
                    filter_edge(functions, at, picture_.stride(p), direction, size,
                                superblock.level[y][x]);
                }
    }

    void filter_edge(const FfdspVp9 &functions, uint8_t *at, ptrdiff_t stride, unsigned direction,
                     unsigned size, unsigned level) const {
        if (!level) return; // 8.8.2
        const v3doff::vp9::LoopfilterSharpness sharpness(sharpness_);
        const int i = int(sharpness.limit(level)), e = 2 * (int(level) + 2) + i;
        const int which = size == v3doff::vp9::mask_16 ? 2 : size == v3doff::vp9::mask_8 ? 1 : 0;
        functions.loop_filter_8[which][direction](at, stride, e, i, int(level >> 4));
    }
#endif

    std::mt19937 random_; // the generator's kind
    GuardedPicture picture_;
    bool own_memory_;
    uint32_t sharpness_;
    std::vector<LoopfilterSuperblock> superblocks_;
};

class LoopfilterSuite final : public Suite {
  public:
    LoopfilterSuite(const char *name, v3doff_chroma chroma, unsigned bit_depth)
        : name_(fmt::format("vp9_loopfilter_{}_{}bit", name, bit_depth)), chroma_(chroma),
          bit_depth_(bit_depth) {}

    std::string name() const override { return name_; }
    std::string summary() const override {
        return "whole pictures, random masks and levels, against raster order";
    }
    unsigned cases() const override { return 30; }
    bool has(Implementation implementation) const override {
        bool ffmpeg =
            implementation == Implementation::ffmpeg || implementation == Implementation::ffmpeg_c;
#ifdef V3DOFF_HAVE_FFDSP
        return !ffmpeg || chroma_ == V3DOFF_CHROMA_444;
#else
        return !ffmpeg;
#endif
    }
    std::unique_ptr<Case> make_case(Random &random) const override {
        return std::make_unique<LoopfilterCase>(bit_depth_, chroma_, random);
    }

  private:
    std::string name_;
    v3doff_chroma chroma_;
    unsigned bit_depth_;
};

} // namespace

void add_vp9_loopfilter(Suites &suites) {
    const std::pair<const char *, v3doff_chroma> formats[] = {{"420", V3DOFF_CHROMA_420},
                                                              {"422", V3DOFF_CHROMA_422},
                                                              {"440", V3DOFF_CHROMA_440},
                                                              {"444", V3DOFF_CHROMA_444}};
    for (const auto &[name, chroma] : formats)
        for (unsigned bit_depth : {8u, 10u, 12u})
            suites.push_back(std::make_unique<LoopfilterSuite>(name, chroma, bit_depth));
}

} // namespace tool
