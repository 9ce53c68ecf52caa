// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/words_expand.hpp"

#include <algorithm>
#include <cstring>

#include "util/error.hpp"
#include "vp9/intra.hpp"
#include "vp9/residual.hpp"
#include "vp9/residual_reference.hpp"

namespace v3doff::vp9 {
namespace {

[[noreturn]] void bad(const char *what) {
    throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, std::string("words: ") + what);
}

constexpr uint32_t most_tx = 3, no_reference = 3;

constexpr size_t transform_words = 3, block_words = 3;

} // namespace

WordsExpander::WordsExpander(const PictureView &picture, const WordsFrame &frame,
                             PlainArray<InterBlock> &inter, Residual &residual, Intra &intra)
    : picture_(picture), frame_(frame), inter_(inter), residual_(residual), intra_(intra),
      depth_(int(picture.format.bit_depth)), cols_((picture.format.width + 7) / 8),
      rows_((picture.format.height + 7) / 8), superblock_cols_((cols_ + 7) / 8),
      raw_(frame.itxfm_add, depth_) {
}

[[gnu::always_inline]] inline WordsExpander::Block WordsExpander::next_block() {
    if (words_.size() - word_ < block_words) bad("a lane ends inside a block");
    const uint32_t place = words_[word_];
    const size_t end = size_t(words_[word_ + 1]) * transform_words;
    Block block;
    block.kind = words_[word_ + 2];
    word_ += block_words;
    block.row = place & 0x1fff;
    block.col = place >> 13 & 0x1fff;
    block.size = place >> 26 & 15;
    block.intra = place >> 30 & 1;
    block.flag = place >> 31;
    block.segment = block.kind >> 24;
    if (block.row >= rows_ || block.col >= cols_ || block.size >= std::size(block_sizes) ||
        block.segment > 7)
        bad("a block that the picture cannot have");
    // Aligned to its size, so that it lies in one superblock, whose memory is there.
    const BlockSize size = block_sizes[block.size];
    if (((block.col << 3) & ((1u << size.width_log2) - 1)) |
        ((block.row << 3) & ((1u << size.height_log2) - 1)))
        bad("a block that is not aligned to its size");
    if (end < transform_ || end > transforms_.size()) bad("transforms out of order");
    transforms_end_ = end;
    return block;
}

void WordsExpander::expand(std::span<const uint32_t> blocks, std::span<const uint32_t> transforms,
                           std::span<const uint32_t> coefficients) {
    words_ = blocks, transforms_ = transforms, coefficients_ = coefficients;
    word_ = transform_ = coefficient_ = 0;
    while (word_ < words_.size()) {
        const Block block = next_block();
        block.intra ? add_intra(block) : add_inter(block);
    }
}

[[gnu::always_inline]] inline void WordsExpander::add_inter(const Block &block) {
    const unsigned references = 1 + block.flag;
    const unsigned vectors = block.size > last_whole_size ? 4 : 1;
    const size_t words = size_t(vectors) * references;
    if (words_.size() - word_ < words) bad("a lane ends inside a block");
    const uint32_t *const vector = &words_[word_];
    word_ += words;
    InterBlock *const inter = inter_.append(references);
    for (unsigned i = 0; i < references; i++) {
        const uint32_t reference = block.kind >> 2 * i & 3;
        if (reference == no_reference || !frame_.reference[reference])
            bad("a block of a reference that the picture does not have");
        InterBlock to;
        to.col = uint16_t(block.col), to.row = uint16_t(block.row);
        to.size = uint8_t(block.size);
        to.filter = block.kind >> 4 & 3;
        to.reference = uint8_t(reference);
        to.average = i;
        for (unsigned v = 0; v < vectors; v++)
            std::memcpy(&to.vector[v], &vector[v * references + i], sizeof to.vector[v]);
        inter[i] = to;
    }
    while (transform_left())
        residual_.append(read_transform(block.segment), raw_, depth_);
}

void WordsExpander::add_intra(const Block &block) {
    const uint32_t tx = block.kind >> 20 & 3, chroma_tx = block.kind >> 22 & 3;
    add_intra_plane(block, 0, tx);
    for (unsigned plane = 1; plane < picture_.format.planes(); plane++)
        add_intra_plane(block, plane, chroma_tx);
    if (transform_left()) bad("a transform that is none of its block's");
}

// In the order of decoding, 6.4.21: transforms that begin inside the picture, in whole 8x8 blocks.
void WordsExpander::add_intra_plane(const Block &block, unsigned plane, uint32_t tx) {
    const unsigned shift_x = picture_.format.shift_x(plane), shift_y = picture_.format.shift_y(plane);
    const uint32_t width = block.columns() >> shift_x, step = 1u << tx;
    const uint32_t end_x = std::min(2 * (cols_ - block.col), block.columns()) >> shift_x;
    const uint32_t end_y = std::min(2 * (rows_ - block.row), block.rows()) >> shift_y;
    if (step > 16) bad("a transform that is larger than a superblock");
    for (uint32_t y = 0; y < end_y; y += step)
        for (uint32_t x = 0; x < end_x; x += step)
            add_intra_transform(block, plane, tx, x, y, x + 1 < width);
}

void WordsExpander::add_intra_transform(const Block &block, unsigned plane, uint32_t tx, uint32_t x,
                                        uint32_t y, bool more_right) {
    const unsigned shift_x = picture_.format.shift_x(plane), shift_y = picture_.format.shift_y(plane);
    const uint32_t n = 4u << tx;
    const bool quarter = !plane && block.size > last_whole_size && !tx;
    const uint32_t mode = plane ? block.kind >> 16 & 15
                                : block.kind >> (quarter ? 4 * (y * 2 + x) : 0) & 15;
    if (mode > INTRA_TRUE_MOTION) bad("a mode that there is not");
    const bool has_above = block.row > 0 || y > 0, has_left = !block.flag || x > 0;
    if (has_left && !block.col && !x) bad("a tile that begins outside the picture");
    // Of the samples beside the block those count that lie in 8x8 blocks of the picture.
    const uint32_t right = (((cols_ - block.col) << !shift_x) - x) * 4;
    const uint32_t down = (((rows_ - block.row) << !shift_y) - y) * 4;
    IntraInput input;
    input.plane = plane;
    input.x = ((block.col * 2 >> shift_x) + x) * 4;
    input.y = ((block.row * 2 >> shift_y) + y) * 4;
    input.edge_log2 = uint8_t(tx + 2);
    input.mode = intra_mode_at(mode, has_above, has_left);
    // Only 4x4 blocks look further to the right, and not beyond their block.
    const uint32_t above = n == 4 && more_right && right >= 8 ? 8 : std::min(n, right);
    input.above = uint8_t(has_above ? above : 0);
    input.left = uint8_t(has_left ? std::min(n, down) : 0);
    const PlaneView &view = picture_.plane[plane];
    if (input.x + n > view.padded_width || input.y + n > view.padded_height)
        bad("a transform that ends outside the picture");
    const uint32_t place = input.x / 4 | input.y / 4 << 13 | plane << 26 | tx << 28;
    const bool coded = transform_left() && (transforms_[transform_] & 0x3fffffff) == place;
    const uint32_t superblock = block.row / 8 * superblock_cols_ + block.col / 8;
    if (!coded) return intra_.append(superblock, input);
    intra_.append(superblock, input, read_transform(block.segment), raw_, depth_);
}

ResidualWords WordsExpander::read_transform(uint32_t segment) {
    const uint32_t place = transforms_[transform_], end = transforms_[transform_ + 1];
    const uint32_t eob = transforms_[transform_ + 2];
    transform_ += transform_words;
    ResidualWords words;
    ResidualInput &block = words.block;
    block.x = (place & 0x1fff) * 4;
    block.y = (place >> 13 & 0x1fff) * 4;
    block.plane = place >> 26 & 3;
    block.tx = int(place >> 28 & 3);
    block.type = int(place >> 30);
    block.eob = int(eob);
    block.coefficients = nullptr;
    if (block.plane >= picture_.format.planes()) bad("a transform of a plane that there is not");
    if (frame_.lossless && block.tx) bad("a transform of a lossless picture that is not 4x4");
    const PlaneView &view = picture_.plane[block.plane];
    const uint32_t n = 4u << block.tx;
    if (block.x + n > view.padded_width || block.y + n > view.padded_height)
        bad("a transform that ends outside the picture");
    if (end <= coefficient_ || end > coefficients_.size() || end - coefficient_ > n * n ||
        end - coefficient_ > eob || eob > n * n)
        bad("coefficients out of order");
    words.coefficients = coefficients_.subspan(coefficient_, end - coefficient_);
    words.factor = frame_.dequantisation[segment][block.plane > 0];
    coefficient_ = end;
    if (frame_.lossless) block.tx = kTxLossless;
    return words;
}

} // namespace v3doff::vp9
