// SPDX-License-Identifier: BSD-2-Clause
#include "dump_records.hpp"

#include <algorithm>

#include "picture/format.hpp"
#include "v3doff/h264.h"
#include "v3doff/vp9_words.h"

namespace tool {
namespace {

namespace dump = v3doff::dump;

constexpr uint32_t most_recorded_samples = 16384;

// A block's coefficients as the library takes them.
template <size_t Count>
struct Coefficients {
    alignas(64) int32_t wide[Count] = {};
    alignas(64) int16_t narrow[Count];

    void read(DumpReader &reader, uint32_t count) {
        if (count > Count) throw DumpError("damaged: a block of too many values");
        if (count) std::memcpy(wide, reader.take(4 * uint64_t(count)), 4 * count);
        for (size_t i = 0; i < Count; i++)
            narrow[i] = int16_t(wide[i]);
    }
    void *of(const DumpTarget &target) {
        return target.wide() ? static_cast<void *>(wide) : narrow;
    }
};

} // namespace

void record_itx(DumpTarget &target, const std::vector<uint8_t> &bytes) {
    DumpReader reader(bytes);
    while (reader.left()) {
        auto item = reader.value<dump::ItxItem>();
        Coefficients<32 * 32> values;
        values.read(reader, item.coefficients);
        check(v3doff_vp9_record_itx(target.picture, 0, item.plane, item.x, item.y,
                                    v3doff_vp9_tx(item.tx), v3doff_vp9_tx_type(item.type), item.eob,
                                    values.of(target)),
              "recording a block of the dump");
    }
}

void record_idct(DumpTarget &target, const std::vector<uint8_t> &bytes) {
    DumpReader reader(bytes);
    while (reader.left()) {
        auto item = reader.value<dump::IdctItem>();
        Coefficients<64> values;
        values.read(reader, item.coefficients);
        check(v3doff_h264_record_idct(target.picture, 0, item.plane, item.x, item.y,
                                      v3doff_h264_rows(item.rows),
                                      v3doff_h264_transform(item.transform), values.of(target)),
              "recording a block of the dump");
    }
}

void record_loopfilter(DumpTarget &target, const std::vector<uint8_t> &bytes) {
    DumpReader reader(bytes);
    const auto sharpness = reader.value<uint32_t>();
    reader.value<uint32_t>();
    const auto superblocks = reader.rest<v3doff_vp9_superblock>();
    const uint32_t columns = (target.header.width + 63) / 64;
    if (superblocks.size() % columns) throw DumpError("damaged: a part of a row of superblocks");
    // A damaged picture may have fewer rows than all.
    check(v3doff_vp9_record_loopfilter_rows(target.picture, sharpness, superblocks.data(), 0,
                                            uint32_t(superblocks.size() / columns)),
          "recording the loop filter of the dump");
}

void add_reference(DumpTarget &target, const std::vector<uint8_t> &bytes) {
    DumpReader reader(bytes);
    const auto size = reader.value<dump::ReferenceHeader>();
    if (!size.width || !size.height || size.width > most_recorded_samples ||
        size.height > most_recorded_samples)
        throw DumpError("damaged: no picture has such a size");
    // Checked before memory is allocated: a few bytes could request gigabytes.
    const v3doff::PictureFormat format{size.width, size.height, target.header.bit_depth,
                                       target.chroma()};
    size_t samples = 0;
    for (unsigned p = 0; p < format.planes(); p++)
        samples += size_t(format.plane_width(p)) * format.plane_height(p);
    if (reader.left() != samples * format.sample_bytes())
        throw DumpError("damaged: a reference of another size");
    Pool pool =
        make_pool(target.device, size.width, size.height, target.header.bit_depth, target.chroma());
    Picture picture = open_picture(pool.get());
    const v3doff_planes planes = planes_of(picture.get());
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.height[p]; y++) {
            const size_t row = size_t(planes.width[p]) * (target.wide() ? 2 : 1);
            std::memcpy(static_cast<uint8_t *>(planes.data[p]) + ptrdiff_t(y) * planes.stride[p],
                        reader.take(row), row);
        }
    check(v3doff_picture_submit(picture.get(), nullptr), "a reference of the dump");
    check(v3doff_picture_wait(picture.get(), UINT64_MAX), "a reference of the dump");
    target.references.push_back(std::move(picture));
}

void record_mc(DumpTarget &target, const std::vector<uint8_t> &bytes) {
    DumpReader reader(bytes);
    for (const auto &item : reader.rest<dump::McItem>()) {
        if (item.reference >= target.references.size())
            throw DumpError("damaged: a block's reference is missing");
        v3doff_vp9_mc block{};
        block.struct_size = sizeof block;
        block.reference = target.references[item.reference].get();
        block.plane = item.plane;
        block.x = item.x, block.y = item.y;
        block.ref_x = item.ref_x, block.ref_y = item.ref_y;
        block.width = item.width, block.height = item.height;
        block.mx = item.mx, block.my = item.my;
        block.step_x = item.step_x, block.step_y = item.step_y;
        block.filter = v3doff_vp9_filter(item.filter);
        block.average = item.average;
        check(v3doff_vp9_record_mc(target.picture, 0, &block), "recording a block of the dump");
    }
}

namespace {

// As many words as a superblock's room allows at a time.
void append_lane(DumpTarget &target, const dump::WordsLane &lane, DumpReader &reader) {
    const std::vector<uint32_t> all[3] = {reader.values<uint32_t>(lane.blocks),
                                          reader.values<uint32_t>(lane.transforms),
                                          reader.values<uint32_t>(lane.coefficients)};
    size_t at[3] = {};
    v3doff_vp9_words words{};
    while (at[0] < all[0].size() || at[1] < all[1].size() || at[2] < all[2].size()) {
        check(v3doff_vp9_make_room(target.picture, lane.lane, &words), "making room for words");
        uint32_t **const next[3] = {&words.block, &words.transform, &words.coefficient};
        uint32_t *const end[3] = {words.block_end, words.transform_end, words.coefficient_end};
        for (unsigned i = 0; i < 3; i++) {
            const size_t count = std::min(all[i].size() - at[i], size_t(end[i] - *next[i]));
            *next[i] = std::copy_n(all[i].begin() + ptrdiff_t(at[i]), count, *next[i]);
            at[i] += count;
        }
    }
    check(v3doff_vp9_end_lane(target.picture, lane.lane, &words), "ending a lane");
}

} // namespace

void record_words(DumpTarget &target, const std::vector<uint8_t> &bytes) {
    DumpReader reader(bytes);
    const auto header = reader.value<dump::WordsHeader>();
    v3doff_vp9_picture_info info{};
    info.struct_size = sizeof info;
    info.lossless = header.lossless != 0;
    info.partial = header.partial != 0;
    std::memcpy(info.dequantisation, header.dequantisation, sizeof info.dequantisation);
    for (unsigned i = 0; i < 3; i++) {
        if (header.reference[i] < 0) continue;
        if (size_t(header.reference[i]) >= target.references.size())
            throw DumpError("damaged: a picture's reference is missing");
        info.reference[i] = target.references[size_t(header.reference[i])].get();
    }
    while (reader.left())
        append_lane(target, reader.value<dump::WordsLane>(), reader);
    check(v3doff_vp9_record_picture(target.picture, &info), "recording the words of the dump");
}

void record_deblock(DumpTarget &target, const std::vector<uint8_t> &bytes) {
    DumpReader reader(bytes);
    const auto structure = reader.value<uint32_t>();
    const auto macroblocks = reader.rest<v3doff_h264_deblock_mb>();
    check(v3doff_h264_record_deblock(target.picture, v3doff_h264_structure(structure),
                                     macroblocks.data(), macroblocks.size()),
          "recording the deblocking of the dump");
}

void record_deblock_mbaff(DumpTarget &target, const std::vector<uint8_t> &bytes) {
    DumpReader reader(bytes);
    const auto macroblocks = reader.rest<v3doff_h264_deblock_mbaff_mb>();
    check(v3doff_h264_record_deblock_mbaff(target.picture, macroblocks.data(), macroblocks.size()),
          "recording the deblocking of the dump");
}

} // namespace tool
