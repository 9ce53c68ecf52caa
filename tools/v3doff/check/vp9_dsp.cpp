// SPDX-License-Identifier: BSD-2-Clause
// The DSP table of VP9 bound to pictures: what its calls record must give the bits of the picture's
// own interface (the reference), and of FFmpeg's functions called in the same order.
#include <cstring>
#include <fmt/format.h>

#include "ffdsp.h"
#include "generators/vp9_filter.hpp"
#include "picture_case.hpp"
#include "v3doff/vp9dsp.h"
#include "vp9_dsp_driver.hpp"
#include "vp9_residual_inputs.hpp"

namespace tool {
namespace {

using v3doff::vp9::FilterInput;

struct DspBlock {
    ResidualKind kind;
    uint32_t plane, x, y;
    ResidualInput input;
};

class DspCase final : public PictureCase {
  public:
    DspCase(unsigned bit_depth, v3doff_chroma chroma, Random &random)
        : PictureCase({{uint32_t(8 + below(random, 200)), uint32_t(8 + below(random, 200)),
                        bit_depth, chroma},
                       random}),
          generator_(uint32_t(random())), own_memory_(below(random, 2)) {
        input_.format = {shape().width, shape().height, bit_depth, chroma};
        for (unsigned p = 0; p < 3; p++) {
            v3doff::check::random_samples(picture_.writable(p), bit_depth, generator_);
            add_blocks(p, random);
        }
        input_.sharpness = uint32_t(below(random, 8));
        superblocks_ = v3doff::check::random_superblocks(
            input_.format, v3doff::check::random_mix(generator_), generator_);
        input_.superblocks = superblocks_.data();
    }

  private:
    void add_blocks(unsigned plane, Random &random) {
        const auto area = v3doff::vp9::filter_area(input_.format, plane);
        for (uint32_t top = 0; top < shape().plane_height(plane); top += 32)
            for (uint32_t left = 0; left < shape().plane_width(plane); left += 32) {
                if (below(random, 3)) continue;
                const unsigned tx = unsigned(below(random, 5));
                const ResidualKind kind{v3doff_vp9_tx(tx),
                                        v3doff_vp9_tx_type(tx < 3 ? below(random, 4) : 0)};
                const uint32_t size = uint32_t(kind.size());
                const uint32_t x = left + uint32_t(below(random, 32 / size)) * size;
                const uint32_t y = top + uint32_t(below(random, 32 / size)) * size;
                if (x >= shape().plane_width(plane) || y >= shape().plane_height(plane) ||
                    x + size > area.width || y + size > area.height)
                    continue;
                blocks_.push_back(
                    {kind, plane, x, y, conformant_input(kind, shape().bit_depth, random)});
            }
    }

    void run_library(CaseRun &run, v3doff_device *device, v3doff_executor expected) const override {
        run_in_library(run.copy, own_memory_, device, expected, [&](v3doff_picture *picture) {
            expected == V3DOFF_EXECUTOR_GPU ? call_bound(picture) : record(picture);
        });
    }

    void record(v3doff_picture *picture) const {
        for (const DspBlock &block : blocks_) {
            Coefficients coefficients(block.input.coefficients, shape().bit_depth);
            check(v3doff_vp9_record_itx(picture, 0, block.plane, block.x, block.y, block.kind.tx,
                                        block.kind.type, block.input.eob, coefficients.data()),
                  "recording a block");
        }
        check(v3doff_vp9_record_loopfilter(
                  picture, input_.sharpness,
                  reinterpret_cast<const v3doff_vp9_superblock *>(superblocks_.data()),
                  superblocks_.size()),
              "recording the loop filter");
    }

    void call_bound(v3doff_picture *picture) const {
        v3doff_vp9dsp table{};
        table.struct_size = sizeof table;
        check(v3doff_vp9dsp_init(&table, shape().bit_depth), "filling the table");
        v3doff_planes planes = planes_of(picture);
        check(v3doff_dsp_bind(picture, 0), "binding");
        call(table, planes);
        v3doff_dsp_unbind();
    }

    // As a decoder does it: superblock rows are reconstructed, then filtered.
    template <typename Table>
    void call(const Table &table, const v3doff_planes &planes) const {
        const v3doff::PictureFormat &format = input_.format;
        for (uint32_t row = 0; row < input_.rows(); row++) {
            for (const DspBlock &block : blocks_)
                if (block.y << format.shift_y(block.plane) >> 6 == row)
                    if (!add_residual(table, block.kind, block.input, shape().bit_depth,
                                      sample_at(planes, shape(), block.plane, block.x, block.y),
                                      planes.stride[block.plane])
                             .all_zero())
                        throw std::runtime_error("a transform left coefficients behind");
            for (uint32_t col = 0; col < input_.cols(); col++)
                for (unsigned p = 0; p < 3; p++)
                    Vp9FilterDriver<Table>(
                        table,
                        {input_, p, static_cast<uint8_t *>(planes.data[p]), planes.stride[p]})
                        .superblock(row, col);
        }
    }

    void run_ffmpeg(CaseRun &run, bool simd) const override {
        call(*ffdsp_vp9(int(shape().bit_depth), simd), run.copy.planes());
        ffdsp_emms();
        restore_outside(run.copy);
    }

    // FFmpeg's functions filter 8 lines even if only 4 lines of the last block are in the picture.
    void restore_outside(GuardedPicture::Copy &copy) const {
        GuardedPicture::Copy before(picture_);
        for (unsigned p = 0; p < 3; p++) {
            const auto area = v3doff::vp9::filter_area(input_.format, p);
            const unsigned bytes = shape().sample_bytes();
            for (uint32_t y = 0; y < picture_.padded_height(p); y++)
                for (uint32_t x = 0; x < picture_.padded_width(p); x++) {
                    if (x < area.width && y < area.height) continue;
                    const ptrdiff_t at = ptrdiff_t(y) * picture_.stride(p) + x * bytes;
                    std::memcpy(copy.plane(p) + at, before.plane(p) + at, bytes);
                }
        }
    }

    std::mt19937 generator_;
    bool own_memory_;
    FilterInput input_;
    std::vector<v3doff::vp9::FilterSuperblock> superblocks_;
    std::vector<DspBlock> blocks_;
};

} // namespace

void add_vp9_dsp(Suites &suites) {
    const std::pair<const char *, v3doff_chroma> formats[] = {{"420", V3DOFF_CHROMA_420},
                                                              {"422", V3DOFF_CHROMA_422},
                                                              {"440", V3DOFF_CHROMA_440},
                                                              {"444", V3DOFF_CHROMA_444}};
    for (const auto &[name, chroma] : formats)
        for (unsigned bit_depth : {8u, 10u, 12u})
            suites.push_back({fmt::format("vp9_dsp_bound_{}_{}bit", name, bit_depth),
                              "calls of the bound DSP table, against the picture's own interface",
                              10, Ffmpeg::c_and_simd, [bit_depth, chroma = chroma](Random &random) {
                                  return std::make_unique<DspCase>(bit_depth, chroma, random);
                              }});
}

} // namespace tool
