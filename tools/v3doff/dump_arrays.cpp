// SPDX-License-Identifier: BSD-2-Clause
// Reads a decoder's arrays of an H.264 picture from a dump, and hands them over.
#include <array>

#include "dump_records.hpp"
#include "v3doff/h264.h"

namespace tool {
namespace {

namespace dump = v3doff::dump;

// Owns what arrays point to.
class DumpArrays {
  public:
    DumpArrays(DumpReader &reader, const dump::ArraysHeader &header);
    const v3doff_h264_arrays &arrays() const { return arrays_; }

  private:
    struct Counts {
        uint8_t of_block[48];
    };
    struct Pictures {
        uint8_t of_list[2][32];
    };
    void read_filtered(DumpReader &reader, const dump::ArraysHeader &header);
    void read_motion(DumpReader &reader, unsigned list);

    v3doff_h264_arrays arrays_{};
    std::vector<v3doff_h264_slice> slices_;
    std::vector<Pictures> field_pictures_;
    std::vector<uint32_t> types_;
    std::vector<uint16_t> slice_table_;
    std::vector<int8_t> qp_;
    std::vector<Counts> counts_;
    std::vector<uint16_t> cbp_;
    std::vector<std::array<int16_t, 2>> vectors_[2];
    std::vector<int8_t> references_[2];
};

DumpArrays::DumpArrays(DumpReader &reader, const dump::ArraysHeader &header) {
    const size_t count = size_t(header.mb_width) * header.mb_height;
    const bool filtered = !(header.flags & V3DOFF_H264_ARRAYS_UNFILTERED);
    if (filtered) slices_ = reader.values<v3doff_h264_slice>(header.slices);
    if (filtered && header.flags & V3DOFF_H264_ARRAYS_MBAFF)
        field_pictures_ = reader.values<Pictures>(header.slices);
    types_ = reader.values<uint32_t>(count);
    slice_table_ = reader.values<uint16_t>(count);
    arrays_.struct_size = sizeof arrays_;
    arrays_.flags = header.flags;
    arrays_.mb_stride = header.mb_width;
    arrays_.mb_type = types_.data();
    arrays_.slice_table = slice_table_.data();
    arrays_.slice_count = header.slices;
    if (filtered) read_filtered(reader, header);
    arrays_.motion_stride = size_t(header.mb_width) * 4;
    arrays_.motion_mb_stride = arrays_.motion_stride * 4;
    for (unsigned list = 0; list < 2; list++)
        if (header.list[list]) read_motion(reader, list);
    if (reader.left()) throw DumpError("damaged: more than a picture has");
}

void DumpArrays::read_filtered(DumpReader &reader, const dump::ArraysHeader &header) {
    qp_ = reader.values<int8_t>(types_.size());
    const auto luma = reader.values<std::array<uint8_t, 16>>(types_.size());
    counts_.resize(types_.size());
    for (size_t i = 0; i < luma.size(); i++)
        std::memcpy(counts_[i].of_block, luma[i].data(), 16);
    if (header.cbp) cbp_ = reader.values<uint16_t>(types_.size());
    arrays_.qp = qp_.data();
    arrays_.non_zero_count = &counts_.data()->of_block;
    arrays_.cbp = header.cbp ? cbp_.data() : nullptr;
    arrays_.slices = slices_.data();
    if (!field_pictures_.empty()) arrays_.field_pictures = &field_pictures_.data()->of_list;
}

void DumpArrays::read_motion(DumpReader &reader, unsigned list) {
    vectors_[list] = reader.values<std::array<int16_t, 2>>(types_.size() * 16);
    references_[list] = reader.values<int8_t>(types_.size() * 4);
    arrays_.motion[list] = reinterpret_cast<const int16_t(*)[2]>(vectors_[list].data());
    arrays_.reference[list] = references_[list].data();
}

} // namespace

void record_arrays(DumpTarget &target, const std::vector<uint8_t> &bytes) {
    DumpReader reader(bytes);
    const auto header = reader.value<dump::ArraysHeader>();
    const bool mbaff = header.flags & V3DOFF_H264_ARRAYS_MBAFF;
    const uint32_t rows = mbaff ? 2 * target.mb_rows(V3DOFF_H264_TOP_FIELD) // pairs
                                : target.mb_rows(header.structure);
    if (header.mb_width != (target.header.width + 15) / 16 || header.mb_height != rows)
        throw DumpError("damaged: arrays of another size");
    const DumpArrays from(reader, header);
    target.slices = header.slices;
    check(v3doff_h264_record_rows(target.picture, v3doff_h264_structure(header.structure),
                                  &from.arrays(), 0, V3DOFF_H264_ALL_ROWS),
          "handing over the macroblocks of the dump");
}

} // namespace tool
