// SPDX-License-Identifier: BSD-2-Clause
// Intra macroblocks of one picture as steps and workgroups of shaders/h264/intra.comp. No Vulkan
// here.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "h264/intra/order.hpp"
#include "h264/intra/reference.hpp"
#include "h264/residual/batch.hpp"
#include "picture/plan.hpp"
#include "records/h264_intra.h"

namespace v3doff::h264 {

struct IntraInput {
    IntraMacroblock intra;
    MacroblockResidual residual;
    uint32_t number; // of its residual in the scratch memory
};

class IntraPlanner {
  public:
    // Appends everything that the shader reads to the arena, and the dispatches, which run
    // `shader`. coefficients: the word where those of the words begin, with the samples of PCM.
    void plan(std::span<const IntraInput> macroblocks, const IntraOrder &order, uint32_t shader,
              const SampleMap &map, uint32_t coefficients, Plan &plan);

  private:
    // What one record has: luma, Cb and Cr together, or one plane of 4:4:4.
    struct Item {
        uint32_t macroblock;
        uint8_t plane, kind;
    };
    struct Step {
        uint32_t first, count, phases; // items
    };
    struct Group {
        uint32_t first, count, cost; // steps
    };

    void sort(const IntraOrder &order);
    void collect_level(std::span<const uint32_t> nodes);
    void collect_tile(std::span<const uint32_t> nodes, const IntraOrder &order);
    void collect_steps(std::span<const uint32_t> nodes, uint8_t plane, uint8_t kind);
    uint8_t kind_of(uint32_t node, uint8_t plane) const;
    void end_group(size_t first_step);
    void write(uint32_t shader, const SampleMap &map, Plan &plan);
    IntraRecord record_of(const Item &item) const;
    uint32_t pcm_word(const Item &item) const;

    PictureFormat format_;
    MacroblockScratch scratch_{format_};
    uint32_t coefficients_ = 0; // where they begin
    std::span<const IntraInput> macroblocks_;
    uint8_t channels_ = 1; // items of a macroblock
    std::vector<uint32_t> nodes_;
    std::vector<Item> items_;
    std::vector<Step> steps_;
    std::vector<Group> groups_;
    std::vector<size_t> ends_; // of groups that may run side by side
};

} // namespace v3doff::h264
