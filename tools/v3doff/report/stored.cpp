// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>

#include "dump_file.hpp"
#include "report/report.hpp"
#include "report/stored_data.hpp"

namespace tool::report {
namespace {

constexpr unsigned repeats = 20, warm_up = 2;

template <typename Visit>
void each_row(v3doff_picture *picture, const DumpFile &dump, Visit visit) {
    const v3doff_planes planes = planes_of(picture);
    size_t at = 0;
    for (uint32_t p = 0; p < planes.count; p++) {
        const size_t row = size_t(dump.header().padded_width[p]) * dump.sample_bytes();
        if (planes.padded_width[p] < dump.header().padded_width[p] ||
            planes.padded_height[p] < dump.header().padded_height[p])
            throw std::runtime_error("the stored picture is larger than the device's");
        for (uint32_t y = 0; y < dump.header().padded_height[p]; y++, at += row)
            visit(static_cast<uint8_t *>(planes.data[p]) + ptrdiff_t(y) * planes.stride[p], at,
                  y < planes.height[p] ? planes.width[p] * size_t(dump.sample_bytes()) : 0, row);
    }
}

void run_once(v3doff_picture *picture, v3doff_device *device, const DumpFile &dump,
              v3doff_picture_report &report) {
    each_row(picture, dump, [&](uint8_t *row, size_t at, size_t, size_t bytes) {
        std::memcpy(row, dump.before().data() + at, bytes);
    });
    dump.record(picture, device);
    report = run_picture(picture, V3DOFF_EXECUTOR_GPU);
    each_row(picture, dump, [&](uint8_t *row, size_t at, size_t visible, size_t) {
        if (std::memcmp(row, dump.after().data() + at, visible) != 0)
            throw std::runtime_error("the bits are wrong, nothing is reported");
    });
}

Json run_stored(v3doff_device *device, const StoredData &stored) {
    const DumpFile dump(std::vector<uint8_t>(stored.begin, stored.end));
    const auto &header = dump.header();
    Pool pool = make_pool(device, header.width, header.height, header.bit_depth, dump.chroma());
    Picture picture = open_picture(pool.get());
    v3doff_picture_report report{};
    std::vector<double> gpu_us, submit_us;
    std::vector<std::pair<std::string, std::vector<double>>> passes; // in their order
    for (unsigned i = 0; i < repeats + warm_up; i++) {
        if (i) check(v3doff_picture_reopen(picture.get()), "reopen");
        run_once(picture.get(), device, dump, report);
        if (i < warm_up) continue;
        gpu_us.push_back(double(report.gpu_ns) / 1000);
        submit_us.push_back(double(report.submit_ns) / 1000);
        passes.resize(report.timers);
        for (uint32_t t = 0; t < report.timers; t++) {
            const char *name = nullptr;
            uint64_t ns = 0;
            check(v3doff_picture_get_timer(picture.get(), t, &name, &ns), "a pass's time");
            passes[t].first = name;
            passes[t].second.push_back(double(ns) / 1000);
        }
    }
    Json json{{"width", header.width},
              {"height", header.height},
              {"work", dump.kinds()},
              {"records", report.records},
              {"dispatches", report.dispatches},
              {"bits_equal", true},
              {"gpu_us", median_of(gpu_us)},
              {"submit_us", median_of(submit_us)},
              {"passes", Json::array()}};
    for (const auto &[name, us] : passes)
        json["passes"].push_back({{"name", name}, {"us", median_of(us)}});
    return json;
}

} // namespace

Json stored_pictures(v3doff_device *device) {
    Json json;
    for (const StoredData &stored : stored_data()) {
        try {
            json[stored.codec] = run_stored(device, stored);
        } catch (const std::exception &problem) {
            json[stored.codec] = {{"problem", problem.what()}};
        }
    }
    return json;
}

} // namespace tool::report
