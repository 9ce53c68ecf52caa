// SPDX-License-Identifier: BSD-2-Clause
#include "generators/h264_intra.hpp"

#include <bit>
#include <cstring>

#include "records/h264_intra.h"

namespace v3doff::check {
namespace {

using namespace h264;

// A mode that the neighbours of a block allow, any of them as often as any other.
uint8_t random_mode(bool left, bool above, bool corner, H264Random &random) {
    for (;;) {
        const auto mode = uint8_t(random.below(9));
        switch (mode) {
        case INTRA_VERTICAL:
        case INTRA_DOWN_LEFT:
        case INTRA_VERTICAL_LEFT:
            if (above) return mode;
            break;
        case INTRA_HORIZONTAL:
        case INTRA_HORIZONTAL_UP:
            if (left) return mode;
            break;
        case INTRA_DC:
            return uint8_t(left && above ? INTRA_DC
                           : left        ? INTRA_DC_LEFT
                           : above       ? INTRA_DC_ABOVE
                                         : INTRA_DC_128);
        default:
            if (left && above && corner) return mode;
        }
    }
}

uint8_t random_whole_mode(bool left, bool above, bool corner, H264Random &random) {
    for (;;) {
        switch (random.below(4)) {
        case INTRA_WHOLE_HORIZONTAL:
            if (left) return INTRA_WHOLE_HORIZONTAL;
            break;
        case INTRA_WHOLE_VERTICAL:
            if (above) return INTRA_WHOLE_VERTICAL;
            break;
        case INTRA_WHOLE_PLANE:
            if (left && above && corner) return INTRA_WHOLE_PLANE;
            break;
        default:
            return uint8_t(left && above ? INTRA_WHOLE_DC
                           : left        ? INTRA_WHOLE_DC_LEFT
                           : above       ? INTRA_WHOLE_DC_ABOVE
                                         : INTRA_WHOLE_DC_128);
        }
    }
}

struct Place {
    int x, y;
};
constexpr Place place_of(int i) {
    return {(i & 1) + (i >> 2 & 1) * 2, (i >> 1 & 1) + (i >> 3 & 1) * 2};
}

IntraKind random_kind(unsigned kinds, H264Random &random) {
    for (;;) {
        const unsigned kind = random.below(4);
        if (kinds >> kind & 1 && (kind != 3 || kinds == 8 || random.one_in(3)))
            return IntraKind(kind);
    }
}

} // namespace

H264IntraPicture::H264IntraPicture(const H264IntraMix &mix, H264Random &random)
    : width_(1 + random.below(mix.largest)), height_(1 + random.below(mix.largest)),
      constrained_(random.one_in(3)), cells_(size_t(width_) * height_) {
    format_ = {width_ * 16, height_ * 16, mix.bit_depth, mix.chroma};
    const uint32_t others = random.below(3) * 3; // of 8: pictures of intra macroblocks alone, too
    const uint32_t slice_length = random.one_in(2) ? 1 + random.below(30) : UINT32_MAX;
    uint16_t slice = 0;
    uint32_t in_slice = 0;
    for (uint32_t y = 0; y < height_; y++)
        for (uint32_t x = 0; x < width_; x++) {
            if (in_slice++ == slice_length) slice++, in_slice = 1;
            cells_[y * width_ + x] = {slice, random.below(8) >= others};
        }
    for (uint32_t y = 0; y < height_; y++)
        for (uint32_t x = 0; x < width_; x++) {
            if (cells_[y * width_ + x].intra)
                add_intra(mix, x, y, random);
            else if (mix.others && random.one_in(2))
                inter_.push_back({x, y, make_residual(random.one_in(3), random)});
        }
    point();
}

bool H264IntraPicture::available(const Cell &from, int x, int y) const {
    if (x < 0 || y < 0 || x >= int(width_)) return false;
    const Cell &cell = cells_[uint32_t(y) * width_ + uint32_t(x)];
    return cell.slice == from.slice && (cell.intra || !constrained_);
}

H264IntraPicture::Neighbours H264IntraPicture::neighbours_of(uint32_t x, uint32_t y) const {
    const Cell &from = cells_[y * width_ + x];
    const auto at = [&](int dx, int dy) { return available(from, int(x) + dx, int(y) + dy); };
    return {at(-1, 0), at(0, -1), at(-1, -1), at(1, -1)};
}

void H264IntraPicture::add_intra(const H264IntraMix &mix, uint32_t x, uint32_t y,
                                 H264Random &random) {
    const Neighbours there = neighbours_of(x, y);
    Intra added{};
    IntraMacroblock &macroblock = added.macroblock;
    macroblock.x = uint16_t(x), macroblock.y = uint16_t(y);
    macroblock.kind = random_kind(mix.kinds, random);
    // As FFmpeg has them: of blocks inside, what has been decoded before.
    macroblock.top_left_available =
        uint16_t((there.above ? 0xffff : 0xb3ff) & (there.left ? 0xffff : 0xdf5f) &
                 (there.corner ? 0xffff : 0x7fff));
    macroblock.top_right_available =
        uint16_t((there.above ? 0xeeea : 0x26ea) & (there.above_right ? 0xffff : 0xfbff));
    const bool large = macroblock.kind == IntraKind::blocks_8x8;
    if (macroblock.kind == IntraKind::whole_16x16)
        macroblock.mode[0] = random_whole_mode(there.left, there.above, there.corner, random);
    else if (macroblock.kind != IntraKind::pcm)
        for (int i = 0; i < 16; i += large ? 4 : 1) {
            const Place at = place_of(i);
            const bool left = at.x || there.left, above = at.y || there.above;
            const bool corner = at.x ? above : at.y ? left : there.corner;
            macroblock.mode[i] = random_mode(left, above, corner, random);
        }
    macroblock.chroma_mode = random_whole_mode(there.left, there.above, there.corner, random);
    if (macroblock.kind == IntraKind::pcm)
        added.residual = make_pcm(random);
    else if (mix.residuals && !random.one_in(4))
        added.residual = make_residual(large, random);
    intra_.push_back(added);
}

// Coefficients for which FFmpeg's C and SIMD functions agree. Sums of a bypass with more than 8
// bits could exceed the bit depth.
MacroblockResidual H264IntraPicture::make_residual(bool transform_8x8, H264Random &random) {
    MacroblockResidual residual{};
    residual.bypass = format_.bit_depth == 8 && random.one_in(4);
    residual.transform_8x8 = transform_8x8 && !residual.bypass;
    const unsigned style = random.below(3);
    const size_t first = words_.size();
    std::vector<int32_t> values;
    for (unsigned p = 0; p < format_.planes(); p++) {
        const bool whole = !p || format_.chroma == V3DOFF_CHROMA_444;
        const bool large = residual.transform_8x8 && whole;
        const unsigned blocks = whole ? 16 : format_.chroma == V3DOFF_CHROMA_422 ? 8 : 4;
        for (unsigned i = 0; i < blocks; i += large ? 4 : 1) {
            if (random.one_in(style + 2)) continue;
            residual.coded[p] = uint16_t(residual.coded[p] | (large ? 15u : 1u) << i);
            const int most = (large ? 700 : 2000) << (format_.bit_depth - 8);
            const uint32_t sparse = 1 + random.below(4) * random.below(6);
            for (int n = 0; n < (large ? 64 : 16); n++)
                values.push_back(random.one_in(sparse) ? random.between(-most, most)
                                                       : random.between(-40, 40) * (n == 0));
        }
    }
    if (format_.bit_depth > 8) {
        words_.insert(words_.end(), values.begin(), values.end());
    } else {
        for (size_t i = 0; i < values.size(); i += 2)
            words_.push_back(uint32_t(values[i] & 0xffff) | uint32_t(values[i + 1]) << 16);
    }
    residual.source = uint32_t(first);
    for (const uint16_t coded : residual.coded)
        residual.blocks += uint32_t(std::popcount(coded));
    return residual;
}

MacroblockResidual H264IntraPicture::make_pcm(H264Random &random) {
    size_t samples = 0;
    for (unsigned p = 0; p < format_.planes(); p++)
        samples += 256u >> (format_.shift_x(p) + format_.shift_y(p));
    const size_t first = words_.size();
    const uint32_t most = (1u << format_.bit_depth) - 1;
    for (size_t i = 0; i < samples; i += 4 / format_.sample_bytes()) {
        uint32_t word = random.below(most + 1);
        if (format_.bit_depth > 8)
            word |= random.below(most + 1) << 16;
        else
            word = uint32_t(random.next());
        words_.push_back(word);
    }
    MacroblockResidual residual{};
    residual.source = uint32_t(first);
    for (const uint16_t coded : residual.coded)
        residual.blocks += uint32_t(std::popcount(coded));
    return residual;
}

// Once all words are there.
void H264IntraPicture::point() {
    const auto settle = [&](MacroblockResidual &residual) {
        residual.coefficients = words_.data() + residual.source;
    };
    for (Intra &intra : intra_)
        settle(intra.residual);
    for (Inter &inter : inter_)
        settle(inter.residual);
}

} // namespace v3doff::check
