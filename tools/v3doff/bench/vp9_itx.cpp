// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <random>

#include "bench/bench.hpp"

namespace tool::bench {
namespace {

// One block of the size at every place, with every coefficient coded.
void record(v3doff_picture *picture, v3doff_vp9_tx tx) {
    fill_samples(picture, 8, 0, 256);
    v3doff_planes planes = planes_of(picture);
    std::mt19937 random(7);
    const uint32_t edge = 4u << tx;
    std::vector<int16_t> coefficients(size_t(edge) * edge);
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.height[p]; y += edge)
            for (uint32_t x = 0; x < planes.width[p]; x += edge) {
                for (auto &value : coefficients)
                    value = int16_t(random() % 201) - 100;
                check(v3doff_vp9_record_itx(picture, 0, p, x, y, tx, V3DOFF_VP9_DCT_DCT,
                                            edge * edge, coefficients.data()),
                      "recording a block");
            }
}

void run(const Session &session, Json &results) {
    for (v3doff_vp9_tx tx :
         {V3DOFF_VP9_TX_4X4, V3DOFF_VP9_TX_8X8, V3DOFF_VP9_TX_16X16, V3DOFF_VP9_TX_32X32}) {
        const uint32_t edge = 4u << tx;
        Work work;
        work.name = fmt::format("VP9 {0}x{0} DCT + add, 8 bit, every block of 1920x1080 4:2:0, "
                                "every coefficient",
                                edge);
        work.record = [tx](v3doff_picture *picture) { record(picture, tx); };
        results.push_back(measure(session, work));
    }
}

} // namespace

void add_vp9_itx(Families &families) {
    families.push_back({"vp9_itx", "inverse transforms of a whole 1080p picture", run});
}

} // namespace tool::bench
