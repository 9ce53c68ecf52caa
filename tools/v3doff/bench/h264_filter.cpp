// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>
#include <fmt/format.h>

#include "bench/works.hpp"
#include "check/h264_filter_ffmpeg.hpp"

namespace tool::bench {
namespace {

using Macroblocks = std::vector<v3doff_h264_deblock_mb>;

// Every edge there is, intra macroblocks among others: more than any stream has.
Macroblocks all_edges(uint32_t count) {
    Macroblocks macroblocks(count);
    for (uint32_t i = 0; i < count; i++) {
        v3doff_h264_deblock_mb &mb = macroblocks[i];
        std::memset(mb.strength, 1 + i % 3, sizeof mb.strength);
        if (i % 5 == 0)
            for (auto &direction : mb.strength)
                std::memset(direction[0], 4, sizeof direction[0]);
        for (int8_t &qp : mb.qp)
            qp = int8_t(30 + i % 7);
        mb.flags = V3DOFF_H264_DEBLOCK | V3DOFF_H264_DEBLOCK_LEFT | V3DOFF_H264_DEBLOCK_TOP;
    }
    return macroblocks;
}

template <typename Macroblock>
Work deblocking(const char *frame, uint32_t width, uint32_t height,
                std::shared_ptr<std::vector<Macroblock>> macroblocks,
                v3doff_result (*record)(v3doff_picture *, const Macroblock *, size_t)) {
    Work work;
    work.name =
        fmt::format("H.264 deblocking{}, 8 bit 4:2:0, every edge of {}x{}", frame, width, height);
    work.width = width;
    work.height = height;
    work.record_bytes = macroblocks->size() * sizeof(Macroblock);
    work.fill = [](v3doff_picture *picture) { fill_samples(picture, 8, 100, 16); };
    work.record = [macroblocks, record](v3doff_picture *picture) {
        check(record(picture, macroblocks->data(), macroblocks->size()),
              "recording the deblocking");
    };
    return work;
}

// The same edges in an MBAFF frame of frame macroblocks: what its passes cost more than others, for
// the same result.
Work h264_deblocking_mbaff(uint32_t width, uint32_t height) {
    const Macroblocks same = all_edges((width + 15) / 16 * ((height + 31) / 32 * 2));
    auto macroblocks = std::make_shared<std::vector<v3doff_h264_deblock_mbaff_mb>>(same.size());
    for (size_t i = 0; i < same.size(); i++)
        (*macroblocks)[i].mb = same[i];
    Work work = deblocking(" of an MBAFF frame", width, height, macroblocks,
                           v3doff_h264_record_deblock_mbaff);
    work.remake = [=] { return h264_deblocking_mbaff(width, height); };
    return work;
}

void time_h264_filter(const Session &session, Json &results) {
    for (auto [width, height] : {std::pair{1920u, 1080u}, {3840u, 2160u}}) {
        results.push_back(measure(session, h264_deblocking(width, height)));
        results.push_back(measure(session, h264_deblocking_mbaff(width, height)));
    }
}

} // namespace

Work h264_deblocking(uint32_t width, uint32_t height) {
    const uint32_t columns = (width + 15) / 16, rows = (height + 15) / 16;
    auto macroblocks = std::make_shared<Macroblocks>(all_edges(columns * rows));
    Work work = deblocking<v3doff_h264_deblock_mb>(
        "", width, height, macroblocks,
        [](v3doff_picture *picture, const v3doff_h264_deblock_mb *mbs, size_t count) {
            return v3doff_h264_record_deblock(picture, V3DOFF_H264_FRAME, mbs, count);
        });
    work.ffmpeg = [=](const v3doff_planes &from, bool simd) {
        FilterPlanes planes{{width, height, 8, V3DOFF_CHROMA_420}, {}, {}, columns, rows};
        for (unsigned p = 0; p < 3; p++) {
            planes.plane[p] = static_cast<uint8_t *>(from.data[p]);
            planes.stride[p] = from.stride[p];
        }
        filter_by_table(*ffdsp_h264(8, 1, simd), planes, *macroblocks);
        ffdsp_emms();
    };
    work.remake = [=] { return h264_deblocking(width, height); };
    return work;
}

void add_h264_filter(Families &families) {
    families.push_back(
        {"h264_deblock", "H.264 deblocking of whole pictures, every edge on", time_h264_filter});
}

} // namespace tool::bench
