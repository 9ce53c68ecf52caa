// SPDX-License-Identifier: BSD-2-Clause
#include "h264_raster.hpp"

namespace v3doff::order::h264 {
namespace {

// Samples of a plane along one axis, from a base that may be left by either side.
struct PlaneLine {
    Sample *base;
    int stride;
    Sample get(int i) const { return base[i * stride]; }
    void set(int i, Sample value) const { base[i * stride] = value; }
};

class Raster {
  public:
    Raster(const Picture &picture, Planes &planes) : picture_(picture), planes_(planes) {}

    void vertical(int plane, int row, int col, int m);
    void horizontal(int plane, int row, int col, int m);

  private:
    // First line of macroblock m of a unit and the distance to its next one: a field macroblock of
    // an MBAFF frame owns every second line of the pair.
    struct Lines {
        int first, step;
    };
    Lines lines(int plane, int row, int col, int m) const {
        const int height = picture_.shape(plane).mb_height;
        const int top = row * picture_.unit_height(plane);
        if (picture_.field(row, col)) return {top + m, 2};
        return {top + m * height, 1};
    }
    PlaneLine line(int plane, int x, int y, int stride) {
        Sample *samples = planes_[static_cast<size_t>(plane)].data();
        return {samples + y * picture_.width(plane) + x, stride};
    }
    void horizontal_edge(int plane, int col, int y, int step, const Edge &edge);

    const Picture &picture_;
    Planes &planes_;
};

void Raster::vertical(int plane, int row, int col, int m) {
    const Macroblock &mb = picture_.mb(row, col, m);
    const PlaneShape &shape = picture_.shape(plane);
    const Lines at = lines(plane, row, col, m);
    for (int e = 0; e < 4; ++e) {
        const int x = picture_.vertical_position(plane, e, mb.transform8x8);
        if (x < 0) continue;
        for (int k = 0; k < shape.mb_height; ++k)
            filter_edge(line(plane, col * shape.mb_width, at.first + k * at.step, 1), x, 1,
                        picture_.filter, shape.taps,
                        mb.vertical[e].strength(plane, k, shape.mb_height));
    }
}

// q0 lies in row y of the plane; p and q go on in steps of step rows.
void Raster::horizontal_edge(int plane, int col, int y, int step, const Edge &edge) {
    const PlaneShape &shape = picture_.shape(plane);
    for (int k = 0; k < shape.mb_width; ++k)
        filter_edge(line(plane, col * shape.mb_width + k, y, picture_.width(plane)), 0, step,
                    picture_.filter, shape.taps, edge.strength(plane, k, shape.mb_width));
}

void Raster::horizontal(int plane, int row, int col, int m) {
    const Macroblock &mb = picture_.mb(row, col, m);
    const Lines at = lines(plane, row, col, m);
    for (int e = 0; e < 4; ++e) {
        const int y = picture_.horizontal_position(plane, e, mb.transform8x8);
        if (y < 0) continue;
        // Clause 8.7: a frame macroblock under a field pair meets it field by field, in steps of
        // two lines on both sides.
        if (e == 0 && m == 0 && row && !mb.field && picture_.field(row - 1, col)) {
            horizontal_edge(plane, col, at.first, 2, mb.horizontal[0]);
            horizontal_edge(plane, col, at.first + 1, 2, mb.top_of_bottom_field);
        } else {
            horizontal_edge(plane, col, at.first + y * at.step, at.step, mb.horizontal[e]);
        }
    }
}

template <class Visit>
void for_each_macroblock(const Picture &picture, Visit visit) {
    for (int plane = 0; plane < picture.plane_count(); ++plane)
        for (int row = 0; row < picture.rows; ++row)
            for (int col = 0; col < picture.cols; ++col)
                for (int m = 0; m < picture.mbs_per_unit(); ++m)
                    visit(plane, row, col, m);
}

} // namespace

Planes raster_order(const Picture &picture) {
    Planes planes = picture.planes;
    Raster raster(picture, planes);
    for_each_macroblock(picture, [&](int plane, int row, int col, int m) {
        raster.vertical(plane, row, col, m);
        raster.horizontal(plane, row, col, m);
    });
    return planes;
}

Planes vertical_then_horizontal(const Picture &picture) {
    Planes planes = picture.planes;
    Raster raster(picture, planes);
    for_each_macroblock(
        picture, [&](int plane, int row, int col, int m) { raster.vertical(plane, row, col, m); });
    for_each_macroblock(picture, [&](int plane, int row, int col, int m) {
        raster.horizontal(plane, row, col, m);
    });
    return planes;
}

} // namespace v3doff::order::h264
