// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/inter/words.hpp"

#include <algorithm>

namespace v3doff::vp9 {
namespace {

uint32_t room_of(uint32_t reference, uint32_t size_log2, uint32_t least_start, uint32_t least_end) {
    const uint32_t least = (1u << size_log2) + least_end;
    const uint32_t end = reference >= least ? (reference - least + 1) * 8 : 0;
    return end > least_start ? end - least_start : 0;
}

void find_planes(uint8_t (&planes)[16], unsigned shift) {
    for (unsigned vector = 0; vector < 16; vector++)
        planes[vector] = uint8_t((vector & 7 ? InterWords::of_luma : 0) |
                                 (vector * (2 >> shift) & 15 ? InterWords::of_chroma : 0));
}

} // namespace

void InterWords::begin(const PictureFormat &picture,
                       std::span<const PictureFormat *const> references) {
    find_planes(across_, picture.shift_x(1));
    find_planes(down_, picture.shift_y(1));
    for (auto &rooms : room_)
        std::fill(std::begin(rooms), std::end(rooms), Room());
    for (size_t i = 0; i < references.size(); i++) {
        const PictureFormat *const from = references[i];
        if (!from) continue;
        predictors_[i] = InterPredictor(picture, *from);
        if (from->width != picture.width || from->height != picture.height) continue;
        for (uint32_t size = 0; size <= last_whole_size; size++)
            room_[i][size] = {
                room_of(from->width, block_sizes[size].width_log2, least_start, least_end_x),
                room_of(from->height, block_sizes[size].height_log2, least_start, least_end_y)};
    }
}

void InterWords::clear() {
    count_.fill(0);
    blocks_.clear();
    others_.clear();
}

InterBlock InterWords::block_of(const InterRecord &record) {
    const uint32_t words[] = {record.place, 0, record.shape, record.source, record.source};
    return inter_block(words, record.bucket >> average_bit);
}

} // namespace v3doff::vp9
