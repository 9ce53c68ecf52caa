// SPDX-License-Identifier: BSD-2-Clause
// Deblocking of the made-up picture as FFmpeg does it, macroblock by macroblock: boundary
// strengths (8.7.2.1), which no DSP table has, with the shortcuts that decoders take, then the
// table's filters.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "bench/h264_made_picture.hpp"
#include "ffdsp.h"
#include "h264/filter/records.hpp"

namespace tool::bench::h264 {
namespace {

constexpr int8_t picture_qp_chroma = 29; // table 8-15

// Strengths of this P slice: [0 edges between columns, 1 between rows][edge][segment].
struct Strengths {
    uint8_t of[2][4][4];
};

class StrengthDeriver {
  public:
    explicit StrengthDeriver(const MadePicture &content) : content_(content) {}

    // The edges that there may be one on; the others' strengths are not set.
    unsigned macroblock(uint32_t x, uint32_t y, Strengths &to) const {
        const size_t at = size_t(y) * content_.mb_width + x;
        const uint32_t type = content_.type[at];
        const bool coded = content_.coded[at];
        // Inside of one partition without coefficients there is nothing to filter.
        const unsigned inner = type & mb_16x16 && !coded ? 1 : type & mb_transform_8x8 ? 5 : 15;
        for (unsigned between_rows = 0; between_rows < 2; between_rows++)
            for (unsigned edge = 0; edge < 4; edge++) {
                if (!(inner >> edge & 1)) continue;
                if (!edge && !(between_rows ? y : x)) {
                    std::memset(to.of[between_rows][0], 0, 4);
                    continue;
                }
                const size_t before = edge ? at : at - (between_rows ? content_.mb_width : 1);
                if ((type | content_.type[before]) & mb_intra)
                    std::memset(to.of[between_rows][edge], edge ? 3 : 4, 4);
                else
                    segments(x, y, before, between_rows, edge, to.of[between_rows][edge]);
            }
        return inner;
    }

  private:
    // Counts first, and vectors only where partitions may meet.
    void segments(uint32_t x, uint32_t y, size_t before, unsigned between_rows, unsigned edge,
                  uint8_t (&to)[4]) const {
        const size_t at = size_t(y) * content_.mb_width + x;
        const unsigned first = edge * (between_rows ? 4 : 1), step = between_rows ? 1 : 4;
        const unsigned last = (edge + 3) % 4 * (between_rows ? 4 : 1); // before the edge
        const uint8_t *q = content_.counts[at].of_block, *p = content_.counts[before].of_block;
        for (unsigned i = 0; i < 4; i++)
            to[i] = q[first + i * step] | p[last + i * step] ? 2 : 0;
        if (edge && content_.type[at] & mb_16x16) return;
        const size_t stride = content_.motion_stride();
        const MadePicture::Vector *a =
            &content_.motion[(size_t(y) * 4 + (between_rows ? edge : 0)) * stride + x * 4 +
                             (between_rows ? 0 : edge)];
        const MadePicture::Vector *b = a - (between_rows ? stride : 1);
        for (unsigned i = 0; i < 4; i++) {
            const size_t to_next = i * (between_rows ? 1 : stride);
            const int across = a[to_next].x - b[to_next].x, down = a[to_next].y - b[to_next].y;
            const bool apart = std::abs(across) >= 4 || std::abs(down) >= 4;
            to[i] = std::max(to[i], uint8_t(apart));
        }
    }

    const MadePicture &content_;
};

// Calls the table's filters for a macroblock.
class Driver {
  public:
    Driver(const FfdspH264 &functions, const PictureView &picture)
        : functions_(functions), picture_(picture),
          luma_(edge_thresholds(MadePicture::picture_qp, MadePicture::picture_qp, 0, 0)),
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
    FfdspH264LoopFilterIntra strong(bool between_rows, unsigned plane) const {
        if (plane)
            return between_rows ? functions_.v_loop_filter_chroma_intra
                                : functions_.h_loop_filter_chroma_intra;
        return between_rows ? functions_.v_loop_filter_luma_intra
                            : functions_.h_loop_filter_luma_intra;
    }
    FfdspH264LoopFilter normal(bool between_rows, unsigned plane) const {
        if (plane)
            return between_rows ? functions_.v_loop_filter_chroma : functions_.h_loop_filter_chroma;
        return between_rows ? functions_.v_loop_filter_luma : functions_.h_loop_filter_luma;
    }

    const FfdspH264 &functions_;
    const PictureView &picture_;
    uint32_t luma_, chroma_; // as FilterMb has thresholds
};

} // namespace

void filter_by_ffmpeg(const MadePicture &content, const FfdspH264 &functions,
                      const PictureView &picture) {
    const StrengthDeriver deriver(content);
    const Driver driver(functions, picture);
    Strengths strengths;
    for (uint32_t y = 0; y < content.mb_height; y++)
        for (uint32_t x = 0; x < content.mb_width; x++) {
            const unsigned edges = deriver.macroblock(x, y, strengths);
            driver.macroblock(x, y, edges, strengths);
        }
}

} // namespace tool::bench::h264
