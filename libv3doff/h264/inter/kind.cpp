// SPDX-License-Identifier: BSD-2-Clause
#include "h264/inter/kind.hpp"

namespace v3doff::h264 {
namespace {

uint luma_kind(const InterPlace &place) {
    const bool odd_x = place.fraction_x & 1, odd_y = place.fraction_y & 1;
    if (!place.fraction_y) return place.fraction_x ? INTER_ACROSS : INTER_COPY;
    if (!place.fraction_x) return INTER_DOWN;
    if (odd_x && odd_y) return INTER_DIAGONAL;
    return odd_x ? INTER_BESIDE : INTER_CENTRE;
}

uint chroma_kind(const InterPlace &place, bool inside, int width, uint32_t bit_depth) {
    const int word = bit_depth == 8 ? 4 : 2;
    if (width < word) return inside ? INTER_CHROMA_PART : INTER_CHROMA_ANY_PART;
    if (!inside) return INTER_CHROMA_ANY;
    const bool copy = !place.fraction_x && !place.fraction_y;
    if (copy && width > word) return INTER_COPY;
    if (copy && bit_depth == 8) return INTER_COPY + INTER_NARROW;
    return width == word ? INTER_CHROMA_NARROW : INTER_CHROMA;
}

} // namespace

InterPlane::InterPlane(const PictureFormat &format, unsigned plane)
    : as_luma(!plane || format.chroma == V3DOFF_CHROMA_444), shift_x(format.shift_x(plane)),
      shift_y(format.shift_y(plane)), width(int(inter_width(format, plane))),
      height(int(inter_height(format, plane))) {}

uint inter_kind(const InterPlane &plane, const InterPlace &place, const InterInput &block,
                InterMode mode, uint32_t bit_depth) {
    const bool inside = plane.inside(place, block);
    if (!plane.as_luma) return chroma_kind(place, inside, block.width >> plane.shift_x, bit_depth);
    if (!inside) return INTER_ANY;
    const uint kind = luma_kind(place);
    const bool weighs = inter_weighs(mode);
    // Two words of these, weighted, need too many registers.
    const bool heavy = weighs && (kind == INTER_CENTRE || kind == INTER_DOWN);
    const bool narrow =
        kind == INTER_BESIDE || (bit_depth == 8 && (block.width == 4 || block.x % 8 || heavy));
    return narrow ? kind + INTER_NARROW : kind;
}

uint inter_samples_log2(uint kind, uint32_t bit_depth) {
    const uint word = bit_depth == 8 ? 2 : 1;
    if (kind < INTER_NARROW || kind == INTER_CHROMA) return word + 1;
    return kind == INTER_CHROMA_PART || kind == INTER_CHROMA_ANY_PART ? 1 : word;
}

} // namespace v3doff::h264
