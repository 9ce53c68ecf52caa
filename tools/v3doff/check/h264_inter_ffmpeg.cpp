// SPDX-License-Identifier: BSD-2-Clause
// H.264 inter prediction with FFmpeg's functions, called as its decoder calls them.
#include "h264_inter_case.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tool {

namespace {

bool has_half_columns(const PictureShape &shape, unsigned plane) {
    return plane && (shape.chroma == V3DOFF_CHROMA_420 || shape.chroma == V3DOFF_CHROMA_422);
}
bool has_half_rows(const PictureShape &shape, unsigned plane) {
    return plane && shape.chroma == V3DOFF_CHROMA_420;
}

// A block of one plane, in its samples; x and y: where its first one lies in the reference.
struct Piece {
    unsigned plane;
    int width, height;
    int64_t x, y;
    int fraction_x, fraction_y;
    bool luma; // use luma's functions
};

struct Prediction {
    alignas(64) uint8_t samples[16 * SampleWindow::stride];
};

// Luma's functions are for squares.
void predict_piece(const FfdspH264 &functions, const GuardedPicture &from, const Piece &piece,
                   bool average, Prediction &to) {
    const PictureShape &shape = from.shape();
    const auto whole = [](uint32_t samples, bool half) { return (samples + 15) / 16 * 16 >> half; };
    const SampleWindow window(from, piece.plane, piece.x, piece.y, 16, 16,
                              whole(shape.width, has_half_columns(shape, piece.plane)),
                              whole(shape.height, has_half_rows(shape, piece.plane)));
    constexpr ptrdiff_t stride = SampleWindow::stride;
    if (!piece.luma) {
        const auto size = 3 - std::bit_width(unsigned(piece.width)) + 1; // of 8, 4, 2
        (average ? functions.chroma_avg : functions.chroma_put)[size](
            to.samples, window.first(), stride, piece.height, piece.fraction_x, piece.fraction_y);
        return;
    }
    const int side = std::min(piece.width, piece.height);
    const auto size = 4 - std::bit_width(unsigned(side)) + 1; // of 16, 8, 4
    const auto function =
        (average ? functions.qpel_avg
                 : functions.qpel_put)[size][piece.fraction_x + 4 * piece.fraction_y];
    const size_t bytes = shape.sample_bytes();
    for (int y = 0; y < piece.height; y += side)
        for (int x = 0; x < piece.width; x += side) {
            const ptrdiff_t at = y * stride + ptrdiff_t(size_t(x) * bytes);
            function(to.samples + at, window.first() + at, stride);
        }
}

void weigh(const FfdspH264 &functions, const Piece &piece,
           const v3doff::h264::InterWeights &weights, bool two, unsigned list,
           Prediction (&made)[2]) {
    const auto size = 4 - std::bit_width(unsigned(piece.width)) + 1; // of 16, 8, 4, 2
    const unsigned p = piece.plane;
    const int denominator = weights.denominator[p > 0];
    constexpr ptrdiff_t stride = SampleWindow::stride;
    if (two)
        functions.biweight_pixels_tab[size](made[0].samples, made[1].samples, stride, piece.height,
                                            denominator, weights.weight[0][p], weights.weight[1][p],
                                            weights.offset[0][p] + weights.offset[1][p]);
    else
        functions.weight_pixels_tab[size](made[0].samples, stride, piece.height, denominator,
                                          weights.weight[list][p], weights.offset[list][p]);
}

Piece piece_of(const PictureShape &shape, const v3doff::h264::InterInput &block, unsigned list,
               unsigned plane) {
    const bool half_x = has_half_columns(shape, plane), half_y = has_half_rows(shape, plane);
    const int across = block.vector[list][0], down = block.vector[list][1];
    Piece piece{};
    piece.plane = plane;
    piece.width = block.width >> half_x, piece.height = block.height >> half_y;
    piece.x = (block.x >> half_x) + (across >> (2 + half_x));
    piece.y = (block.y >> half_y) + (down >> (2 + half_y));
    piece.luma = !half_x;
    piece.fraction_x = piece.luma ? across & 3 : across & 7;
    piece.fraction_y = piece.luma ? down & 3 : (half_y ? down : down * 2) & 7;
    return piece;
}

} // namespace

void predict_h264_by_ffmpeg(const FfdspH264 &functions, const v3doff::h264::InterInput &block,
                            const GuardedPicture *const (&references)[2],
                            const v3doff::h264::InterWeights *weights, GuardedPicture::Copy &to) {
    const PictureShape &shape = to.original().shape();
    const v3doff_planes planes = to.planes();
    const bool two = references[0] && references[1];
    for (unsigned plane = 0; plane < shape.planes(); plane++) {
        Prediction made[2];
        Piece piece{};
        unsigned count = 0, last = 0;
        for (unsigned list = 0; list < 2; list++) {
            if (!references[list]) continue;
            piece = piece_of(shape, block, list, plane);
            const bool average = count && !weights;
            predict_piece(functions, *references[list], piece, average, made[weights ? count : 0]);
            count++, last = list;
        }
        if (weights) weigh(functions, piece, *weights, two, last, made);
        const uint32_t x = block.x >> has_half_columns(shape, plane);
        const uint32_t y = block.y >> has_half_rows(shape, plane);
        for (int row = 0; row < piece.height; row++)
            std::memcpy(sample_at(planes, shape, plane, x, y + uint32_t(row)),
                        made[0].samples + row * SampleWindow::stride,
                        size_t(piece.width) * shape.sample_bytes());
    }
}

} // namespace tool
