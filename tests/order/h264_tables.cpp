// SPDX-License-Identifier: BSD-2-Clause
#include "h264_tables.hpp"

#include <cstdio>

namespace v3doff::order::h264 {
namespace {

enum PlaneType { luma_taps, chroma420, chroma422, plane_types };
constexpr int border = 4 * plane_types;

} // namespace

int reach_kind(const Picture &picture, int plane, int row, int col) {
    const int type = picture.shape(plane).taps == Taps::luma ? luma_taps
                     : picture.format == Format::yuv420      ? chroma420
                                                             : chroma422;
    if (row == picture.rows - 1 || col == picture.cols - 1) return border + type;
    const bool field = picture.field(row, col);
    const bool above = row ? picture.field(row - 1, col) : field;
    return type + plane_types * (2 * field + above);
}

std::string reach_kind_name(int kind) {
    static constexpr const char *types[] = {"luma, 4:4:4 chroma", "chroma 4:2:0", "chroma 4:2:2"};
    static constexpr const char *pairs[] = {"", ", frame under field pair",
                                            ", field under frame pair", ", field under field pair",
                                            ", last row or column"};
    return std::string(types[kind % plane_types]) + pairs[kind / plane_types];
}

void print_reach(const Reach &reach) {
    static constexpr const char *passes[] = {"1 strip tail", "2 strip", "3 row", "4 column"};
    static constexpr const char *buffers[] = {"R", "A", "T", "G", "R up-right"};
    for (int kind = 0; kind < border + plane_types; ++kind)
        for (int pass = 0; pass < 4; ++pass)
            for (const bool write : {false, true})
                for (int buffer = 0; buffer < 5; ++buffer) {
                    const Box &box = reach.box(pass, kind, buffer, write);
                    if (!box.empty())
                        std::printf("  %-44s %-12s %-6s %-10s %s\n", reach_kind_name(kind).c_str(),
                                    passes[pass], write ? "writes" : "reads", buffers[buffer],
                                    box.text().c_str());
                }
}

} // namespace v3doff::order::h264
