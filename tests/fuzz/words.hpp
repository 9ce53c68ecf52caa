// SPDX-License-Identifier: BSD-2-Clause
// Lanes of words (v3doff/vp9_words.h) with any bits: a picture of them is refused and stays as it
// was, or it is made. The first bytes say what picture and references it has; then, for each lane,
// follow the numbers of its words of blocks, transforms and coefficients, two bytes each, and the
// words.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "session.hpp"
#include "target.hpp"
#include "v3doff/vp9_words.h"

namespace fuzz {

using namespace tool;

constexpr uint32_t most_side = 176;
constexpr uint8_t flat = 90; // every byte of samples that are there before

// backwards: of the lanes
enum Flag : uint8_t { is_lossless = 1, is_partial = 2, backwards = 4, is_filtered = 8 };

class WordInput {
  public:
    WordInput(const uint8_t *bytes, size_t count) : at_(bytes), end_(bytes + count) {}
    bool empty() const { return at_ == end_; }
    uint8_t byte() { return empty() ? uint8_t(0) : *at_++; }
    uint32_t pair() {
        const uint32_t low = byte();
        return low | uint32_t(byte()) << 8;
    }
    uint32_t word() {
        const uint32_t low = pair();
        return low | pair() << 16;
    }

  private:
    const uint8_t *at_, *end_;
};

struct Format {
    uint32_t width, height, bit_depth;
    v3doff_chroma chroma;
};

inline Picture flat_picture(v3doff_device *device, const Format &format) {
    const Pool pool =
        make_pool(device, format.width, format.height, format.bit_depth, format.chroma);
    Picture picture = open_picture(pool.get());
    const v3doff_planes planes = planes_of(picture.get());
    for (unsigned p = 0; p < planes.count; p++)
        std::memset(planes.data[p], flat, size_t(planes.stride[p]) * planes.padded_height[p]);
    return picture;
}

inline bool is_flat(v3doff_picture *picture, const Format &format) {
    const v3doff_planes planes = planes_of(picture);
    for (unsigned p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.height[p]; y++) {
            const auto *row = static_cast<const uint8_t *>(planes.data[p]) + y * planes.stride[p];
            const size_t bytes = planes.width[p] * (format.bit_depth > 8 ? 2 : 1);
            if (std::any_of(row, row + bytes, [](uint8_t byte) { return byte != flat; }))
                return false;
        }
    return true;
}

inline void append_lane(v3doff_picture *picture, uint32_t lane, WordInput &input) {
    uint32_t left[3];
    for (uint32_t &count : left)
        count = input.pair();
    v3doff_vp9_words words{};
    while (!input.empty() && (left[0] || left[1] || left[2])) {
        check(v3doff_vp9_make_room(picture, lane, &words), "making room for words");
        must(v3doff_vp9_has_room(&words), "there is room for a superblock");
        uint32_t **const next[3] = {&words.block, &words.transform, &words.coefficient};
        const uint32_t room[3] = {V3DOFF_VP9_BLOCK_WORDS, V3DOFF_VP9_TRANSFORM_WORDS,
                                  V3DOFF_VP9_COEFFICIENT_WORDS};
        for (unsigned i = 0; i < 3; i++)
            for (uint32_t k = 0; k < room[i] && left[i] && !input.empty(); k++, left[i]--)
                *(*next[i])++ = input.word();
    }
    check(v3doff_vp9_end_lane(picture, lane, &words), "ending a lane");
}

inline void try_words(v3doff_device *device, WordInput input) {
    Format format;
    format.width = 1 + input.byte() % most_side;
    format.height = 1 + input.byte() % most_side;
    format.bit_depth = 8 + input.byte() % 7;
    format.chroma = v3doff_chroma(input.byte() % 5);
    const uint8_t flags = input.byte();
    v3doff_vp9_picture_info info{.struct_size = sizeof info};
    info.lossless = flags & is_lossless;
    info.partial = flags & is_partial;
    std::array<Picture, 3> references;
    for (unsigned i = 0; i < references.size(); i++) {
        Format theirs = format;
        theirs.width = input.byte(), theirs.height = input.byte();
        if (!theirs.width || !theirs.height) continue;
        references[i] = flat_picture(device, theirs);
        info.reference[i] = references[i].get();
    }
    for (auto &segment : info.dequantisation)
        for (auto &plane : segment)
            for (int16_t &factor : plane)
                factor = int16_t(input.pair());
    if (flags & is_filtered) {
        info.filtered_rows = 1 + input.byte() % ((format.height + 63) / 64);
        info.sharpness = input.byte() % 8;
        for (auto &segment : info.filter_level)
            for (auto &reference : segment)
                for (uint8_t &level : reference)
                    level = input.byte() % 64;
    }
    const Picture picture = flat_picture(device, format);
    for (uint32_t lane = 0; lane < 3 && !input.empty(); lane++)
        append_lane(picture.get(), flags & backwards ? 2 - lane : lane, input);
    const v3doff_result result = v3doff_vp9_record_picture(picture.get(), &info);
    must(result == V3DOFF_OK || result == V3DOFF_ERROR_INVALID_ARGUMENT ||
             result == V3DOFF_ERROR_UNSUPPORTED,
         "words are taken or refused");
    check(v3doff_picture_submit(picture.get(), nullptr), "submitting");
    check(v3doff_picture_wait(picture.get(), UINT64_MAX), "waiting");
    if (result != V3DOFF_OK)
        must(is_flat(picture.get(), format), "what is refused changes nothing");
}

} // namespace fuzz
