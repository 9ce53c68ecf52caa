// SPDX-License-Identifier: BSD-2-Clause
#include "metrics/frame_plan.hpp"

#include <bit>
#include <string>

#include "metrics/psnr_hvs.hpp"
#include "metrics/ssim.hpp"
#include "records/metrics.h"
#include "util/divide.hpp"
#include "util/error.hpp"
#include "vk/shaders.hpp"

namespace v3doff::metrics {
namespace {

constexpr uint32_t log2_words = 32768 / 2, hvs_words = 128; // of a plane
constexpr size_t largest_area = size_t(8) << 20;            // words of a band's values

void set_taps(VifPush &push, unsigned scale) {
    const auto taps = vif_taps(scale);
    for (size_t n = 0; n <= taps.size() / 2; n++)
        push.taps[n] = taps[taps.size() / 2 + n];
}

class Planner {
  public:
    Planner(const Config &config, size_t area, bool discrete)
        : config_(config), area_(area), discrete_(discrete) {
        for (unsigned p = 0; p < config.planes(); p++)
            // A word more than a row has: kernels read one word further than they need.
            plan_.stride[p] = words_of_row(p) + 1;
    }

    FramePlan make(bool first_frame);

  private:
    using Groups = std::array<uint32_t, 3>;

    uint32_t per_word() const { return 4 / config_.format.sample_bytes(); }
    uint32_t width(unsigned p) const { return config_.format.plane_width(p); }
    uint32_t height(unsigned p) const { return config_.format.plane_height(p); }
    uint32_t words_of_row(unsigned p) const { return divide_up(width(p), per_word()); }

    // The variant of a kernel for the depth.
    std::string deep(const std::string &name) const {
        return "metric_" + name + (config_.format.bit_depth > 8 ? "_high" : "_8");
    }

    template <typename Push>
    void add(size_t phase, const std::string &shader, Groups groups, const Push &push,
             Sources sources = {}) {
        if (plan_.phases.size() <= phase) plan_.phases.resize(phase + 1);
        plan_.phases[phase].steps.push_back(
            {{vk::shader_index(shader),
              groups,
              push,
              {vk::memory_samples | vk::memory_scratch, vk::memory_scratch}},
             sources});
    }

    ResultRange results(size_t words) {
        ResultRange range{plan_.result_words, uint32_t(words)};
        plan_.result_words += range.count;
        return range;
    }
    uint32_t take(size_t words) { // scratch; plan_.scratch_words counts from behind the tables
        const size_t first = behind_tables_ + plan_.scratch_words;
        plan_.scratch_words += words;
        return uint32_t(first);
    }

    void count_results(bool first_frame);
    void add_plain(bool first_frame);
    void add_vif();
    size_t add_vif_bands(size_t phase, unsigned scale, VifPush push);
    void add_psnr_hvs(unsigned plane);

    Groups tiles(unsigned p) const {
        return {divide_up(words_of_row(p), METRIC_TILE_X), divide_up(height(p), METRIC_TILE_Y), 1};
    }
    uint32_t vif_band(uint32_t w, uint32_t h) const {
        const uint32_t rows = uint32_t(area_ / (4 * size_t(w))) / VIF_TILE_Y * VIF_TILE_Y;
        return std::min(h, std::max(rows, VIF_TILE_Y));
    }
    static size_t count_of(const Groups &groups) { return size_t(groups[0]) * groups[1]; }
    Groups ssim_groups() const {
        return {divide_up(ssim_windows(width(0)), 32), divide_up(ssim_windows(height(0)), 8), 1};
    }
    static Groups vif_groups(uint32_t w, uint32_t rows) {
        return {divide_up(w, VIF_TILE_X), divide_up(rows, VIF_TILE_Y), 1};
    }

    const Config &config_;
    const size_t area_;
    const bool discrete_;
    size_t behind_tables_ = 0;
    FramePlan plan_;
};

void Planner::count_results(bool first_frame) {
    if (config_.has(V3DOFF_METRIC_PSNR))
        for (unsigned p = 0; p < config_.format.planes(); p++)
            plan_.psnr[p] = results(2 * count_of(tiles(p)));
    if (config_.has(V3DOFF_METRIC_SSIM)) plan_.ssim = results(count_of(ssim_groups()));
    if (config_.has(V3DOFF_METRIC_MOTION) && !first_frame)
        plan_.motion = results(count_of(tiles(0)));
    if (config_.has(V3DOFF_METRIC_PSNR_HVS))
        for (unsigned p = 0; p < max_planes; p++)
            plan_.psnr_hvs[p] =
                results(2 * size_t(psnr_hvs_windows(width(p))) * psnr_hvs_windows(height(p)));
    if (config_.has(V3DOFF_METRIC_VIF))
        for (unsigned s = 0; s < vif_scales; s++) {
            const uint32_t w = width(0) >> s, h = height(0) >> s, band = vif_band(w, h);
            for (uint32_t y = 0; y < h; y += band)
                plan_.vif[s].push_back(
                    results(VIF_RESULTS * count_of(vif_groups(w, std::min(band, h - y)))));
        }
}

void Planner::add_plain(bool first_frame) {
    const uint32_t depth = config_.format.bit_depth;
    if (config_.has(V3DOFF_METRIC_PSNR))
        for (unsigned p = 0; p < config_.format.planes(); p++)
            add(0, deep("psnr"), tiles(p),
                PsnrPush{words_of_row(p), height(p), plan_.stride[p], plan_.psnr[p].first},
                {uint8_t(p), false});
    if (config_.has(V3DOFF_METRIC_SSIM)) {
        const SsimConstants c = ssim_constants(depth);
        add(0, deep("ssim"), ssim_groups(),
            SsimPush{ssim_windows(width(0)), ssim_windows(height(0)), plan_.stride[0],
                     plan_.ssim.first, uint32_t(c.c1), uint32_t(c.c1 >> 32), uint32_t(c.c2),
                     uint32_t(c.c2 >> 32)});
    }
    if (config_.has(V3DOFF_METRIC_MOTION) && !first_frame)
        add(0, deep("motion"), tiles(0),
            MotionPush{width(0), height(0), plan_.stride[0], depth, plan_.motion.first}, {0, true});
}

// Adds the columns and rows of each band in turn, because the bands' values share one place.
// Returns the number of phases.
size_t Planner::add_vif_bands(size_t phase, unsigned scale, VifPush push) {
    static constexpr const char *taps[vif_scales] = {"17", "9", "5", "3"};
    const std::string columns =
        scale ? std::string("metric_vif_columns_") + taps[scale] : deep("vif_columns_17");
    const uint32_t band = vif_band(push.width, push.height), words = scale ? 1 : per_word();
    push.target = take(4 * size_t(push.width) * band);
    set_taps(push, scale);
    size_t at = phase;
    for (const ResultRange &range : plan_.vif[scale]) {
        push.rows = std::min(band, push.height - push.first);
        push.result = range.first;
        add(at++, columns,
            {divide_up(divide_up(push.width, words), 64), divide_up(push.rows, 4), 1}, push);
        add(at++, std::string("metric_vif_rows_") + taps[scale], vif_groups(push.width, push.rows),
            push);
        push.first += band;
    }
    return at - phase;
}

void Planner::add_vif() {
    static constexpr const char *down[vif_scales] = {"vif_down_9", "vif_down_5", "vif_down_3"};
    VifPush push{};
    push.width = width(0);
    push.height = height(0);
    push.stride = plan_.stride[0];
    push.depth = config_.format.bit_depth;
    push.logarithms = plan_.table_first;
    for (unsigned scale = 0; scale < vif_scales; scale++) {
        add_vif_bands(scale, scale, push);
        if (scale == vif_scales - 1) break;
        const uint32_t w = push.width / 2, h = push.height / 2;
        push.target = take(size_t(w) * h);
        set_taps(push, scale + 1);
        add(scale, scale ? std::string("metric_") + down[scale] : deep(down[scale]),
            {divide_up(w, 32), divide_up(h, 8), 1}, push);
        push.source = push.target;
        push.width = push.stride = w;
        push.height = h;
    }
}

void Planner::add_psnr_hvs(unsigned p) {
    const uint32_t columns = psnr_hvs_windows(width(p));
    const uint32_t windows = columns * psnr_hvs_windows(height(p));
    const uint32_t band = std::min(windows, uint32_t(area_ / (128 + 3)));
    HvsPush push{columns,
                 plan_.stride[p],
                 0,
                 0,
                 take(128 * size_t(band)),
                 take(2 * size_t(band)),
                 take(band),
                 take(1),
                 plan_.table_first + log2_words + hvs_words * p,
                 plan_.psnr_hvs[p].first};
    const Sources sources{uint8_t(p), false};
    size_t phase = 0;
    for (push.first = 0; push.first < windows; push.first += band) {
        push.count = std::min(band, windows - push.first);
        add(phase++, deep(discrete_ ? "hvs_window_discrete" : "hvs_window"),
            {divide_up(push.count, 64), 1, 2}, push, sources);
        add(phase++, "metric_hvs_terms", {divide_up(push.count, 32), 1, 1}, push, sources);
        add(phase++, "metric_hvs_scan", {1, 1, 1}, push, sources);
        add(phase++, "metric_hvs_summary", {divide_up(push.count, 64), 1, 1}, push, sources);
    }
}

FramePlan Planner::make(bool first_frame) {
    count_results(first_frame);
    plan_.table_first = plan_.result_words;
    behind_tables_ = plan_.table_first + log2_words + size_t(hvs_words) * max_planes;
    add_plain(first_frame);
    if (config_.has(V3DOFF_METRIC_VIF)) add_vif();
    if (config_.has(V3DOFF_METRIC_PSNR_HVS))
        for (unsigned p = 0; p < max_planes; p++)
            add_psnr_hvs(p);
    plan_.scratch_words += behind_tables_;
    return std::move(plan_);
}

} // namespace

FramePlan plan_frame(const Config &config, bool first_frame, size_t most_words, bool discrete) {
    for (size_t area = largest_area; area >= size_t(1) << 17; area /= 2) {
        FramePlan plan = Planner(config, area, discrete).make(first_frame);
        if (plan.scratch_words <= most_words) return plan;
    }
    throw Error(V3DOFF_ERROR_UNSUPPORTED, "the device's buffer range is too small for this size");
}

std::vector<uint32_t> frame_tables() {
    std::vector<uint32_t> words;
    const auto log2 = vif_log2_table();
    for (size_t i = 0; i < log2.size(); i += 2)
        words.push_back(log2[i] | uint32_t(log2[i + 1]) << 16);
    for (unsigned p = 0; p < max_planes; p++) {
        const PsnrHvsTables &tables = psnr_hvs_tables(p);
        for (float value : tables.sensitivity)
            words.push_back(std::bit_cast<uint32_t>(value));
        for (float value : tables.masking)
            words.push_back(std::bit_cast<uint32_t>(value));
    }
    return words;
}

} // namespace v3doff::metrics
