// SPDX-License-Identifier: BSD-2-Clause
// VP9 inverse transforms: whole pictures of blocks, in one submit each.
#include <cstring>
#include <fmt/format.h>

#include "ffdsp.h"
#include "picture_case.hpp"
#include "vp9_residual_inputs.hpp"

namespace tool {
namespace {

enum class Inputs { conformant, wild, limit };

struct Block {
    ResidualKind kind;
    uint32_t plane, x, y, lane;
    ResidualInput input;
};

// The coefficients in the type that the bit depth demands, aligned for SIMD.
class CoefficientBuffer {
  public:
    CoefficientBuffer(const ResidualInput &input, unsigned bit_depth)
        : bytes_(input.coefficients.size() * (bit_depth == 8 ? 2 : 4)) {
        for (size_t i = 0; i < input.coefficients.size(); i++) {
            if (bit_depth == 8) {
                int16_t narrow = int16_t(input.coefficients[i]);
                std::memcpy(data_ + 2 * i, &narrow, 2);
            } else {
                std::memcpy(data_ + 4 * i, &input.coefficients[i], 4);
            }
        }
    }
    uint8_t *data() { return data_; }
    void append_to(std::vector<uint8_t> &all) const {
        all.insert(all.end(), data_, data_ + bytes_);
    }

  private:
    alignas(64) uint8_t data_[32 * 32 * 4];
    size_t bytes_;
};

class ResidualCase final : public Case {
  public:
    ResidualCase(const std::vector<ResidualKind> &kinds, unsigned bit_depth, Inputs inputs,
                 bool takes_back, Random &random)
        : picture_(random_shape(random, bit_depth, kinds.size() > 1 ? 200 : 100), random),
          own_memory_(below(random, 2)) {
        const PictureShape &shape = picture_.shape();
        for (unsigned p = 0; p < shape.planes(); p++)
            for (uint32_t y = 0; y < shape.plane_height(p); y += 32)
                for (uint32_t x = 0; x < shape.plane_width(p); x += 32)
                    fill_square(kinds, inputs, p, x, y, random);
        if (takes_back) taken_back_ = TakenBack(picture_.shape(), random);
    }

    Result run(Implementation implementation, Bench &bench) const override {
        Result result;
        auto &samples = result["samples"];
        auto &coefficients = result["coefficients"];
        if (implementation == Implementation::vulkan ||
            implementation == Implementation::reference) {
            bool gpu = implementation == Implementation::vulkan;
            samples =
                run_in_library(picture_, own_memory_, gpu ? bench.vulkan.get() : bench.cpu.get(),
                               gpu ? V3DOFF_EXECUTOR_GPU : V3DOFF_EXECUTOR_CPU,
                               [&](v3doff_picture *picture) { record(picture, coefficients); });
        } else {
            samples = run_ffmpeg(implementation == Implementation::ffmpeg, coefficients);
        }
        return result;
    }

    std::string describe(const std::string &region, size_t byte) const override {
        return region == "samples" ? picture_.describe(byte)
                                   : fmt::format("coefficient left behind at byte {}", byte);
    }

  private:
    // Blocks of one kind in a square of 32x32; some places stay empty.
    void fill_square(const std::vector<ResidualKind> &kinds, Inputs inputs, unsigned plane,
                     uint32_t left, uint32_t top, Random &random) {
        const ResidualKind &kind = kinds[below(random, kinds.size())];
        const PictureShape &shape = picture_.shape();
        const uint32_t size = uint32_t(kind.size());
        for (uint32_t y = top; y < top + 32; y += size)
            for (uint32_t x = left; x < left + 32; x += size) {
                if (x >= shape.plane_width(plane) || y >= shape.plane_height(plane)) continue;
                if (x + size > picture_.padded_width(plane) ||
                    y + size > picture_.padded_height(plane) || below(random, 4) == 0)
                    continue;
                blocks_.push_back({kind, plane, x, y, uint32_t(below(random, V3DOFF_LANES)),
                                   make_input(inputs, kind, random)});
            }
    }

    ResidualInput make_input(Inputs inputs, const ResidualKind &kind, Random &random) const {
        const unsigned bit_depth = picture_.shape().bit_depth;
        return inputs == Inputs::wild    ? wild_input(kind, bit_depth, random)
               : inputs == Inputs::limit ? limit_input(kind, bit_depth, random)
                                         : conformant_input(kind, bit_depth, random);
    }

    void record(v3doff_picture *picture, std::vector<uint8_t> &left_behind) const {
        for (const Block &block : blocks_) {
            CoefficientBuffer buffer(block.input, picture_.shape().bit_depth);
            check(v3doff_vp9_record_itx(picture, block.lane, block.plane, block.x, block.y,
                                        block.kind.tx, block.kind.type, block.input.eob,
                                        buffer.data()),
                  "recording a block");
            buffer.append_to(left_behind);
        }
        taken_back_.require(picture);
    }

    std::vector<uint8_t> run_ffmpeg(bool simd, std::vector<uint8_t> &left_behind) const {
        GuardedPicture::Copy copy(picture_);
        const PictureShape &shape = picture_.shape();
        const FfdspVp9 *functions = ffdsp_vp9(int(shape.bit_depth), simd);
        for (const Block &block : blocks_) {
            CoefficientBuffer buffer(block.input, shape.bit_depth);
            uint8_t *at = copy.plane(block.plane) + block.y * picture_.stride(block.plane) +
                          block.x * shape.sample_bytes();
            functions->itxfm_add[block.kind.tx][block.kind.type](
                at, picture_.stride(block.plane), reinterpret_cast<int16_t *>(buffer.data()),
                int(block.input.eob));
            buffer.append_to(left_behind);
        }
        ffdsp_emms();
        return copy.bytes();
    }

    GuardedPicture picture_;
    bool own_memory_;
    std::vector<Block> blocks_;
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
    DeviceChoice without;
    without.mode = V3DOFF_MODE_CPU;
    Device device = open_device(without);
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
