// SPDX-License-Identifier: BSD-2-Clause
// The intra macroblocks of one picture. A macroblock reads samples of its neighbours, so they are
// done level by level: first those that read no other intra macroblock.
#pragma once

#include <vector>

#include "core/stage.hpp"
#include "h264/intra_reference.hpp"

namespace v3doff::h264 {

class Intra final : public Stage {
  public:
    static bool supports(const PictureFormat &format);
    static std::vector<uint32_t> shaders(const PictureFormat &format);

    // A picture of so many macroblocks, none of them intra yet.
    void begin(const PictureFormat &format, uint32_t mb_width, uint32_t mb_height);
    // In any order. The coefficients must stay until clear(). Throws INVALID_ARGUMENT for a
    // macroblock that there is already or that reads samples outside of the picture.
    void append(const IntraMacroblock &macroblock, const MacroblockResidual &residual);
    // How many dispatches with a barrier before each the macroblocks of the picture take.
    uint32_t dispatches();

    uint64_t records() const override;
    void clear() override;
    void plan(const SampleMap &map, Plan &plan) override;
    bool save(const PictureFormat &format, DumpWriter &writer) const override;
    void run_cpu(const PictureView &picture) override;
};

} // namespace v3doff::h264
