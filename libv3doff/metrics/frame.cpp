// SPDX-License-Identifier: BSD-2-Clause
#include "metrics/frame.hpp"

#include "metrics/motion.hpp"
#include "metrics/psnr.hpp"
#include "metrics/psnr_hvs.hpp"
#include "metrics/ssim.hpp"
#include "metrics/vif.hpp"

namespace v3doff::metrics {

void set_psnr_hvs(const Config &config, const Pair &pair, const float (&sums)[max_planes],
                  v3doff_metrics_scores &scores) {
    double error[max_planes];
    for (unsigned p = 0; p < max_planes; p++) {
        const Plane &plane = pair.reference[p];
        error[p] = psnr_hvs_error(sums[p], plane.width, plane.height, config.format.bit_depth);
        scores.psnr_hvs[p] = psnr_hvs_db(error[p]);
    }
    scores.psnr_hvs_combined = psnr_hvs_db(error[0] * .8 + .1 * (error[1] + error[2]));
}

void set_vif(const VifScore &vif, v3doff_metrics_scores &scores) {
    scores.vif = vif.score;
    scores.vif_num = vif.num;
    scores.vif_den = vif.den;
    for (unsigned s = 0; s < vif_scales; s++) {
        scores.vif_scale[s] = vif.scale[s];
        scores.vif_num_scale[s] = vif.scale_num[s];
        scores.vif_den_scale[s] = vif.scale_den[s];
    }
}

void score_on_cpu(const Config &config, const Pair &pair, v3doff_metrics_scores &scores) {
    const Plane &luma = pair.reference[0];
    if (config.has(V3DOFF_METRIC_PSNR))
        for (unsigned p = 0; p < config.format.planes(); p++)
            scores.psnr[p] = psnr_score(psnr_reference(pair.reference[p], pair.distorted[p]),
                                        pair.reference[p].width, pair.reference[p].height,
                                        config.format.bit_depth);
    if (config.has(V3DOFF_METRIC_SSIM))
        scores.ssim = ssim_score(ssim_reference(luma, pair.distorted[0]), luma.width, luma.height);
    if (config.has(V3DOFF_METRIC_PSNR_HVS)) {
        float sums[max_planes];
        for (unsigned p = 0; p < max_planes; p++)
            sums[p] = psnr_hvs_reference(pair.reference[p], pair.distorted[p], p);
        set_psnr_hvs(config, pair, sums, scores);
    }
    if (config.has(V3DOFF_METRIC_MOTION) && pair.previous.data)
        scores.motion =
            motion_score(motion_reference(pair.previous, luma), luma.width, luma.height);
    if (config.has(V3DOFF_METRIC_VIF))
        set_vif(vif_score(vif_reference(luma, pair.distorted[0])), scores);
}

} // namespace v3doff::metrics
