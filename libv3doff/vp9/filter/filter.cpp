// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/filter/filter.hpp"

#include <algorithm>
#include <array>

#include "picture/dump.hpp"
#include "util/error.hpp"
#include "vk/shaders.hpp"
#include "vp9/debug_keys.hpp"
#include "vp9/dump_format.hpp"
#include "vp9/filter/edge.hpp"

namespace v3doff::vp9 {
namespace {

FilterShaders filter_shaders(uint32_t bit_depth) {
    const auto of_depth = [](const std::string &depth) {
        const auto index = [&](const char *kind) {
            return vk::shader_index(("vp9_filter_" + (kind + ("_" + depth))).c_str());
        };
        return FilterShaders{index("wave"),    index("strips"), index("strip_tops"),
                             index("columns"), index("rows"),   index("rows_phased")};
    };
    static const std::array<FilterShaders, 3> shaders = {of_depth("8"), of_depth("10"),
                                                         of_depth("12")};
    return shaders[(bit_depth - 8) / 2];
}

// The environment can choose an order, so that all orders can be tested with every picture.
FilterChoice choice_for(const Plan &plan) {
    FilterChoice choice;
    choice.phased_rows = plan.is_discrete;
    // The wavefront then waits for memory step after step: one of its dispatches over a band was
    // measured to take 93 us, one of the cut passes 8 to 13. The bound on dispatches, 16, is kept.
    if (plan.is_discrete) {
        choice.cut_percent = 190;
        choice.cheap_cuts = 16;
    }
    const auto wanted = debug::choice(debug::vp9_loopfilter);
    if (!wanted) return choice;
    if (*wanted >= 1) choice.order = *wanted == 1 ? FilterOrder::wave : FilterOrder::cuts;
    if (*wanted >= 2) choice.phased_rows = *wanted == 3;
    return choice;
}

} // namespace

bool Filter::supports(const PictureFormat &format) {
    return (format.bit_depth == 8 || format.bit_depth == 10 || format.bit_depth == 12) &&
           format.chroma != V3DOFF_CHROMA_400; // VP9 has no monochrome
}

std::vector<uint32_t> Filter::shaders(const PictureFormat &format, bool is_discrete) {
    const FilterShaders all = filter_shaders(format.bit_depth);
    return {all.wave, all.strips, all.strip_tops, all.columns,
            is_discrete ? all.rows_phased : all.rows};
}

void Filter::record(const FilterInput &input, uint32_t rows) {
    const size_t cols = input.cols();
    if (!calls_.empty() || (!superblocks_.empty() && input.top != end_))
        throw Error(V3DOFF_ERROR_INVALID_STATE,
                    "the picture's loop filter was already recorded, or rows of it are missing");
    if (!superblocks_.empty() && input.sharpness != input_.sharpness)
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT,
                    "the sharpness must be the same in the whole picture");
    FilterInput added = input;
    added.format.height = std::min((input.top + rows) * 64, input.format.height) - input.top * 64;
    if (const char *problem = check_filter(added))
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, std::string("superblocks: ") + problem);
    if (superblocks_.empty()) {
        input_ = added;
        first_ = input.top;
        if (input.top) {
            input_.filtered_above = true;
            superblocks_.resize(above_ = cols);
            input_.top--;
        }
    }
    superblocks_.insert(superblocks_.end(), input.superblocks, input.superblocks + cols * rows);
    end_ = input.top + rows;
    input_.format.height = std::min(end_ * 64, input.format.height) - input_.top * 64;
}

FilterSuperblock *Filter::begin(const PictureFormat &format, uint32_t sharpness, uint32_t rows) {
    if (records())
        throw Error(V3DOFF_ERROR_INVALID_STATE, "the picture's loop filter was already recorded");
    input_ = {};
    input_.format = format;
    input_.format.height = std::min(rows * 64, format.height);
    input_.sharpness = sharpness;
    first_ = 0, end_ = rows;
    superblocks_.assign(size_t(input_.cols()) * rows, {});
    return superblocks_.data();
}

std::optional<RowRange> Filter::extent(const PictureFormat &) const {
    if (!calls_.empty()) return std::nullopt; // resolved for the whole picture
    RowRange rows;
    if (!superblocks_.empty()) rows.add(first_ * 64, end_ * 64);
    return rows;
}

void Filter::record_call(uint32_t lane, const PictureView &picture, const PlacedEdge &edge) {
    if (!superblocks_.empty())
        throw Error(V3DOFF_ERROR_INVALID_STATE, "the picture's loop filter was already recorded");
    calls_.record(lane, picture, edge);
}

void Filter::clear() {
    superblocks_.clear();
    above_ = 0;
    calls_.clear();
}

void Filter::plan(const SampleMap &map, Plan &plan) {
    if (!filter_fits(map))
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "planes or strides not aligned to 16 bytes");
    input_.superblocks = superblocks_.data();
    if (!calls_.empty())
        if (const char *problem = resolve_edges(calls_.in_order(), map.format, input_, resolved_))
            throw Error(V3DOFF_ERROR_UNSUPPORTED,
                        std::string("the loop filter's calls do not form a VP9 picture: ") +
                            problem);
    planner_.plan(input_, map, filter_shaders(map.format.bit_depth), choice_for(plan), plan);
}

bool Filter::save(const PictureFormat &format, DumpWriter &writer) const {
    FilterInput input = input_;
    std::vector<FilterSuperblock> resolved;
    if (!calls_.empty() && resolve_edges(calls_.in_order(), format, input, resolved)) return false;
    const auto &superblocks = calls_.empty() ? superblocks_ : resolved;
    writer.begin_chunk(dump::vp9_loopfilter);
    writer.value(input.sharpness);
    writer.value(uint32_t(0));
    writer.bytes(superblocks.data(), superblocks.size() * sizeof superblocks[0]);
    writer.end_chunk();
    return true;
}

void Filter::run_cpu(const PictureView &picture) {
    if (!calls_.empty()) return calls_.run_cpu(picture);
    input_.superblocks = superblocks_.data();
    PictureView band = picture;
    band.format.height = input_.format.height;
    for (unsigned p = 0; p < picture.format.planes(); p++) {
        const uint32_t row = input_.top * 64 >> picture.format.shift_y(p);
        band.plane[p].data += ptrdiff_t(row) * band.plane[p].stride;
        band.plane[p].height -= row;
        band.plane[p].padded_height -= row;
    }
    filter_picture(band, input_);
}

} // namespace v3doff::vp9
