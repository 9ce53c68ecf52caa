// SPDX-License-Identifier: BSD-2-Clause
// VP9 inverse transforms: whole pictures of blocks, in one submit each.
#include <fmt/format.h>

#include "ffdsp.h"
#include "picture_case.hpp"
#include "vp9_residual_inputs.hpp"

namespace tool {
namespace {

enum class Inputs { conformant, wild, limit };

class ResidualCase final : public PictureCase {
  public:
    ResidualCase(const std::vector<ResidualKind> &kinds, unsigned bit_depth, Inputs inputs,
                 bool takes_back, Random &random)
        : PictureCase({random_shape(random, bit_depth, kinds.size() > 1 ? 200 : 100), random}),
          own_memory_(below(random, 2)) {
        for (unsigned p = 0; p < shape().planes(); p++)
            for (uint32_t y = 0; y < shape().plane_height(p); y += 32)
                for (uint32_t x = 0; x < shape().plane_width(p); x += 32)
                    fill_square(kinds, inputs, p, x, y, random);
        if (takes_back) taken_back_ = TakenBack(shape(), random);
    }

  private:
    // Blocks of one kind in a square of 32x32; some places stay empty.
    void fill_square(const std::vector<ResidualKind> &kinds, Inputs inputs, unsigned plane,
                     uint32_t left, uint32_t top, Random &random) {
        const ResidualKind &kind = kinds[below(random, kinds.size())];
        const uint32_t size = uint32_t(kind.size());
        for (uint32_t y = top; y < top + 32; y += size)
            for (uint32_t x = left; x < left + 32; x += size) {
                if (x >= shape().plane_width(plane) || y >= shape().plane_height(plane)) continue;
                if (x + size > picture_.padded_width(plane) ||
                    y + size > picture_.padded_height(plane) || below(random, 4) == 0)
                    continue;
                blocks_.push_back({plane, x, y, uint32_t(below(random, V3DOFF_LANES)), kind,
                                   make_input(inputs, kind, random)});
            }
    }

    ResidualInput make_input(Inputs inputs, const ResidualKind &kind, Random &random) const {
        const unsigned bit_depth = shape().bit_depth;
        return inputs == Inputs::wild    ? wild_input(kind, bit_depth, random)
               : inputs == Inputs::limit ? limit_input(kind, bit_depth, random)
                                         : conformant_input(kind, bit_depth, random);
    }

    void run_library(CaseRun &run, v3doff_device *device, v3doff_executor expected) const override {
        run_in_library(run.copy, own_memory_, device, expected, [&](v3doff_picture *picture) {
            for (const PlacedResidual &block : blocks_)
                record_residual(picture, block, shape().bit_depth).append_to(run.coefficients);
            taken_back_.require(picture);
        });
    }

    void run_ffmpeg(CaseRun &run, bool simd) const override {
        const v3doff_planes planes = run.copy.planes();
        for (const PlacedResidual &block : blocks_)
            add_residual(*ffdsp_vp9(int(shape().bit_depth), simd), block.kind, block.input,
                         shape().bit_depth,
                         sample_at(planes, shape(), block.plane, block.x, block.y),
                         planes.stride[block.plane])
                .append_to(run.coefficients);
        ffdsp_emms();
    }

    bool own_memory_;
    std::vector<PlacedResidual> blocks_;
    TakenBack taken_back_;
};

const char *summary_of(Inputs inputs, bool takes_back) {
    if (takes_back) return "blocks of all kinds, some of them taken back by the CPU";
    if (inputs == Inputs::limit) return "magnitudes add up to the most that all decoders do alike";
    if (inputs == Inputs::wild)
        return "coefficients that no stream holds: defined, and the same everywhere";
    return "pictures of blocks, every end of block, guard bytes, cleared coefficients";
}

// The library reports what it supports, so that every new kernel is checked.
bool is_supported(v3doff_picture *picture, const ResidualKind &kind) {
    alignas(4) int32_t zero[32 * 32] = {};
    return v3doff_vp9_record_itx(picture, 0, 0, 0, 0, kind.tx, kind.type, 1, zero) == V3DOFF_OK;
}

} // namespace

void add_vp9_residual(Suites &suites) {
    Device device = open_cpu();
    for (unsigned bit_depth : {8u, 10u, 12u}) {
        Pool pool = make_pool(device.get(), 64, 64, bit_depth);
        Picture picture = open_picture(pool.get());
        std::vector<ResidualKind> kinds;
        for (int tx = V3DOFF_VP9_TX_4X4; tx <= V3DOFF_VP9_TX_LOSSLESS; tx++)
            for (int type = V3DOFF_VP9_DCT_DCT; type <= V3DOFF_VP9_ADST_ADST; type++) {
                ResidualKind kind{v3doff_vp9_tx(tx), v3doff_vp9_tx_type(type)};
                if (tx >= V3DOFF_VP9_TX_32X32 && type) continue; // one type only
                if (is_supported(picture.get(), kind)) kinds.push_back(kind);
            }
        auto add = [&](const std::string &what, const std::vector<ResidualKind> &some,
                       Inputs inputs, bool takes_back = false) {
            suites.push_back(
                {fmt::format("vp9_residual_{}_{}bit", what, bit_depth),
                 summary_of(inputs, takes_back), inputs == Inputs::conformant ? 20u : 5u,
                 inputs == Inputs::wild ? Ffmpeg::none : Ffmpeg::c_and_simd, [=](Random &random) {
                     return std::make_unique<ResidualCase>(some, bit_depth, inputs, takes_back,
                                                           random);
                 }});
        };
        for (const ResidualKind &kind : kinds)
            add(kind_name(kind), {kind}, Inputs::conformant);
        if (kinds.size() > 1) add("mixed", kinds, Inputs::conformant);
        if (kinds.size() > 1) add("taken_back", kinds, Inputs::wild, true);
        for (const ResidualKind &kind : kinds)
            add(kind_name(kind) + "_wild", {kind}, Inputs::wild);
        for (const ResidualKind &kind : kinds)
            add(kind_name(kind) + "_limit", {kind}, Inputs::limit);
    }
}

} // namespace tool
