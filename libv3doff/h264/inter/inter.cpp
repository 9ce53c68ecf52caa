// SPDX-License-Identifier: BSD-2-Clause
#include "h264/inter/inter.hpp"

#include "util/error.hpp"
#include "vk/shaders.hpp"

namespace v3doff::h264 {
namespace {

bool has_room(const PictureView &view) {
    for (unsigned p = 0; p < view.format.planes(); p++)
        if (view.plane[p].padded_width < inter_width(view.format, p) ||
            view.plane[p].padded_height < inter_height(view.format, p))
            return false;
    return true;
}

const InterShaders &inter_shaders(uint32_t bit_depth) {
    static const InterShaders shaders[2] = {
        {vk::shader_index("h264_inter_8"), vk::shader_index("h264_inter_average_8"),
         vk::shader_index("h264_inter_weighted_8")},
        {vk::shader_index("h264_inter_high"), vk::shader_index("h264_inter_average_high"),
         vk::shader_index("h264_inter_weighted_high")}};
    return shaders[bit_depth > 8];
}

const MotionShaders &motion_shaders() {
    static const MotionShaders shaders = {vk::shader_index("h264_motion_count"),
                                          vk::shader_index("h264_motion_groups"),
                                          vk::shader_index("h264_motion_place")};
    return shaders;
}

} // namespace

bool Inter::supports(const PictureFormat &format) {
    return format.bit_depth >= 8 && format.bit_depth <= 14 && format.chroma != V3DOFF_CHROMA_440;
}

std::vector<uint32_t> Inter::shaders(const PictureFormat &format) {
    const InterShaders &all = inter_shaders(format.bit_depth);
    const MotionShaders &motion = motion_shaders();
    return {all.put, all.average, all.weighted, motion.count, motion.groups, motion.place};
}

void Inter::check(const PictureFormat &format, const PictureSources &from) {
    for (const auto &reference : from.reference) {
        if (!reference) continue;
        if (reference->view().format != format)
            throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, "references: of another format");
        if (!has_room(reference->view()))
            throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, "references: no room for whole macroblocks");
    }
}

void Inter::record(const PictureFormat &format, const PictureSources &from,
                   const Macroblocks::Part &macroblocks) {
    motion_.begin(format, from, macroblocks);
    lines_ = from.lines;
    own_ = from.own;
    references_.assign(from.reference.begin(), from.reference.end());
}

void Inter::clear() {
    references_.clear();
    motion_.clear();
}

uint32_t Inter::used_references() const {
    uint32_t used = 0;
    const uint32_t sources = motion_.sources();
    for (uint32_t i = 0; i < max_inter_sources; i++)
        used |= (sources >> i & 1) << (i >> int(lines_.field));
    return used;
}

template <typename Visit>
void Inter::each_source(Visit visit) const {
    for (uint32_t i = 0; i < references_.size(); i++) {
        if (!references_[i] && i != own_) continue;
        if (!lines_.field) visit(i, Lines(), i);
        for (uint32_t parity = 0; parity < 2 && lines_.field; parity++)
            visit(2 * i + parity, Lines(true, parity), i);
    }
}

void Inter::plan(const SampleMap &frame, Plan &plan) {
    std::array<InterSource, max_inter_sources> sources;
    each_source([&](uint32_t source, const Lines &of, uint32_t number) {
        const auto &reference = references_[number];
        sources[source] = {of.of(reference ? reference->map() : frame), number,
                           chroma_down(frame.format, lines_.parity, of.parity)};
    });
    const SampleMap lines = lines_.of(frame);
    const InterShaders &shaders = inter_shaders(frame.format.bit_depth);
    motion_.plan_sort(lines.format, motion_shaders(), plan);
    const size_t before = plan.dispatches.size();
    motion_.plan_prediction(lines, sources, shaders, plan);
    // Only those that are read, because a discrete GPU copies them.
    for (size_t i = before; i < plan.dispatches.size(); i++) {
        const uint32_t reference = plan.dispatches[i].reference;
        plan.references[reference] = references_[reference].get();
        if (reference == own_) plan.own_references |= 1u << reference;
    }
    // Then one reads the buffer that the others write. The lines are other ones; a barrier goes by
    // the buffer.
    for (size_t i = before; plan.own_references && i < plan.dispatches.size(); i++)
        plan.dispatches[i].follows = false;
}

void Inter::run_cpu(const PictureView &frame) const {
    for (const auto &reference : references_)
        if (reference) reference->wait_for_submit();
    std::array<PictureView, max_inter_sources> views;
    std::array<InterFrom, max_inter_sources> sources;
    each_source([&](uint32_t source, const Lines &of, uint32_t number) {
        const auto &reference = references_[number];
        views[source] = of.of(reference ? reference->view() : frame);
        sources[source] = {&views[source], chroma_down(frame.format, lines_.parity, of.parity)};
    });
    const PictureView picture = lines_.of(frame);
    for (const InterInput &block : motion_.blocks()) {
        InterFrom from[2];
        PictureView fields[2]; // of a field macroblock
        for (unsigned list = 0; list < 2; list++) {
            if (block.reference[list] < 0) continue;
            from[list] = sources[size_t(block.reference[list])];
            if (!block.field) continue;
            const uint8_t parity = block.reference_parity[list];
            fields[list] = Lines(true, parity).of(*from[list].picture);
            from[list] = {&fields[list], chroma_down(frame.format, block.parity, parity)};
        }
        inter_predict_reference(block.field ? Lines(true, block.parity).of(picture) : picture,
                                block, from,
                                block.weights ? &motion_.weights()[block.weights] : nullptr);
    }
}

} // namespace v3doff::h264
