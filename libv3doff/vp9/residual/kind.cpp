// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/residual/kind.hpp"

#include <string>

#include "vk/shaders.hpp"
#include "vp9/residual/reference.hpp"

namespace v3doff::vp9 {
namespace {

using Kind = ResidualKindShape;

constexpr Kind kKinds[RESIDUAL_KINDS] = {
    {kTx4x4, kDctDct, 0},         {kTx8x8, kDctDct, 0},         {kTx16x16, kDctDct, 0},
    {kTx32x32, kDctDct, 0},       {kTx4x4, kDctDct, 0, true},   {kTx8x8, kDctDct, 0, true},
    {kTx16x16, kDctDct, 0, true}, {kTx32x32, kDctDct, 0, true}, {kTxLossless, kDctDct, 4},
    {kTx4x4, kDctDct, 4},         {kTx8x8, kDctDct, 4},         {kTx8x8, kDctDct, 8},
    {kTx16x16, kDctDct, 8},       {kTx16x16, kDctDct, 16},      {kTx32x32, kDctDct, 8},
    {kTx32x32, kDctDct, 16},      {kTx32x32, kDctDct, 32},      {kTx4x4, kDctAdst, 4},
    {kTx4x4, kAdstDct, 4},        {kTx4x4, kAdstAdst, 4},       {kTx8x8, kDctAdst, 8},
    {kTx8x8, kAdstDct, 8},        {kTx8x8, kAdstAdst, 8},       {kTx16x16, kDctAdst, 16},
    {kTx16x16, kAdstDct, 16},     {kTx16x16, kAdstAdst, 16},
};

// Instructions of a workgroup of each kind, rounded up.
constexpr uint kGroupCost[RESIDUAL_KINDS] = {
    2000,  3000, 5000, 8000,  2000, 3000, 5000, 9000, 2500, 3000, 4500,  6500,  12000,
    17000, 8000, 9000, 10000, 4000, 4000, 4000, 8000, 8000, 9000, 20000, 20000, 22000};

ResidualShaders shaders_of(const std::string &use) {
    return {vk::shader_index(("vp9_residual_" + use).c_str()),
            vk::shader_index(("vp9_residual_adst_" + use).c_str())};
}

} // namespace

const ResidualKindShape &residual_kind_shape(uint kind) {
    return kKinds[kind];
}

uint residual_kind(int tx, int type, int eob) {
    if (residual_is_dc(tx, type, eob)) return RESIDUAL_DC + uint(tx);
    if (tx < kTx32x32 && type != kDctDct) return RESIDUAL_ADST_4 + uint(tx) * 3 + uint(type) - 1;
    // The greatest eob in the default scan with which all coefficients are in the corner.
    switch (tx) {
    case kTx4x4:
        return RESIDUAL_DCT_4;
    case kTx8x8:
        return eob <= 12 ? RESIDUAL_DCT_8_4 : RESIDUAL_DCT_8;
    case kTx16x16:
        return eob <= 38 ? RESIDUAL_DCT_16_8 : RESIDUAL_DCT_16;
    case kTx32x32:
        return eob <= 34 ? RESIDUAL_DCT_32_8 : eob <= 135 ? RESIDUAL_DCT_32_16 : RESIDUAL_DCT_32;
    default:
        return RESIDUAL_WHT_4;
    }
}

uint residual_block_words(uint kind, int bit_depth) {
    if (kKinds[kind].raw)
        return uint(transform_edge(kKinds[kind].tx) * transform_edge(kKinds[kind].tx) / 2);
    const uint corner = uint(kKinds[kind].corner);
    return corner * corner / (bit_depth == 8 ? 2 : 1);
}

uint residual_lanes_log2(uint kind, int bit_depth) {
    const Kind &k = kKinds[kind];
    if (transform_edge(k.tx) == 4) return 0;
    if (k.corner == 0) return uint(k.tx);
    if (k.tx == kTx32x32) return 5;
    return uint(k.tx) + (bit_depth == 8 ? 0 : 1);
}

// Above 8 bits one of each serves all depths.
const ResidualShaders &residual_shaders(ResidualUse use, uint32_t bit_depth) {
    static const ResidualShaders shaders[3][2] = {
        {shaders_of("8"), shaders_of("high")},
        {shaders_of("words_8"), shaders_of("words_high")},
        {shaders_of("alone_8"), shaders_of("alone_high")}};
    return shaders[size_t(use)][bit_depth > 8];
}

uint residual_group_cost(uint kind) {
    return kGroupCost[kind];
}

} // namespace v3doff::vp9
