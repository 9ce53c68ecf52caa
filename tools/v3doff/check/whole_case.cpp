// SPDX-License-Identifier: BSD-2-Clause
#include "whole_case.hpp"

#include <fmt/format.h>

namespace tool {
namespace {

std::string region_of(unsigned picture, unsigned plane) {
    return fmt::format("picture {}, plane {}", picture, plane);
}

std::vector<uint8_t> samples(v3doff_picture *picture, const PictureShape &shape, unsigned plane) {
    const v3doff_planes planes = planes_of(picture);
    const size_t bytes = size_t(shape.plane_width(plane)) * shape.sample_bytes();
    std::vector<uint8_t> all;
    for (uint32_t y = 0; y < shape.plane_height(plane); y++) {
        const auto *row =
            static_cast<const uint8_t *>(planes.data[plane]) + ptrdiff_t(y) * planes.stride[plane];
        all.insert(all.end(), row, row + bytes);
    }
    return all;
}

} // namespace

Result WholeCase::run(Implementation implementation, Bench &bench) const {
    const bool gpu = implementation == Implementation::vulkan;
    std::vector<Pool> pools;
    for (const PictureShape &shape : shapes_)
        pools.push_back(make_pool(gpu ? bench.vulkan.get() : bench.cpu.get(), shape.width,
                                  shape.height, shape.bit_depth, shape.chroma));
    Chain chain;
    for (unsigned i = 0; i < chain_length; i++) { // none is waited for
        chain[i] = open_picture(pools[i % pools.size()].get());
        record(chain, i);
        check(v3doff_picture_submit(chain[i].get(), nullptr), "submitting a picture");
    }
    Result result;
    for (unsigned i = 0; i < chain_length; i++) {
        check(v3doff_picture_wait(chain[i].get(), UINT64_MAX), "waiting for a picture");
        v3doff_picture_report report{};
        report.struct_size = sizeof report;
        check(v3doff_picture_get_report(chain[i].get(), &report), "the report");
        if (report.executor != (gpu ? V3DOFF_EXECUTOR_GPU : V3DOFF_EXECUTOR_CPU))
            throw std::runtime_error(fmt::format("picture {}: {}", i, report.reason));
        for (unsigned p = 0; p < shape_of(i).planes(); p++)
            result[region_of(i, p)] = samples(chain[i].get(), shape_of(i), p);
    }
    return result;
}

std::string WholeCase::describe(const std::string &region, size_t byte) const {
    for (unsigned i = 0; i < chain_length; i++)
        for (unsigned p = 0; p < shape_of(i).planes(); p++) {
            if (region != region_of(i, p)) continue;
            const PictureShape &shape = shape_of(i);
            const size_t at = byte / shape.sample_bytes(), width = shape.plane_width(p);
            return fmt::format("{} of {}x{} ({} bit, chroma {}), sample x={} y={}", region,
                               shape.width, shape.height, shape.bit_depth, int(shape.chroma),
                               at % width, at / width);
        }
    return region;
}

} // namespace tool
