// SPDX-License-Identifier: BSD-2-Clause
// Reads a decoder's arrays of an H.264 picture from a dump.
#include <array>

#include "dump_motion.hpp"

namespace tool {
namespace {

namespace dump = v3doff::dump;

std::vector<DumpArrays::Counts> read_counts(DumpReader &reader, size_t macroblocks) {
    const auto luma = reader.values<std::array<uint8_t, 16>>(macroblocks);
    std::vector<DumpArrays::Counts> counts(macroblocks);
    for (size_t i = 0; i < macroblocks; i++)
        std::memcpy(counts[i].of_block, luma[i].data(), 16);
    return counts;
}

} // namespace

DumpArrays::DumpArrays(DumpReader &reader, const dump::ArraysHeader &header)
    : slices(reader.values<v3doff_h264_slice>(header.slices)),
      field_pictures(header.flags & V3DOFF_H264_ARRAYS_MBAFF
                         ? reader.values<Pictures>(header.slices)
                         : std::vector<Pictures>()),
      types(reader.values<uint32_t>(size_t(header.mb_width) * header.mb_height)),
      qp(reader.values<int8_t>(types.size())), slice_table(reader.values<uint16_t>(types.size())),
      counts(read_counts(reader, types.size())),
      cbp(header.cbp ? reader.values<uint16_t>(types.size()) : std::vector<uint16_t>()),
      motion(reader, header.list, header.mb_width, header.mb_height) {
    if (reader.left()) throw DumpError("damaged: more than a picture has");
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
    if (!field_pictures.empty()) arrays.field_pictures = &field_pictures.data()->of_list;
}

void record_arrays(DumpTarget &target, const std::vector<uint8_t> &bytes) {
    DumpReader reader(bytes);
    const auto header = reader.value<dump::ArraysHeader>();
    const bool mbaff = header.flags & V3DOFF_H264_ARRAYS_MBAFF;
    const uint32_t rows = mbaff ? 2 * target.mb_rows(V3DOFF_H264_TOP_FIELD) // pairs
                                : target.mb_rows(header.structure);
    if (header.mb_width != (target.header.width + 15) / 16 || header.mb_height != rows)
        throw DumpError("damaged: arrays of another size");
    target.arrays = std::make_shared<DumpArrays>(reader, header);
    check(v3doff_h264_record_deblock_arrays(target.picture, v3doff_h264_structure(header.structure),
                                            &target.arrays->arrays),
          "recording the deblocking of the dump");
}

} // namespace tool
