// SPDX-License-Identifier: BSD-2-Clause
#include "metrics/frame_results.hpp"

#include "metrics/motion.hpp"
#include "metrics/psnr.hpp"
#include "metrics/psnr_hvs_sum.hpp"
#include "metrics/ssim.hpp"
#include "records/metrics.h"
#include "util/log.hpp"

namespace v3doff::metrics {
namespace {

using Words = std::span<const uint32_t>;

Words part(Words words, const ResultRange &range) {
    return words.subspan(range.first, range.count);
}

uint64_t psnr_sum(Words words) {
    uint64_t sum = 0;
    for (size_t i = 0; i < words.size(); i += 2)
        sum += words[i] + (uint64_t(words[i + 1]) << 16);
    return sum;
}

int64_t signed_sum(Words words) {
    int64_t sum = 0;
    for (uint32_t word : words)
        sum += int32_t(word);
    return sum;
}

void add_vif(Words words, VifSums &sums) {
    for (size_t i = 0; i < words.size(); i += VIF_RESULTS) {
        sums.num_log += int32_t(words[i]);
        sums.den_log += int32_t(words[i + 1]);
        sums.flat_variance += int64_t(words[i + 2]) + (int64_t(words[i + 3]) << 16);
        sums.flat_count += words[i + 4];
    }
}

float hvs_sum(Words words, const Pair &pair, unsigned p) {
    const Plane &reference = pair.reference[p];
    const uint32_t columns = psnr_hvs_windows(reference.width);
    std::vector<PsnrHvsSummary> windows(words.size() / 2);
    std::memcpy(windows.data(), words.data(), windows.size() * sizeof(PsnrHvsSummary));
    size_t one_by_one = 0;
    const float sum = psnr_hvs_sum(
        windows,
        [&](size_t n, std::span<float, psnr_hvs_terms> terms) {
            psnr_hvs_window(reference, pair.distorted[p], uint32_t(n % columns) * psnr_hvs_step,
                            uint32_t(n / columns) * psnr_hvs_step, psnr_hvs_tables(p), terms);
        },
        &one_by_one);
    LOG_DEBUG("psnr_hvs, plane %u: %zu of %zu windows added one by one", p, one_by_one,
              windows.size());
    return sum;
}

} // namespace

void score_results(const Config &config, const FramePlan &plan, Words words, const Pair &pair,
                   v3doff_metrics_scores &scores) {
    const Plane &luma = pair.reference[0];
    const uint32_t w = luma.width, h = luma.height;
    if (config.has(V3DOFF_METRIC_PSNR))
        for (unsigned p = 0; p < config.format.planes(); p++)
            scores.psnr[p] =
                psnr_score(psnr_sum(part(words, plan.psnr[p])), pair.reference[p].width,
                           pair.reference[p].height, config.format.bit_depth);
    if (config.has(V3DOFF_METRIC_SSIM))
        scores.ssim = ssim_score(signed_sum(part(words, plan.ssim)), w, h);
    if (config.has(V3DOFF_METRIC_MOTION) && plan.motion.count)
        scores.motion = motion_score(uint64_t(signed_sum(part(words, plan.motion))), w, h);
    if (config.has(V3DOFF_METRIC_PSNR_HVS)) {
        float sums[max_planes];
        for (unsigned p = 0; p < max_planes; p++)
            sums[p] = hvs_sum(part(words, plan.psnr_hvs[p]), pair, p);
        set_psnr_hvs(config, pair, sums, scores);
    }
    if (config.has(V3DOFF_METRIC_VIF)) {
        std::array<VifSums, vif_scales> sums;
        for (unsigned s = 0; s < vif_scales; s++)
            for (const ResultRange &range : plan.vif[s])
                add_vif(part(words, range), sums[s]);
        set_vif(vif_score(sums), scores);
    }
}

} // namespace v3doff::metrics
