// SPDX-License-Identifier: BSD-2-Clause
#include "h264/residual/groups.hpp"

namespace v3doff::h264 {
namespace {

struct Source {
    int bit_depth;
    const uint8_t *counts;
    const void *coefficients;

    bool has_dc(uint32_t number) const {
        return bit_depth == 8 ? static_cast<const int16_t *>(coefficients)[number * 16] != 0
                              : static_cast<const int32_t *>(coefficients)[number * 16] != 0;
    }
};

void add(MacroblockBlocks &to, ResidualKind kind, uint32_t plane, uint32_t place, uint32_t number) {
    const uint32_t x = (place & 1) + (place >> 2 & 1) * 2;
    const uint32_t y = (place >> 1 & 1) + (place >> 3 & 1) * 2;
    to.block[to.count++] = {kind, plane, x * 4, y * 4, number};
}

// The counts include the DC coefficient.
void add_inter(MacroblockBlocks &to, const Source &from, ResidualKind full, ResidualKind dc,
               uint32_t step) {
    for (uint32_t n = 0; n < 16; n += step)
        if (const uint32_t count = from.counts[count_place(0, n)])
            add(to, count == 1 && from.has_dc(n) ? dc : full, 0, n, n);
}

// The DC coefficient was coded apart and is in no count.
void add_with_dc_apart(MacroblockBlocks &to, const Source &from, uint32_t plane, uint32_t place,
                       uint32_t number) {
    if (from.counts[count_place(plane, place)])
        add(to, ResidualKind::residual_4x4, plane, place, number);
    else if (from.has_dc(number))
        add(to, ResidualKind::dc_4x4, plane, place, number);
}

void add_chroma(MacroblockBlocks &to, const Source &from, bool tall) {
    for (uint32_t plane = 1; plane <= 2; plane++)
        for (uint32_t n = 0; n < (tall ? 8 : 4); n++)
            add_with_dc_apart(to, from, plane, n < 4 ? n : n + 4, plane * 16 + n);
}

} // namespace

MacroblockBlocks macroblock_blocks(MacroblockGroup group, v3doff_chroma chroma, int bit_depth,
                                   const uint8_t *counts, const void *coefficients) {
    MacroblockBlocks to;
    const Source from{bit_depth, counts, coefficients};
    switch (group) {
    case MacroblockGroup::add16:
        add_inter(to, from, ResidualKind::residual_4x4, ResidualKind::dc_4x4, 1);
        break;
    case MacroblockGroup::add4:
        add_inter(to, from, ResidualKind::residual_8x8, ResidualKind::dc_8x8, 4);
        break;
    case MacroblockGroup::add16_intra:
        for (uint32_t n = 0; n < 16; n++)
            add_with_dc_apart(to, from, 0, n, n);
        break;
    case MacroblockGroup::add8:
        add_chroma(to, from, chroma == V3DOFF_CHROMA_422);
        break;
    }
    return to;
}

} // namespace v3doff::h264
