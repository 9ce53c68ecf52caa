// SPDX-License-Identifier: BSD-2-Clause
#include "h264_picture.hpp"

namespace v3doff::order::h264 {

const char *name(Format format) {
    switch (format) {
    case Format::monochrome:
        return "4:0:0";
    case Format::yuv420:
        return "4:2:0";
    case Format::yuv422:
        return "4:2:2";
    case Format::yuv444:
        return "4:4:4";
    }
    return "";
}

Strength Edge::strength(int plane, int line, int lines) const {
    const auto i = static_cast<size_t>(line * 16 / lines);
    const Thresholds &t = thresholds[plane][set[i]];
    return {bs[i], t.alpha, t.beta, t.tc0};
}

int Picture::vertical_position(int plane, int edge, bool transform8x8) const {
    if (shape(plane).taps == Taps::luma) return (edge & 1) && transform8x8 ? -1 : 4 * edge;
    return edge & 1 ? -1 : 2 * edge;
}

int Picture::horizontal_position(int plane, int edge, bool transform8x8) const {
    if (shape(plane).taps == Taps::luma) return (edge & 1) && transform8x8 ? -1 : 4 * edge;
    if (format == Format::yuv422) return 4 * edge;
    return edge & 1 ? -1 : 2 * edge;
}

Picture empty_picture(int cols, int rows, bool mbaff, Format format) {
    Picture picture;
    picture.cols = cols;
    picture.rows = rows;
    picture.mbaff = mbaff;
    picture.format = format;
    const PlaneShape luma{16, 16, Taps::luma, 4, 4};
    picture.shapes.push_back(luma);
    if (format == Format::monochrome) return picture;
    PlaneShape chroma = luma;
    if (format != Format::yuv444)
        chroma = {8, format == Format::yuv420 ? 8 : 16, Taps::chroma, 2, 2};
    picture.shapes.insert(picture.shapes.end(), 2, chroma);
    return picture;
}

} // namespace v3doff::order::h264
