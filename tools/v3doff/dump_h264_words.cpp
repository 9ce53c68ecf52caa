// SPDX-License-Identifier: BSD-2-Clause
// Reads a whole H.264 frame or field as words from a dump, and the pictures that it is predicted
// from.
#include <algorithm>

#include "dump_records.hpp"
#include "picture/format.hpp"
#include "v3doff/h264_words.h"

namespace tool {
namespace {

namespace dump = v3doff::dump;

// Width and height of one plane, in whole macroblocks.
struct PlaneSize {
    size_t row_bytes;
    uint32_t rows;
};

PlaneSize size_of(const DumpTarget &target, const v3doff::PictureFormat &format, unsigned plane) {
    const size_t width = (size_t(format.width) + 15) / 16 * 16 >> format.shift_x(plane);
    const uint32_t rows = (format.height + 15) / 16 * 16 >> format.shift_y(plane);
    return {width * (target.wide() ? 2 : 1), rows};
}

// At most the room that the remaining words need.
uint32_t macroblocks_for(size_t macroblock_words, size_t coefficient_words) {
    constexpr size_t least_coefficients = 128; // that a macroblock has room for
    const size_t count = std::max({size_t(1), macroblock_words / V3DOFF_H264_MACROBLOCK_WORDS + 1,
                                   coefficient_words / least_coefficients + 1});
    return uint32_t(std::min(count, size_t(UINT32_MAX)));
}

void append_lane(DumpTarget &target, const dump::H264WordsLane &lane, DumpReader &reader) {
    const std::vector<uint32_t> all[2] = {reader.values<uint32_t>(lane.macroblocks),
                                          reader.values<uint32_t>(lane.coefficients)};
    size_t left[2] = {all[0].size(), all[1].size()};
    v3doff_h264_words words{};
    while (left[0] || left[1]) {
        check(v3doff_h264_make_room(target.picture, lane.lane, &words,
                                    macroblocks_for(left[0], left[1])),
              "making room for words");
        uint32_t **const next[2] = {&words.macroblock, &words.coefficient};
        uint32_t *const end[2] = {words.macroblock_end, words.coefficient_end};
        for (unsigned i = 0; i < 2; i++) {
            const size_t count = std::min(left[i], size_t(end[i] - *next[i]));
            *next[i] = std::copy_n(all[i].end() - ptrdiff_t(left[i]), count, *next[i]);
            left[i] -= count;
        }
    }
    check(v3doff_h264_end_lane(target.picture, lane.lane, &words), "ending a lane");
}

void find_references(const DumpTarget &target, const dump::H264WordsHeader &header,
                     v3doff_h264_picture_info &info) {
    for (unsigned i = 0; i < V3DOFF_H264_REFERENCES; i++) {
        const int32_t reference = header.reference[i];
        if (reference == dump::h264_no_reference) continue;
        if (reference == dump::h264_own_reference) {
            info.reference[i] = target.picture;
            continue;
        }
        if (reference < 0 || size_t(reference) >= target.references.size())
            throw DumpError("damaged: a picture's reference is missing");
        info.reference[i] = target.references[size_t(reference)].get();
    }
}

} // namespace

void add_h264_reference(DumpTarget &target, const std::vector<uint8_t> &bytes) {
    const v3doff::PictureFormat format{target.header.width, target.header.height,
                                       target.header.bit_depth, target.chroma()};
    size_t expected = 0;
    for (unsigned p = 0; p < format.planes(); p++) {
        const PlaneSize size = size_of(target, format, p);
        expected += size.row_bytes * size.rows;
    }
    if (bytes.size() != expected) throw DumpError("damaged: a reference of another size");
    const Pool pool =
        make_pool(target.device, format.width, format.height, format.bit_depth, target.chroma());
    Picture picture = open_picture(pool.get());
    const v3doff_planes planes = planes_of(picture.get());
    DumpReader reader(bytes);
    for (unsigned p = 0; p < planes.count; p++) {
        const PlaneSize size = size_of(target, format, p);
        if (size.rows > planes.padded_height[p] ||
            size.row_bytes > size_t(planes.padded_width[p]) * (target.wide() ? 2 : 1))
            throw DumpError("holds a reference with other padding than this device's");
        for (uint32_t y = 0; y < size.rows; y++)
            std::memcpy(static_cast<uint8_t *>(planes.data[p]) + ptrdiff_t(y) * planes.stride[p],
                        reader.take(size.row_bytes), size.row_bytes);
    }
    check(v3doff_picture_submit(picture.get(), nullptr), "a reference of the dump");
    check(v3doff_picture_wait(picture.get(), UINT64_MAX), "a reference of the dump");
    target.references.push_back(std::move(picture));
}

void record_h264_words(DumpTarget &target, const std::vector<uint8_t> &bytes) {
    DumpReader reader(bytes);
    const auto header = reader.value<dump::H264WordsHeader>();
    if (header.predictions && header.predictions != target.slices)
        throw DumpError("damaged: predictions of other slices");
    const auto predictions = reader.values<v3doff_h264_prediction>(header.predictions);
    v3doff_h264_picture_info info{};
    info.struct_size = sizeof info;
    info.partial = header.partial != 0;
    info.structure = v3doff_h264_structure(header.structure & ~dump::h264_field_implicit);
    info.predictions = predictions.empty() ? nullptr : predictions.data();
    struct FieldImplicit {
        int16_t weight[2][32][32];
    };
    const bool fields = header.structure & dump::h264_field_implicit;
    const auto implicit = reader.values<FieldImplicit>(fields ? header.predictions : 0);
    if (!implicit.empty()) info.field_implicit = &implicit.data()->weight;
    find_references(target, header, info);
    while (reader.left())
        append_lane(target, reader.value<dump::H264WordsLane>(), reader);
    check(v3doff_h264_record_picture(target.picture, &info), "recording the words of the dump");
}

} // namespace tool
