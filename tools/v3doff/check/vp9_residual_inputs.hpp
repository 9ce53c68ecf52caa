// SPDX-License-Identifier: BSD-2-Clause
// Coefficients as a VP9 encoder would produce them, and some that none would.
#pragma once

#include "coefficients.hpp"
#include "suite.hpp"

namespace tool {

struct ResidualKind {
    v3doff_vp9_tx tx = V3DOFF_VP9_TX_4X4;
    v3doff_vp9_tx_type type = V3DOFF_VP9_DCT_DCT;
    int size() const { return tx == V3DOFF_VP9_TX_LOSSLESS ? 4 : 4 << tx; }
};

std::string kind_name(const ResidualKind &kind);

struct ResidualInput {
    uint32_t eob = 1;
    std::vector<int32_t> coefficients; // FFmpeg's order: [column * size + row]
};

struct PlacedResidual {
    uint32_t plane, x, y, lane;
    ResidualKind kind;
    ResidualInput input;
};

// Records it, and returns what the library left of its coefficients.
Coefficients record_residual(v3doff_picture *picture, const PlacedResidual &residual,
                             unsigned bit_depth);

// The forward transform of a residual (random, flat, extreme, sparse or quantised), cut to a
// random end of block: what a conformant stream can hold.
ResidualInput conformant_input(const ResidualKind &kind, unsigned bit_depth, Random &random);

// Adds the block with a table of VP9 functions, ours or FFmpeg's, and returns what they left of its
// coefficients.
template <typename Table>
Coefficients add_residual(const Table &table, const ResidualKind &kind, const ResidualInput &input,
                          unsigned bit_depth, uint8_t *at, ptrdiff_t stride) {
    Coefficients coefficients(input.coefficients, bit_depth);
    table.itxfm_add[kind.tx][kind.type](at, stride, coefficients.words(), int(input.eob));
    return coefficients;
}

// Any numbers that the coefficient type holds.
ResidualInput wild_input(const ResidualKind &kind, unsigned bit_depth, Random &random);

// As large as coefficients may be in whole pictures before the decoder's own functions are called:
// their magnitudes add up to 32767 at 8 bit, and in 4x4 blocks at 10 bit; otherwise to 130000.
ResidualInput limit_input(const ResidualKind &kind, unsigned bit_depth, Random &random);

} // namespace tool
