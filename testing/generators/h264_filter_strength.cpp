// SPDX-License-Identifier: BSD-2-Clause
#include "generators/h264_filter_strength.hpp"

#include <algorithm>

namespace v3doff::check {
namespace {

using namespace v3doff::h264;

constexpr uint32_t mb_8x8 = 1 << 6;
constexpr uint32_t part_0_list_0 = 1 << 12;

} // namespace

H264Arrays::H264Arrays(const H264ArraysShape &shape, Random &random)
    : shape_(shape), random_(random()), motion_range_(between(1, 6)) {
    allocate();
    make_slices();
    for (size_t n = 0; n < starts_.size(); n++) {
        const uint32_t all = shape_.mb_width * shape_.mb_height;
        const uint32_t end = n + 1 < starts_.size() ? starts_[n + 1].first : all;
        bool field_mb = false;
        for (uint32_t mb = starts_[n].first; mb < end; mb++) {
            uint32_t x = mb % shape_.mb_width, y = mb / shape_.mb_width;
            if (shape_.mbaff)
                x = mb / 2 % shape_.mb_width, y = mb / 2 / shape_.mb_width * 2 + mb % 2;
            if (!shape_.mbaff)
                field_mb = field();
            else if (mb % 2 == 0)
                field_mb = one_in(2);
            slice_table_[place(x, y)] = uint16_t(n + 1);
            make_macroblock(x, y, starts_[n].lists, field_mb);
        }
    }
}

size_t H264Arrays::place(uint32_t x, uint32_t y) const {
    return before() + (size_t(y) << unsigned(field())) * mb_stride() +
           (shape_.structure == 2 ? mb_stride() : 0) + x;
}

H264Arrays::Vector *H264Arrays::motion_of(unsigned list, uint32_t x, uint32_t y) {
    const size_t row = (size_t(y) << unsigned(field())) + (shape_.structure == 2);
    return &motion_[list][4 + row * 16 * shape_.mb_width + size_t(x) * 4];
}

Arrays H264Arrays::input() const {
    Arrays input;
    const size_t first = place(0, 0), parity = shape_.structure == 2;
    input.mb_width = shape_.mb_width;
    input.mb_height = shape_.mb_height;
    input.bit_depth = shape_.bit_depth;
    input.field = field();
    input.mbaff = shape_.mbaff;
    input.mb_stride = size_t(mb_stride()) << unsigned(field());
    input.mb_type = &mb_type_[first];
    input.qp = &qp_[first];
    input.slice_table = &slice_table_[first];
    input.non_zero_count = &non_zero_count_[first].count;
    input.cbp = &cbp_[first];
    input.motion_stride = 4 * shape_.mb_width;
    input.motion_mb_stride = (input.motion_stride * 4) << unsigned(field());
    for (unsigned list = 0; list < 2; list++) {
        input.motion[list] = &motion_[list][4 + parity * 4 * input.motion_stride].v;
        input.reference[list] = &reference_[list][first * 4];
    }
    input.slices = slices_.data();
    input.slice_count = slices_.size();
    input.field_pictures =
        reinterpret_cast<const uint8_t(*)[2][max_list_entries]>(field_pictures_.data());
    return input;
}

v3doff_h264_arrays H264Arrays::arrays() const {
    const Arrays input = this->input();
    v3doff_h264_arrays arrays{};
    arrays.struct_size = sizeof arrays;
    arrays.mb_stride = input.mb_stride;
    arrays.mb_type = input.mb_type;
    arrays.qp = input.qp;
    arrays.slice_table = input.slice_table;
    arrays.non_zero_count = input.non_zero_count;
    arrays.cbp = input.cbp;
    arrays.motion_stride = input.motion_stride;
    arrays.motion_mb_stride = input.motion_mb_stride;
    for (unsigned list = 0; list < 2; list++) {
        arrays.motion[list] = input.motion[list];
        arrays.reference[list] = input.reference[list];
    }
    arrays.slices = input.slices;
    arrays.slice_count = input.slice_count;
    if (shape_.mbaff) {
        arrays.flags = V3DOFF_H264_ARRAYS_MBAFF;
        arrays.field_pictures = input.field_pictures;
    }
    return arrays;
}

// Elements that belong to no macroblock of this picture, such as the other field's, are random.
void H264Arrays::allocate() {
    const size_t count = before() + (rows() + 1) * mb_stride();
    const auto fill = [&](auto &array, size_t size) {
        array.resize(size);
        for (auto &value : array)
            value = std::remove_reference_t<decltype(value)>(random_());
    };
    fill(mb_type_, count);
    fill(qp_, count);
    fill(cbp_, count);
    slice_table_.assign(count, no_slice);
    non_zero_count_.resize(count);
    for (Counts &counts : non_zero_count_)
        for (uint8_t &value : counts.count)
            value = uint8_t(random_());
    for (unsigned list = 0; list < 2; list++) {
        fill(reference_[list], count * 4);
        motion_[list].resize(4 + rows() * 16 * shape_.mb_width);
        for (Vector &vector : motion_[list])
            vector = {{int16_t(random_()), int16_t(random_())}};
    }
}

void H264Arrays::make_slices() {
    const uint32_t all = shape_.mb_width * shape_.mb_height;
    const uint32_t wanted = shape_.one_slice || one_in(3) ? 1 : 1 + below(6);
    std::vector<uint32_t> first{!shape_.one_slice && one_in(8) ? below(all) : 0};
    while (first.size() < std::min(wanted, all - first[0]))
        if (uint32_t at = first[0] + below(all - first[0]);
            std::find(first.begin(), first.end(), at) == first.end())
            first.push_back(at);
    if (shape_.mbaff) // slices are of whole pairs
        for (uint32_t &at : first)
            at &= ~1u;
    std::sort(first.begin(), first.end());
    first.erase(std::unique(first.begin(), first.end()), first.end());
    Slice unused{}; // no slice has number 0
    unused.disable_deblocking_filter = 99;
    slices_.push_back(unused);
    field_pictures_.emplace_back();
    const bool offsets = !shape_.one_slice && one_in(2);
    for (uint32_t at : first) {
        const bool b =
            shape_.slices == H264Slices::b || (shape_.slices == H264Slices::mixed && one_in(2));
        starts_.push_back({at, b ? 2u : 1u});
        Slice slice{};
        slice.disable_deblocking_filter = !shape_.one_slice && one_in(3) ? below(3) : 0;
        slice.filter_offset_a = offsets ? 2 * between(-6, 6) : 0;
        slice.filter_offset_b = offsets ? 2 * between(-6, 6) : 0;
        for (unsigned i = 0; i < 2; i++)
            slice.chroma_qp_index_offset[i] = shape_.chroma_qp_index_offset[i];
        slice.flags = 0;
        if (!shape_.cabac) slice.flags |= V3DOFF_H264_SLICE_CAVLC;
        if (!b) slice.flags |= V3DOFF_H264_SLICE_LIST_0_ONLY;
        for (auto &list : slice.picture)
            for (uint8_t &picture : list)
                picture = uint8_t(40 * below(4)); // 120 at most, and often the same twice
        slices_.push_back(slice);
        field_pictures_.emplace_back();
        if (!shape_.mbaff) continue;
        for (auto &list : field_pictures_.back())
            for (uint8_t &picture : list)
                picture = uint8_t(40 * below(3) + below(2)); // a frame's fields are not the same
    }
}

void H264Arrays::make_macroblock(uint32_t x, uint32_t y, unsigned lists, bool field_mb) {
    const size_t at = place(x, y);
    const int most = 51 + 6 * int(shape_.bit_depth - 8);
    // High QP mostly: there each strength has a threshold of its own.
    qp_[at] = int8_t(one_in(4) ? between(0, most) : between(most - 12, most));
    if (one_in(7))
        make_intra(at);
    else
        make_inter(at, x, y, lists, shape_.mbaff && !field_mb ? 16 : 32);
    if (field_mb) mb_type_[at] |= mb_interlaced;
}

void H264Arrays::make_intra(size_t at) {
    mb_type_[at] = 1u << below(3);
    if (mb_type_[at] == 1 && one_in(2)) mb_type_[at] |= mb_transform_8x8;
    if (mb_type_[at] == 4) { // PCM
        qp_[at] = 0;
        std::fill_n(non_zero_count_[at].count, 48, uint8_t(16));
        cbp_[at] = 0xf7ef;
    }
}

H264Arrays::Vector H264Arrays::near_vector() {
    if (one_in(40)) // the ends of what levels allow
        return {{int16_t(one_in(2) ? -8192 : 8191), int16_t(one_in(2) ? -2048 : 2047)}};
    return {{int16_t(100 + between(-motion_range_, motion_range_)),
             int16_t(-60 + between(-motion_range_, motion_range_))}};
}

H264Arrays::Part H264Arrays::make_part(unsigned lists, unsigned references) {
    Part part{};
    const uint32_t uses = lists == 1 ? 1 : 1 + below(3);
    for (unsigned list = 0; list < 2; list++) {
        part.uses[list] = uses >> list & 1;
        part.reference[list] =
            part.uses[list] ? int8_t(one_in(6) ? below(references) : below(2)) : -1;
        if (part.uses[list]) part.motion[list] = near_vector();
    }
    return part;
}

// The motion of an 8x8 block.
void H264Arrays::put_part(const Part &part, size_t at, uint32_t x, uint32_t y, unsigned block) {
    for (unsigned list = 0; list < 2; list++) {
        reference_[list][at * 4 + block] = part.reference[list];
        Vector *to = motion_of(list, x, y) + (block & 1) * 2 + (block >> 1) * 8 * shape_.mb_width;
        for (unsigned row = 0; row < 2; row++)
            for (unsigned col = 0; col < 2; col++)
                to[row * 4 * shape_.mb_width + col] = part.motion[list];
    }
}

void H264Arrays::make_inter(size_t at, uint32_t x, uint32_t y, unsigned lists,
                            unsigned references) {
    const uint32_t shapes[4] = {mb_16x16, mb_16x8, mb_8x16, mb_8x8};
    uint32_t type = one_in(3) ? shapes[0] : shapes[below(4)];
    Part parts[4];
    for (Part &part : parts)
        part = make_part(lists, references);
    if (type != mb_8x8) // 16x8 and 8x16: parts 0 and 3
        for (unsigned block = 0; block < 4; block++)
            parts[block] = type == mb_16x16  ? parts[0]
                           : type == mb_16x8 ? parts[block & 2 ? 3 : 0]
                                             : parts[block & 1 ? 3 : 0];
    for (unsigned block = 0; block < 4; block++) {
        put_part(parts[block], at, x, y, block);
        for (unsigned list = 0; list < 2; list++)
            if (parts[block].uses[list])
                type |= type & mb_8x8
                            ? part_0_list_0 << (2 * list) | part_0_list_0 << (2 * list + 1)
                            : part_0_list_0 << (2 * list + (block == 3));
    }
    bool small = type & mb_8x8 && one_in(2);
    if (!small && one_in(2)) type |= mb_transform_8x8;
    if (small) split_blocks(parts, x, y);
    mb_type_[at] = type;
    // A list that the macroblock does not use keeps what it had from an earlier picture.
    for (unsigned list = 0; list < 2; list++)
        if (!(type & (3u << 12 << (2 * list))))
            for (unsigned block = 0; block < 4; block++)
                reference_[list][at * 4 + block] = int8_t(below(256));
    make_coefficients(at, type);
}

// Sub-macroblock partitions: 8x4, 4x8 or 4x4, of which the first keeps its motion vector.
void H264Arrays::split_blocks(const Part parts[4], uint32_t x, uint32_t y) {
    for (unsigned block = 0; block < 4; block++) {
        const bool columns = one_in(2), rows = one_in(2);
        for (unsigned list = 0; list < 2; list++) {
            if (!parts[block].uses[list]) continue;
            const uint32_t pitch = 4 * shape_.mb_width;
            Vector *to = motion_of(list, x, y) + (block & 1) * 2 + (block >> 1) * 2 * pitch;
            if (columns) to[1] = to[pitch + 1] = near_vector();
            if (rows) {
                to[pitch] = near_vector();
                to[pitch + 1] = columns ? near_vector() : to[pitch];
            }
        }
    }
}

void H264Arrays::make_coefficients(size_t at, uint32_t type) {
    const uint16_t blocks = uint16_t(one_in(3) ? 0 : below(16));
    cbp_[at] = uint16_t(blocks | below(3) << 4);
    for (unsigned block = 0; block < 4; block++) {
        const bool coded = blocks >> block & 1;
        if (type & mb_transform_8x8) {
            make_8x8_coefficients(at, block, coded);
            continue;
        }
        for (unsigned i = 0; i < 4; i++) {
            const unsigned to = (block >> 1) * 8 + (block & 1) * 2 + (i >> 1) * 4 + (i & 1);
            non_zero_count_[at].count[to] = uint8_t(coded && one_in(2) ? 1 + below(16) : 0);
        }
    }
}

void H264Arrays::make_8x8_coefficients(size_t at, unsigned block, bool coded) {
    // With CAVLC a coded block may have no coefficients. FFmpeg's SIMD path assumes that it has
    // some if the first three blocks are coded.
    const bool any = coded && (shape_.cabac || (cbp_[at] & 7) == 7 || !one_in(8));
    if (any && !shape_.cabac) cbp_[at] |= uint16_t(0x1000 << block);
    const uint8_t counts = uint8_t(any ? 1 + below(16) : 0);
    for (unsigned i = 0; i < 4; i++) {
        const unsigned to = (block >> 1) * 8 + (block & 1) * 2 + (i >> 1) * 4 + (i & 1);
        // With CAVLC those of the interleaved parts, of which some may be empty.
        non_zero_count_[at].count[to] = shape_.cabac || (i && one_in(2)) ? counts : uint8_t(0);
    }
}

} // namespace v3doff::check
