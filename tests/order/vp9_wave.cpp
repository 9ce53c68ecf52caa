// SPDX-License-Identifier: BSD-2-Clause
#include "vp9_orders.hpp"

namespace v3doff::order::vp9 {
namespace {

struct Array {
    std::vector<Sample> &samples;
    int width;
    size_t index(int x, int y) const {
        return static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
    }
    Sample load(int x, int y) const { return samples[index(x, y)]; }
    void store(int x, int y, Sample value) { samples[index(x, y)] = value; }
};

// The edges of one superblock, in place.
template <class Samples>
void filter_vertical(const Plane &plane, Samples &samples, int row, int col) {
    for (int y = plane.top(row); y < plane.bottom(row); ++y)
        filter_row(plane, RowOf<Samples>{samples, y}, y, plane.left(col), plane.right(col));
}

template <class Samples>
void filter_horizontal(const Plane &plane, Samples &samples, int row, int col) {
    for (int x = plane.left(col); x < plane.right(col); ++x)
        filter_column(plane, ColumnOf<Samples>{samples, x}, x, plane.top(row), plane.bottom(row));
}

template <class Visit>
Planes filtered(const Picture &picture, Visit visit) {
    Planes planes;
    for (const Plane &plane : picture.planes) {
        planes.push_back(plane.samples);
        Array array{planes.back(), plane.width};
        visit(plane, array);
    }
    return planes;
}

class WaveRun {
  public:
    WaveRun(const Picture &picture, Random &random, const Wave &wave)
        : picture_(picture), random_(random), wave_(wave), monitor_(true) {
        for (const Plane &plane : picture.planes) {
            frame_.emplace_back(monitor_, "frame", 0, plane.width, plane.height);
            frame_.back().fill(plane.samples, false);
        }
    }

    int groups() const { return (picture_.sb_rows + wave_.group_rows - 1) / wave_.group_rows; }

    void run_dispatch(int dispatch) {
        monitor_.begin_dispatch();
        std::vector<std::pair<int, int>> items; // plane, group
        for (int plane = 0; plane < 3; ++plane)
            for (int group = 0; group < groups(); ++group)
                items.emplace_back(plane, group);
        random_.shuffle(items);
        for (const auto &[plane, group] : items) {
            monitor_.begin_item();
            for (int step = 0; step < wave_.steps; ++step)
                for (const bool horizontal : {false, true})
                    run_phase(plane, group, first_col(dispatch, group) + step, horizontal, false);
        }
    }

    void run_phases(int dispatch) {
        for (const bool horizontal : {false, true}) {
            monitor_.begin_dispatch();
            for (int plane = 0; plane < 3; ++plane)
                run_phase(plane, 0, first_col(dispatch, 0), horizontal, true);
        }
    }

    Outcome outcome(const Planes &expected) const {
        Outcome outcome{0, monitor_.violations(), monitor_.dispatch(), monitor_.first_violation()};
        for (size_t plane = 0; plane < frame_.size(); ++plane)
            outcome.differences += frame_[plane].differences(expected[plane]);
        return outcome;
    }

  private:
    int first_col(int dispatch, int group) const {
        return dispatch * wave_.steps - group * wave_.lag;
    }

    void run_phase(int plane, int group, int col, bool horizontal, bool items) {
        std::vector<int> rows;
        for (int row = 0; row < wave_.group_rows; ++row)
            rows.push_back(row);
        random_.shuffle(rows); // there is no barrier inside a phase
        for (int local : rows) {
            const int row = group * wave_.group_rows + local, at = col - local * wave_.skew;
            if (row >= picture_.sb_rows || at < 0 || at >= picture_.sb_cols) continue;
            if (items) monitor_.begin_item();
            Memory &memory = frame_[static_cast<size_t>(plane)];
            const Plane &edges = picture_.planes[static_cast<size_t>(plane)];
            horizontal ? filter_horizontal(edges, memory, row, at)
                       : filter_vertical(edges, memory, row, at);
        }
    }

    const Picture &picture_;
    Random &random_;
    const Wave wave_;
    Monitor monitor_;
    std::vector<Memory> frame_;
};

} // namespace

Planes raster_order(const Picture &picture) {
    return filtered(picture, [&](const Plane &plane, Array &array) {
        for (int row = 0; row < picture.sb_rows; ++row)
            for (int col = 0; col < picture.sb_cols; ++col) {
                filter_vertical(plane, array, row, col);
                filter_horizontal(plane, array, row, col);
            }
    });
}

Planes vertical_then_horizontal(const Picture &picture) {
    return filtered(picture, [&](const Plane &plane, Array &array) {
        for (int row = 0; row < picture.sb_rows; ++row)
            for (int col = 0; col < picture.sb_cols; ++col)
                filter_vertical(plane, array, row, col);
        for (int row = 0; row < picture.sb_rows; ++row)
            for (int col = 0; col < picture.sb_cols; ++col)
                filter_horizontal(plane, array, row, col);
    });
}

Outcome run_wave(const Picture &picture, const Planes &expected, Random &random, const Wave &wave,
                 bool dispatch_for_each_phase) {
    WaveRun run(picture, random, wave);
    const int last_group = run.groups() - 1;
    const int last_row = std::min(wave.group_rows, picture.sb_rows - last_group * wave.group_rows);
    const int columns = picture.sb_cols + last_group * wave.lag + wave.skew * (last_row - 1);
    for (int dispatch = 0; dispatch * wave.steps < columns; ++dispatch)
        dispatch_for_each_phase ? run.run_phases(dispatch) : run.run_dispatch(dispatch);
    return run.outcome(expected);
}

} // namespace v3doff::order::vp9
