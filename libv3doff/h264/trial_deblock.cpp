// SPDX-License-Identifier: BSD-2-Clause
// Deblocking from a decoder's arrays, as decoders hand it over. The CPU's side is what a decoder
// does in its place, macroblock by macroblock: boundary strengths (8.7.2.1), which no DSP table
// has, with the shortcuts that decoders take, then the table's filters.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>

#include "h264/filter.hpp"
#include "h264/trial.hpp"

namespace v3doff::h264 {
namespace {

constexpr int8_t picture_qp = 30, picture_qp_chroma = 29; // table 8-15

struct Counts {
    uint8_t of_block[48];
};
struct Vector {
    int16_t x, y;
};

// Of one P slice: large partitions that move with what is around them.
struct Arrays {
    uint32_t mb_width, mb_height;
    std::vector<uint32_t> type;
    std::vector<int8_t> qp, reference;
    std::vector<uint16_t> slice;
    std::vector<Counts> counts;
    std::vector<uint8_t> coded; // any count
    std::vector<Vector> motion;
    StrengthSlice parameters{};

    size_t motion_stride() const { return size_t(mb_width) * 4; }
    StrengthInput input() const {
        StrengthInput input;
        input.mb_width = mb_width;
        input.mb_height = mb_height;
        input.mb_stride = mb_width;
        input.mb_type = type.data();
        input.qp = qp.data();
        input.slice_table = slice.data();
        input.non_zero_count = &counts[0].of_block;
        input.motion_stride = motion_stride();
        input.motion_mb_stride = 4 * motion_stride();
        input.motion[0] = reinterpret_cast<const int16_t(*)[2]>(motion.data());
        input.reference[0] = reference.data();
        input.slices = &parameters;
        input.slice_count = 1;
        return input;
    }
};

// Two thirds of the macroblocks are one partition, most of them without a residual; one in twenty
// is intra. Vectors change from one 64x64 to the next.
void make_macroblock(Arrays &arrays, uint32_t x, uint32_t y, std::mt19937 &random) {
    const size_t at = size_t(y) * arrays.mb_width + x;
    const uint32_t what = random() % 20;
    const int16_t common = int16_t((x / 4 * 5 + y / 4 * 3) % 7 * 6);
    const bool coded = random() % 3 == 0;
    arrays.coded[at] = coded;
    for (unsigned block = 0; block < 16; block++)
        arrays.counts[at].of_block[block] = coded ? uint8_t(random() % 2) : 0;
    if (what == 0) {
        arrays.type[at] = 2; // Intra_16x16
        std::fill_n(&arrays.reference[at * 4], 4, int8_t(-1));
        return;
    }
    const uint32_t shape = what < 14   ? uint32_t(mb_16x16)
                           : what < 16 ? uint32_t(mb_16x8)
                           : what < 18 ? uint32_t(mb_8x16)
                                       : 0;
    arrays.type[at] = shape | mb_uses_list_0 | (random() % 2 ? uint32_t(mb_transform_8x8) : 0);
    if (arrays.type[at] & mb_transform_8x8) // every block of an 8x8 has the count of it
        for (unsigned block = 0; block < 16; block++)
            arrays.counts[at].of_block[block] =
                arrays.counts[at].of_block[block / 8 * 8 + block % 4 / 2 * 2];
    for (unsigned block = 0; block < 16; block++) {
        const unsigned part = shape == mb_16x16  ? 0
                              : shape == mb_16x8 ? block / 8
                              : shape == mb_8x16 ? block % 4 / 2
                                                 : block / 8 * 2 + block % 4 / 2;
        arrays.motion[(size_t(y) * 4 + block / 4) * arrays.motion_stride() + x * 4 + block % 4] = {
            int16_t(common + int(part) * 3), int16_t(common - int(part) * 5)};
    }
}

Arrays make_arrays(const FilterArea &area) {
    const size_t count = size_t(area.mb_width) * area.mb_height;
    Arrays arrays;
    arrays.mb_width = area.mb_width;
    arrays.mb_height = area.mb_height;
    arrays.type.resize(count);
    arrays.qp.assign(count, picture_qp);
    arrays.reference.assign(count * 4, 0);
    arrays.slice.assign(count, 0);
    arrays.counts.resize(count);
    arrays.coded.resize(count);
    arrays.motion.resize(count * 16);
    std::mt19937 random(7);
    for (uint32_t y = 0; y < area.mb_height; y++)
        for (uint32_t x = 0; x < area.mb_width; x++)
            make_macroblock(arrays, x, y, random);
    return arrays;
}

// Strengths of this P slice: [0 edges between columns, 1 between rows][edge][segment].
struct Strengths {
    uint8_t of[2][4][4];
};

class TrialDeriver {
  public:
    explicit TrialDeriver(const Arrays &arrays) : arrays_(arrays) {}

    // The edges that there may be one on; the others' strengths are not set.
    unsigned macroblock(uint32_t x, uint32_t y, Strengths &to) const {
        const size_t at = size_t(y) * arrays_.mb_width + x;
        const uint32_t type = arrays_.type[at];
        const bool coded = arrays_.coded[at];
        // Inside of one partition without coefficients there is nothing to filter.
        const unsigned inner = type & mb_16x16 && !coded ? 1 : type & mb_transform_8x8 ? 5 : 15;
        for (unsigned between_rows = 0; between_rows < 2; between_rows++)
            for (unsigned edge = 0; edge < 4; edge++) {
                if (!(inner >> edge & 1)) continue;
                if (!edge && !(between_rows ? y : x)) {
                    std::memset(to.of[between_rows][0], 0, 4);
                    continue;
                }
                const size_t before = edge ? at : at - (between_rows ? arrays_.mb_width : 1);
                if ((type | arrays_.type[before]) & mb_intra)
                    std::memset(to.of[between_rows][edge], edge ? 3 : 4, 4);
                else
                    for (unsigned i = 0; i < 4; i++)
                        to.of[between_rows][edge][i] = segment(x, y, before, between_rows, edge, i);
            }
        return inner;
    }

  private:
    uint8_t segment(uint32_t x, uint32_t y, size_t before, unsigned between_rows, unsigned edge,
                    unsigned i) const {
        const size_t at = size_t(y) * arrays_.mb_width + x;
        const unsigned q = between_rows ? edge * 4 + i : i * 4 + edge;
        const unsigned p = between_rows ? (edge + 3) % 4 * 4 + i : i * 4 + (edge + 3) % 4;
        if (arrays_.counts[at].of_block[q] | arrays_.counts[before].of_block[p]) return 2;
        const size_t stride = arrays_.motion_stride();
        const Vector *a = &arrays_.motion[(size_t(y) * 4 + q / 4) * stride + x * 4 + q % 4];
        const Vector *b = a - (between_rows ? stride : 1);
        return std::abs(a->x - b->x) >= 4 || std::abs(a->y - b->y) >= 4;
    }

    const Arrays &arrays_;
};

// Calls the table's filters for a macroblock.
class Driver {
  public:
    Driver(const v3doff_h264dsp &simd, const PictureView &picture)
        : simd_(simd), picture_(picture), luma_(edge_thresholds(picture_qp, picture_qp, 0, 0)),
          chroma_(edge_thresholds(picture_qp_chroma, picture_qp_chroma, 0, 0)) {}

    void macroblock(uint32_t x, uint32_t y, unsigned edges, const Strengths &strengths) const {
        for (unsigned p = 0; p < 3; p++) {
            const unsigned shift = p ? 1 : 0; // 4:2:0
            const PlaneView &plane = picture_.plane[p];
            auto *first = reinterpret_cast<uint8_t *>(plane.data) +
                          ptrdiff_t(y * 16 >> shift) * plane.stride + (x * 16 >> shift);
            for (unsigned between_rows = 0; between_rows < 2; between_rows++)
                for (unsigned edge = 0; edge < 4; edge += 1 + shift)
                    if (edges >> edge & 1)
                        filter(first + ptrdiff_t(edge * (4 >> shift)) *
                                           (between_rows ? plane.stride : 1),
                               plane.stride, between_rows, p, strengths.of[between_rows][edge]);
        }
    }

  private:
    void filter(uint8_t *at, ptrdiff_t stride, bool between_rows, unsigned plane,
                const uint8_t (&strengths)[4]) const {
        const uint32_t limits = plane ? chroma_ : luma_;
        const int alpha = int(limits & 255), beta = int(limits >> 8 & 255);
        uint32_t all;
        std::memcpy(&all, strengths, sizeof all);
        if (!all) return;
        if (strengths[0] == 4) return strong(between_rows, plane)(at, stride, alpha, beta);
        int8_t tc0[4];
        for (unsigned i = 0; i < 4; i++) {
            const int limit = strengths[i] ? int(limits >> (11 + 5 * strengths[i]) & 31) : -1;
            tc0[i] = int8_t(limit + (plane ? 1 : 0));
        }
        normal(between_rows, plane)(at, stride, alpha, beta, tc0);
    }
    v3doff_h264_loop_filter_intra strong(bool between_rows, unsigned plane) const {
        if (plane)
            return between_rows ? simd_.h264_v_loop_filter_chroma_intra
                                : simd_.h264_h_loop_filter_chroma_intra;
        return between_rows ? simd_.h264_v_loop_filter_luma_intra
                            : simd_.h264_h_loop_filter_luma_intra;
    }
    v3doff_h264_loop_filter normal(bool between_rows, unsigned plane) const {
        if (plane)
            return between_rows ? simd_.h264_v_loop_filter_chroma : simd_.h264_h_loop_filter_chroma;
        return between_rows ? simd_.h264_v_loop_filter_luma : simd_.h264_h_loop_filter_luma;
    }

    const v3doff_h264dsp &simd_;
    const PictureView &picture_;
    uint32_t luma_, chroma_; // as FilterMb has thresholds
};

} // namespace

Trial filter_trial(unsigned size, const v3doff_h264dsp &simd) {
    Trial trial{V3DOFF_FAMILY_H264_DEBLOCK,
                size,
                {size_classes[size].width, size_classes[size].height, 8, V3DOFF_CHROMA_420},
                {},
                {}};
    const FilterArea area = filter_area(trial.format, V3DOFF_H264_FRAME);
    auto arrays = std::make_shared<const Arrays>(make_arrays(area));
    trial.record = [arrays, area](Picture &picture) {
        picture.stage<Filter>(Slot::filter).record(area, arrays->input(), 0, area.mb_height);
    };
    trial.run_simd = [arrays, area, simd](const PictureView &picture) {
        const TrialDeriver deriver(*arrays);
        const Driver driver(simd, picture);
        Strengths strengths;
        for (uint32_t y = 0; y < area.mb_height; y++)
            for (uint32_t x = 0; x < area.mb_width; x++) {
                const unsigned edges = deriver.macroblock(x, y, strengths);
                driver.macroblock(x, y, edges, strengths);
            }
    };
    return trial;
}

} // namespace v3doff::h264
