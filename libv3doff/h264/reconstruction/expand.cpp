// SPDX-License-Identifier: BSD-2-Clause
#include "h264/reconstruction/expand.hpp"

#include <algorithm>
#include <bit>

#include "common/word_lanes.hpp"
#include "h264/intra/intra.hpp"

namespace v3doff::h264 {
namespace {

constexpr Bits word_x{0, 10}, word_y{10, 10}, word_kind{20, 3};
constexpr uint32_t transform_8x8_bit = 1u << 23, residual_bit = 1u << 24, bypass_bit = 1u << 25,
                   unknown_bits = 0xfc000000;

// Every 8x8 block has all of its four bits, or none.
bool has_whole_8x8(uint64_t coded) {
    const uint64_t all = coded & coded >> 1 & coded >> 2 & coded >> 3 & 0x1111'1111'1111;
    return coded == all * 15;
}

} // namespace

uint32_t macroblock_samples(const PictureFormat &format) {
    uint32_t samples = 0;
    for (unsigned p = 0; p < format.planes(); p++)
        samples += 256u >> format.shift_x(p) >> format.shift_y(p);
    return samples;
}

WordsExpander::WordsExpander(const PictureFormat &format, const MacroblockTable &macroblocks,
                             Intra &intra, MacroblockBatch &residuals, uint8_t *present)
    : table_(macroblocks), intra_(intra), residuals_(residuals),
      block_words_(8 * format.sample_bytes()),
      pcm_words_(macroblock_samples(format) * format.sample_bytes() / 4), present_(present) {
    for (unsigned p = 0; p < format.planes(); p++) {
        const unsigned shift = format.shift_x(p) + format.shift_y(p);
        const uint64_t blocks = ((uint64_t(1) << (16 >> shift)) - 1) << 16 * p;
        possible_ |= blocks;
        if (!shift) with_8x8_ |= blocks;
    }
}

void WordsExpander::expand(std::span<const uint32_t> macroblocks,
                           std::span<const uint32_t> coefficients, uint32_t first_coefficient) {
    words_ = macroblocks, coefficients_ = coefficients;
    first_coefficient_ = first_coefficient;
    word_ = coefficient_ = 0;
    while (table_.mbaff && word_ < words_.size())
        add<true>(words_[word_++]);
    while (word_ < words_.size())
        add<false>(words_[word_++]);
    if (coefficient_ != coefficients_.size()) bad_words("coefficients of no macroblock");
}

inline uint32_t WordsExpander::next() {
    if (word_ == words_.size()) bad_words("a lane ends inside a macroblock");
    return words_[word_++];
}

inline void WordsExpander::take_coefficients(uint32_t words, MacroblockResidual &to) {
    if (coefficients_.size() - coefficient_ < words) bad_words("coefficients are missing");
    to.coefficients = coefficients_.data() + coefficient_;
    to.source = first_coefficient_ + uint32_t(coefficient_);
    coefficient_ += words;
}

template <bool mbaff>
inline void WordsExpander::add(uint32_t place) {
    const uint32_t x = unpack(place, word_x), y = unpack(place, word_y);
    const uint32_t kind = unpack(place, word_kind);
    if (x >= table_.mb_width || y >= table_.rows || kind > V3DOFF_H264_PCM || place & unknown_bits)
        bad_words("a macroblock that the picture cannot have");
    if (place & bypass_bit && (!(place & residual_bit) || place & transform_8x8_bit))
        bad_words("a bypass of something other than 4x4 blocks");
    const bool alone = kind != V3DOFF_H264_INTER || place & residual_bit;
    const uint32_t count = alone   ? 1
                           : mbaff ? run_of_pairs(place, x, y)
                                   : run_of(place, table_.mb_width - x);
    const size_t at = mbaff ? table_.place(x, y) : size_t(y) * table_.mb_width + x;
    uint8_t *const present = present_ + at;
    uint8_t twice = 0;
    for (uint32_t i = 0; i < count; i++)
        twice |= present[i], present[i] = 1;
    if (twice) bad_words("a macroblock that is there twice");
    count_ += count;
    const bool is_field = mbaff && table_.macroblocks[at].bits & MB_FIELD;
    if (kind != V3DOFF_H264_INTER) return add_intra(place, x, y, is_field);
    check_motion(at, count);
    predicted_ += count;
    if (!(place & residual_bit)) return;
    MacroblockResidual residual;
    residual.field = is_field;
    read_residual(place, residual);
    residuals_.append(x, y, residual);
}

// Nothing more is done with their motion here: the GPU sorts it.
inline void WordsExpander::check_motion(size_t at, uint32_t count) const {
    const MacroblockRecord *const first = &table_.macroblocks[at];
    bool predicted = true;
    for (uint32_t i = 0; i < count; i++)
        predicted &= is_predicted(first[i]);
    if (!predicted) bad_words("an inter macroblock that is predicted from nothing");
}

// How many macroblocks in its row follow each other with nothing but motion; their words are taken.
inline uint32_t WordsExpander::run_of(uint32_t place, uint32_t most) {
    const uint32_t *const next = words_.data() + word_;
    most = uint32_t(std::min<size_t>(most - 1, words_.size() - word_));
    uint32_t more = 0;
    while (more < most && next[more] == place + more + 1)
        more++;
    word_ += more;
    return 1 + more;
}

// The same in an MBAFF frame, whose macroblocks follow each other pair by pair.
inline uint32_t WordsExpander::run_of_pairs(uint32_t place, uint32_t x, uint32_t y) {
    const uint32_t lower = y & 1, upper_word = place - pack(lower, word_y);
    const uint32_t most = (table_.mb_width - x) * 2 - lower;
    uint32_t count = 1;
    for (; count < most && word_ < words_.size(); count++, word_++) {
        const uint32_t in_row = count + lower;
        if (words_[word_] != upper_word + in_row / 2 + pack(in_row % 2, word_y)) break;
    }
    return count;
}

inline void WordsExpander::read_residual(uint32_t place, MacroblockResidual &residual) {
    const uint32_t first = next(), second = next();
    residual.coded[0] = unpack(first, LOWER_HALF);
    residual.coded[1] = unpack(first, UPPER_HALF);
    residual.coded[2] = unpack(second, LOWER_HALF);
    residual.transform_8x8 = place & transform_8x8_bit;
    residual.bypass = place & bypass_bit;
    const uint64_t coded = first | uint64_t(second) << 32;
    if (coded & ~possible_) bad_words("a coded block that the chroma format does not have");
    if (residual.transform_8x8 && !has_whole_8x8(coded & with_8x8_))
        bad_words("a part of an 8x8 block");
    residual.blocks = uint32_t(std::popcount(coded));
    take_coefficients(residual.blocks * block_words_, residual);
}

void WordsExpander::add_intra(uint32_t place, uint32_t x, uint32_t y, bool is_field) {
    IntraMacroblock macroblock{};
    macroblock.field = is_field;
    macroblock.x = uint16_t(x), macroblock.y = uint16_t(y);
    MacroblockResidual residual{};
    const uint32_t kind = unpack(place, word_kind);
    static_assert(int(IntraKind::blocks_4x4) == V3DOFF_H264_INTRA_4X4 - 1 &&
                  int(IntraKind::pcm) == V3DOFF_H264_PCM - 1);
    macroblock.kind = IntraKind(kind - V3DOFF_H264_INTRA_4X4);
    if (kind == V3DOFF_H264_PCM) {
        if (place & (residual_bit | transform_8x8_bit)) bad_words("PCM with a residual");
        take_coefficients(pcm_words_, residual);
        return intra_.append(macroblock, residual);
    }
    if (!(place & residual_bit)) bad_words("an intra macroblock without what is coded of it");
    read_residual(place, residual);
    if (residual.transform_8x8 != (kind == V3DOFF_H264_INTRA_8X8 && !residual.bypass))
        bad_words("a transform of another size than the prediction");
    const uint64_t low = next();
    const uint64_t modes = low | uint64_t(next()) << 32;
    for (unsigned i = 0; i < 16; i++)
        macroblock.mode[i] = modes >> 4 * i & 15;
    const uint32_t available = next(), chroma_mode = next();
    macroblock.top_left_available = unpack(available, LOWER_HALF);
    macroblock.top_right_available = unpack(available, UPPER_HALF);
    if (chroma_mode > UINT8_MAX) bad_words("an unknown chroma mode");
    macroblock.chroma_mode = uint8_t(chroma_mode);
    intra_.append(macroblock, residual);
}

} // namespace v3doff::h264
