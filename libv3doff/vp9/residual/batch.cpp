// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/residual/batch.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "vp9/residual/corner.hpp"
#include "vp9/residual/reference.hpp"

namespace v3doff::vp9 {
namespace {

using Kind = ResidualKindShape;

int first_coefficient(const void *block, int bit_depth) {
    std::int16_t narrow;
    std::int32_t wide;
    std::memcpy(&narrow, block, sizeof narrow);
    if (bit_depth == 8) return narrow;
    std::memcpy(&wide, block, sizeof wide);
    return wide;
}

// The residual grows with the coefficient, so the smallest one that gives it can be searched for.
int dc_coefficient(int residual, int tx, int bit_depth) {
    std::int64_t least = bit_depth == 8 ? INT16_MIN : INT32_MIN;
    std::int64_t most = bit_depth == 8 ? INT16_MAX : INT32_MAX;
    while (least < most) {
        const std::int64_t middle = (least + most) >> 1;
        if (residual_of_dc(int(middle), tx) < residual)
            least = middle + 1;
        else
            most = middle;
    }
    return int(least);
}

// The greatest end of block of a kind.
int last_eob(const Kind &kind) {
    const int edge = transform_edge(kind.tx);
    if (kind.corner == 0) return 1;
    if (kind.corner == edge) return edge * edge;
    return kind.tx == kTx8x8 ? 12 : kind.tx == kTx16x16 ? 38 : kind.corner == 8 ? 34 : 135;
}

} // namespace

bool residual_fits(const ResidualInput &block, int bit_depth) {
    if (bit_depth == 8 || residual_is_dc(block.tx, block.type, block.eob)) return true;
    const auto *coefficients = static_cast<const std::int32_t *>(block.coefficients);
    const int edge = transform_edge(block.tx);
    std::int64_t sum = 0;
    for (int i = 0; i < edge * edge; i++)
        sum += std::abs(std::int64_t(coefficients[i]));
    return sum <= largest_sum;
}

ResidualBatch::Handle ResidualBatch::add(const ResidualInput &block, int bit_depth) {
    const uint number = residual_kind(block.tx, block.type, block.eob);
    const Kind &kind = residual_kind_shape(number);
    List &list = lists_[number];
    list.records.make_room(1); // no memory: nothing of the block is kept
    if (kind.corner) list.words.make_room(residual_block_words(number, bit_depth));
    size_++;
    ResidualRecord &record = *list.records.append(1);
    record.place = block.x / 4 | block.y / 4 << 14 | block.plane << 28;
    if (kind.corner == 0) {
        const int dc = first_coefficient(block.coefficients, bit_depth);
        record.source = uint(residual_of_dc(dc, kind.tx));
    } else {
        record.source = uint(list.words.size());
        uint *words = list.words.append(residual_block_words(number, bit_depth));
        pack_corner(transform_edge(kind.tx), kind.corner, bit_depth > 8, words, block.coefficients);
    }
    return {number, uint(list.records.size() - 1)};
}

void ResidualBatch::run_cpu(Handle handle, const PictureView &picture) const {
    const Kind &kind = residual_kind_shape(handle.kind);
    const List &list = lists_[handle.kind];
    const ResidualRecord &record = this->record(handle);
    if (record.place == struck_place) return;
    std::byte *dst = residual_place(picture, record.place);
    const std::ptrdiff_t stride_bytes = picture.plane[record.place >> 28].stride;
    const int bit_depth = int(picture.format.bit_depth);
    if (kind.corner == 0) {
        residual_add_dc(dst, stride_bytes, int(record.source), kind.tx, bit_depth);
        return;
    }
    alignas(std::int32_t) std::byte block[32 * 32 * sizeof(std::int32_t)];
    const int edge = transform_edge(kind.tx);
    std::fill_n(block, edge * edge * (bit_depth == 8 ? 2 : 4), std::byte(0));
    unpack_corner(edge, kind.corner, bit_depth > 8, list.words.span().data() + record.source,
                  block);
    residual_add_reference(dst, stride_bytes, block, kind.tx, kind.type, 32 * 32, bit_depth);
}

std::optional<ResidualInput> ResidualBatch::unpack(Handle handle, int bit_depth,
                                                   std::vector<std::int32_t> &coefficients) const {
    const Kind &kind = residual_kind_shape(handle.kind);
    const List &list = lists_[handle.kind];
    const ResidualRecord &record = this->record(handle);
    if (record.place == struck_place) return std::nullopt;
    const int edge = transform_edge(kind.tx);
    coefficients.assign(std::size_t(edge) * std::size_t(edge), 0);
    if (kind.corner == 0) {
        coefficients[0] = dc_coefficient(int(record.source), kind.tx, bit_depth);
    } else if (bit_depth == 8) {
        std::array<std::int16_t, 32 * 32> narrow{};
        unpack_corner(edge, kind.corner, false, list.words.span().data() + record.source,
                      narrow.data());
        std::copy_n(narrow.begin(), coefficients.size(), coefficients.begin());
    } else {
        unpack_corner(edge, kind.corner, true, list.words.span().data() + record.source,
                      coefficients.data());
    }
    return ResidualInput{record.place >> 28,
                         (record.place & 0x3fff) * 4,
                         (record.place >> 14 & 0x3fff) * 4,
                         kind.tx,
                         kind.type,
                         last_eob(kind),
                         nullptr};
}

} // namespace v3doff::vp9
