// SPDX-License-Identifier: BSD-2-Clause
// Reads a decoder's arrays of an H.264 picture from a dump.
#include <array>

#include "dump_motion.hpp"

namespace tool {
namespace {

namespace dump = v3doff::dump;

struct Counts {
    uint8_t of_block[48];
};
struct Pictures {
    uint8_t of_list[2][32];
};
std::vector<Counts> read_counts(DumpReader &reader, size_t macroblocks) {
    const auto luma = reader.values<std::array<uint8_t, 16>>(macroblocks);
    std::vector<Counts> counts(macroblocks);
    for (size_t i = 0; i < macroblocks; i++)
        std::memcpy(counts[i].of_block, luma[i].data(), 16);
    return counts;
}

} // namespace

void record_arrays(DumpTarget &target, const std::vector<uint8_t> &bytes) {
    DumpReader reader(bytes);
    const auto header = reader.value<dump::ArraysHeader>();
    const bool mbaff = header.flags & V3DOFF_H264_ARRAYS_MBAFF;
    const uint32_t lines = header.structure == V3DOFF_H264_FRAME && !mbaff ? 16 : 32;
    if (header.mb_width != (target.header.width + 15) / 16 ||
        header.mb_height != (target.header.height + lines - 1) / lines << unsigned(mbaff))
        throw DumpError("damaged: arrays of another size");
    const size_t count = size_t(header.mb_width) * header.mb_height;
    const auto slices = reader.values<v3doff_h264_slice>(header.slices);
    std::vector<Pictures> field_pictures;
    if (mbaff) field_pictures = reader.values<Pictures>(header.slices);
    const auto types = reader.values<uint32_t>(count);
    const auto qp = reader.values<int8_t>(count);
    const auto slice_table = reader.values<uint16_t>(count);
    const auto counts = read_counts(reader, count);
    std::vector<uint16_t> cbp;
    if (header.cbp) cbp = reader.values<uint16_t>(count);
    const DumpMotion motion(reader, header.list, header.mb_width, header.mb_height);
    if (reader.left()) throw DumpError("damaged: more than a picture has");
    v3doff_h264_arrays arrays{};
    arrays.struct_size = sizeof arrays;
    motion.point_to_it(arrays);
    arrays.flags = header.flags;
    arrays.mb_stride = header.mb_width;
    arrays.mb_type = types.data();
    arrays.qp = qp.data();
    arrays.slice_table = slice_table.data();
    arrays.non_zero_count = &counts.data()->of_block;
    arrays.cbp = header.cbp ? cbp.data() : nullptr;
    arrays.slices = slices.data();
    arrays.slice_count = slices.size();
    if (mbaff) arrays.field_pictures = &field_pictures.data()->of_list;
    check(v3doff_h264_record_deblock_arrays(target.picture, v3doff_h264_structure(header.structure),
                                            &arrays),
          "recording the deblocking of the dump");
}

} // namespace tool
