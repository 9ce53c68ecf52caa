// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/reconstruction/expand.hpp"

#include <algorithm>
#include <cstring>

#include "common/word_lanes.hpp"
#include "vp9/residual/reference.hpp"

namespace v3doff::vp9 {
namespace {

constexpr const char *no_reference = "a block of a reference that the picture does not have";
constexpr uint32_t transform_words = 3, block_words = 3;

// For each size, the bits of a block's place that must be 0. Of numbers that are no size, all bits.
struct Alignment {
    uint32_t mask[16];
    Alignment() {
        for (uint32_t &bits : mask)
            bits = UINT32_MAX;
        for (size_t size = 0; size < std::size(block_sizes); size++)
            mask[size] = pack((8u << block_sizes[size].height_log2) / 64 - 1, BLOCK_ROW) |
                         pack((8u << block_sizes[size].width_log2) / 64 - 1, BLOCK_COL);
    }
};
const Alignment alignment;
constexpr uint32_t no_segment = 0xf8000000; // bits of a block's kind: there are eight

// residual_kind() by where among the bounds of its size an end of block lies.
struct TransformKinds {
    static constexpr uint16_t bounds[4][2] = {{16, 16}, {12, 64}, {38, 256}, {34, 135}};
    using Kinds = uint8_t[4][4][4]; // by size and type
    Kinds kind[2];                  // lossless
    TransformKinds() {
        for (int tx = 0; tx < 4; tx++)
            for (int type = 0; type < 4; type++) {
                const int eob[4] = {1, bounds[tx][0], bounds[tx][1], (4 << tx) * (4 << tx)};
                for (int i = 0; i < 4; i++) {
                    kind[0][tx][type][i] = uint8_t(residual_kind(tx, type, eob[i]));
                    kind[1][tx][type][i] = uint8_t(residual_kind(kTxLossless, type, eob[i]));
                }
            }
    }
    static uint32_t of(const Kinds &kinds, uint32_t tx, uint32_t type, uint32_t eob) {
        return kinds[tx][type][(eob > 1) + (eob > bounds[tx][0]) + (eob > bounds[tx][1])];
    }
};
const TransformKinds transform_kinds;

// intra_mode_at()
struct IntraModes {
    uint8_t at[16][2][2] = {};
    IntraModes() {
        for (unsigned mode = 0; mode <= INTRA_TRUE_MOTION; mode++)
            for (unsigned i = 0; i < 4; i++)
                at[mode][i / 2][i % 2] = intra_mode_at(mode, i / 2, i % 2);
    }
};
const IntraModes intra_modes;

struct TokenSums {
    uint32_t magnitude, places; // places: their bits, any that one of them has
};

[[gnu::always_inline]] inline TokenSums sum_tokens(const uint32_t *word, uint32_t count) {
    using Four = int32_t __attribute__((vector_size(16)));
    TokenSums sums{0, 0};
    if (count >= 4) {
        Four magnitude{}, places{};
        for (; count >= 4; count -= 4, word += 4) {
            Four words;
            std::memcpy(&words, word, sizeof words);
            const Four token = words >> 10, sign = words >> 31;
            magnitude += (token ^ sign) - sign;
            places |= words;
        }
        magnitude += __builtin_shufflevector(magnitude, magnitude, 2, 3, 0, 1);
        places |= __builtin_shufflevector(places, places, 2, 3, 0, 1);
        sums.magnitude = uint32_t(magnitude[0] + magnitude[1]);
        sums.places = uint32_t(places[0] | places[1]);
    }
    for (; count; count--, word++) {
        sums.magnitude += uint32_t(std::abs(unpack_signed(*word, COEFFICIENT_VALUE)));
        sums.places |= *word;
    }
    return sums;
}

} // namespace

WordsExpander::WordsExpander(const PictureView &picture, const WordsFrame &frame, InterWords &inter,
                             Residual &inter_residuals, Intra &intra, const FilterMarks &marks)
    : lossless_(frame.lossless), kinds_(transform_kinds.kind[frame.lossless]), inter_(inter),
      inter_residuals_(inter_residuals), intra_(intra), marks_(marks),
      depth_(int(picture.format.bit_depth)), planes_(picture.format.planes()),
      cols_((picture.format.width + 7) / 8), rows_((picture.format.height + 7) / 8),
      superblock_cols_((cols_ + 7) / 8), raw_(frame.transforms, depth_) {
    for (unsigned p = 0; p < planes_; p++)
        plane_[p] = {picture.plane[p].padded_width / 4, picture.plane[p].padded_height / 4,
                     picture.format.shift_x(p), picture.format.shift_y(p)};
    for (unsigned i = 0; i < inter_references; i++)
        has_reference_[i] = frame.references.surface[i] != nullptr;
    for (unsigned i = 0; i < 8 * 4 * 2; i++)
        levels_[i / 2 % 4][i / 8 * 2 + i % 2] = frame.filter_level[i / 8][i / 2 % 4][!(i % 2)];
    for (unsigned segment = 0; segment < 8; segment++)
        for (unsigned plane = 0; plane < planes_; plane++) {
            const auto &factor = frame.dequantisation[segment][plane > 0];
            const int most = std::max({1, std::abs(int(factor[0])), std::abs(int(factor[1]))});
            Factors &factors = factors_[segment][plane];
            factors.packed =
                pack_signed(factor[0], LOWER_HALF) | pack_signed(factor[1], UPPER_HALF);
            for (int tx = 0; tx < 4; tx++)
                factors.most[tx] = most_magnitude(tx, depth_) / uint32_t(most);
        }
}

// A block that the picture cannot have.
void WordsExpander::refuse(const Block &block) const {
    const bool known = block.size() < std::size(block_sizes) && block.segment() < 8;
    if (known && block.row() < rows_ && block.col() < cols_)
        // So that it lies in one superblock, whose memory is there.
        bad_words("a block that is not aligned to its size");
    bad_words("a block that the picture cannot have");
}

void WordsExpander::expand(std::span<const uint32_t> blocks, std::span<const uint32_t> transforms,
                           std::span<const uint32_t> coefficients, uint32_t first) {
    const uint32_t *word = blocks.data(), *const end = word + blocks.size();
    const auto transform_count = uint32_t(transforms.size() / transform_words);
    const uint32_t last_row = rows_ - 1, last_col = cols_ - 1;
    uint32_t transform = 0;
    coefficients_ = coefficients, coefficient_ = 0, first_ = first;
    inter_.make_room(blocks.size());
    while (word < end) {
        if (size_t(end - word) < block_words) bad_words("a lane ends inside a block");
        const uint32_t *const words = word;
        const Block block{words[0], words[2]};
        const uint32_t more = words[1] - transform;
        if (block.place & alignment.mask[block.size()] || block.kind & no_segment ||
            block.row() > last_row || block.col() > last_col)
            refuse(block);
        if (more > transform_count - transform) bad_words("transforms out of order");
        word += block_words;
        if (marks_.has_row(block.row())) mark(block);
        const bool intra = block.intra();
        if (!intra) {
            const uint32_t vectors = (block.size() > last_whole_size ? 4u : 1u) << block.flag();
            if (size_t(end - word) < vectors) bad_words("a lane ends inside a block");
            word += vectors;
            add_inter(block, words);
            if (!more) continue;
        }
        const uint32_t *at = transforms.data() + size_t(transform) * transform_words;
        const uint32_t *const transforms_end = at + size_t(more) * transform_words;
        transform += more;
        if (intra) {
            transform_ = at, transforms_end_ = transforms_end;
            add_intra(block);
        } else
            for (; at < transforms_end; at += transform_words)
                add_transform(at, block.segment(), inter_residuals_);
    }
}

[[gnu::always_inline]] inline void WordsExpander::mark(const Block &block) {
    const uint32_t reference = block.intra() ? 0 : 1 + block_reference(block.kind, 0);
    if (!marks_.add(block.row(), block.col(), block.shape(), levels_[reference][block.level()]))
        bad_words("a transform that is larger than its block");
}

[[gnu::always_inline]] inline void WordsExpander::add_inter(const Block &block,
                                                            const uint32_t *words) {
    if (!inter_.add(words, 0)) add_other(words, 0);
    if (block.flag() && !inter_.add(words, 1)) add_other(words, 1);
}

// One that reads near an edge, has a scaled reference, or none.
[[gnu::noinline]] void WordsExpander::add_other(const uint32_t *words, uint32_t which) {
    if (!has_reference_[block_reference(words[2], which)]) bad_words(no_reference);
    inter_.add_other(words, which);
}

void WordsExpander::add_intra(const Block &block) {
    if (!block.flag() && !block.col()) bad_words("a tile that begins outside the picture");
    const BlockSize &size = block_sizes[block.size()];
    uint32_t modes = 1u << block.chroma_mode();
    for (unsigned quarter = 0; quarter < 4; quarter++)
        modes |= 1u << (block.kind >> 4 * quarter & 15);
    if (modes >> (INTRA_TRUE_MOTION + 1)) bad_words("an unknown intra mode");
    const IntraPlace luma = place_intra(block, 0);
    intra_.border(luma.superblock)
        .add_block(block.row() % 8, block.col() % 8, size.rows(), size.columns(), modes,
                   block.flag());
    intra_.border(luma.superblock).add_cost(block.tx(), luma.count);
    add_intra_plane(block, luma, 0);
    const IntraPlace chroma = place_intra(block, 1);
    for (unsigned plane = 1; plane < planes_; plane++)
        add_intra_plane(block, chroma, plane);
    if (transform_ < transforms_end_) bad_words("a transform that is none of its block's");
}

WordsExpander::IntraPlace WordsExpander::place_intra(const Block &block, unsigned plane) const {
    const Plane &of = plane_[plane];
    IntraPlace place;
    place.tx = block.tx();
    if (plane) place.tx = std::min(place.tx, most_tx(block.size(), of.shift_x, of.shift_y));
    const uint32_t tx = place.tx, step = 1u << tx;
    const uint32_t columns = 1u << block_sizes[block.size()].width_log2 >> 2;
    const uint32_t rows = 1u << block_sizes[block.size()].height_log2 >> 2;
    place.width = columns >> of.shift_x;
    place.end_x = std::min(2 * (cols_ - block.col()), columns) >> of.shift_x;
    place.end_y = std::min(2 * (rows_ - block.row()), rows) >> of.shift_y;
    place.first_x = block.col() * 2 >> of.shift_x, place.first_y = block.row() * 2 >> of.shift_y;
    const uint32_t across = (place.end_x + step - 1) >> tx, down = (place.end_y + step - 1) >> tx;
    if (place.first_x + across * step > of.width || place.first_y + down * step > of.height)
        bad_words("a transform that ends outside the picture");
    place.count = across * down;
    place.right = (cols_ - block.col()) << !of.shift_x;
    place.below = (rows_ - block.row()) << !of.shift_y;
    place.superblock = block.row() / 8 * superblock_cols_ + block.col() / 8;
    return place;
}

// In the order of decoding, 6.4.21: transforms that begin inside the picture, in whole 8x8 blocks.
void WordsExpander::add_intra_plane(const Block &block, const IntraPlace &in, unsigned plane) {
    const uint32_t step = 1u << in.tx, n = 4u << in.tx;
    const bool quarters = !plane && block.size() > last_whole_size && !in.tx;
    IntraRecord *record = intra_.append(in.superblock, plane, in.count);
    for (uint32_t y = 0; y < in.end_y; y += step) {
        const bool has_above = block.row() > 0 || y > 0;
        const uint32_t left = std::min(n, (in.below - y) * 4);
        for (uint32_t x = 0; x < in.end_x; x += step, record++) {
            const uint32_t mode =
                plane ? block.chroma_mode() : block.kind >> (quarters ? 4 * (y * 2 + x) : 0) & 15;
            const bool has_left = !block.flag() || x > 0;
            uint32_t shape = pack(intra_modes.at[mode][has_above][has_left], INTRA_MODE) |
                             pack(in.tx + 2, INTRA_LOG2);
            // Only 4x4 blocks look further to the right, and not beyond their block.
            const uint32_t above = n == 4 && x + 1 < in.width && in.right - x >= 2
                                       ? 8
                                       : std::min(n, (in.right - x) * 4);
            if (has_above) shape |= pack(above, INTRA_ABOVE) | INTRA_HAS_ABOVE;
            if (has_left) shape |= pack(left, INTRA_LEFT) | INTRA_HAS_LEFT;
            const uint32_t at_x = in.first_x + x, at_y = in.first_y + y;
            const uint32_t place = pack(at_x, TRANSFORM_X) | pack(at_y, TRANSFORM_Y) |
                                   pack(plane, TRANSFORM_PLANE) | pack(in.tx, TRANSFORM_TX);
            if (transform_ < transforms_end_ && unpack(*transform_, TRANSFORM_PLACE) == place) {
                shape |= INTRA_HAS_RESIDUAL;
                add_transform(transform_, block.segment(), intra_.residuals());
                transform_ += transform_words;
            }
            *record = {pack_place(at_x, at_y, plane), shape};
        }
    }
}

ResidualWords WordsExpander::words_of(uint32_t place, uint32_t eob, uint32_t count,
                                      uint32_t segment) const {
    ResidualWords words;
    words.block = {unpack(place, TRANSFORM_PLANE),
                   unpack(place, TRANSFORM_X) * 4,
                   unpack(place, TRANSFORM_Y) * 4,
                   int(unpack(place, TRANSFORM_TX)),
                   int(unpack(place, TRANSFORM_TYPE)),
                   int(eob),
                   nullptr};
    if (lossless_) words.block.tx = kTxLossless;
    words.coefficients = coefficients_.subspan(coefficient_, count);
    words.factors = factors_[segment][words.block.plane].packed;
    return words;
}

// Where the tokens say that coefficients may be too large for what all decoders do alike.
[[gnu::noinline]] void WordsExpander::add_large(const ResidualWords &words, uint32_t kind,
                                                ResidualWordsRecord record, Residual &to) {
    const uint64_t magnitude = words.magnitude(raw_.narrow());
    if (magnitude <= most_magnitude(words.block.tx, depth_)) return to.add(kind, record);
    raw_.work_out(words);
    if (raw_.plain() && (depth_ == 8 || magnitude <= largest_sum)) return to.add(kind, record);
    decoders_own_ |= !raw_.plain();
    to.add_raw(words.block.tx, record.place, raw_.residuals());
}

[[gnu::always_inline]] inline void WordsExpander::add_transform(const uint32_t *words,
                                                                uint32_t segment, Residual &to) {
    const uint32_t place = words[0], end = words[1], eob = words[2];
    const uint32_t x = unpack(place, TRANSFORM_X), y = unpack(place, TRANSFORM_Y);
    const uint32_t number = unpack(place, TRANSFORM_PLANE), tx = unpack(place, TRANSFORM_TX);
    const uint32_t count = end - coefficient_, places = 16u << 2 * tx;
    const Plane &plane = plane_[number];
    if (lossless_ && tx) bad_words("a transform of a lossless picture that is not 4x4");
    if (x + (1u << tx) > plane.width || y + (1u << tx) > plane.height)
        bad_words(number < planes_ ? "a transform that ends outside the picture"
                                   : "a transform of a plane that the picture does not have");
    if (count - 1 >= eob || eob > places || end > coefficients_.size())
        bad_words("coefficients out of order");
    const uint32_t kind = TransformKinds::of(kinds_, tx, unpack(place, TRANSFORM_TYPE), eob);
    const TokenSums sums = sum_tokens(coefficients_.data() + coefficient_, count);
    if (unpack(sums.places, COEFFICIENT_PLACE) >= places)
        bad_words("a coefficient outside its transform");
    const Factors &factors = factors_[segment][number];
    ResidualWordsRecord record{pack_place(x, y, number), first_ + coefficient_, count,
                               factors.packed};
    if (kind < RESIDUAL_RAW) {
        const uint32_t word = coefficients_[coefficient_];
        const int32_t dc = residual_dequantised(word, factors.packed, tx == 3, depth_ == 8);
        record.source = uint32_t(residual_of_dc(unpack(word, COEFFICIENT_PLACE) ? 0 : dc, int(tx)));
    }
    if (sums.magnitude <= factors.most[tx])
        to.add(kind, record);
    else
        add_large(words_of(place, eob, count, segment), kind, record, to);
    coefficient_ = end;
}

} // namespace v3doff::vp9
