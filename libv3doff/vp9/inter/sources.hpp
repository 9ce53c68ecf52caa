// SPDX-License-Identifier: BSD-2-Clause
// The pictures that a picture is predicted from.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "picture/dump.hpp"
#include "picture/surface.hpp"
#include "vp9/inter/pack.hpp"

namespace v3doff::vp9 {

struct InterSources {
    std::array<std::shared_ptr<Surface>, inter_references> surface; // null: not used

    static bool supports(const PictureFormat &format);
    // Without the shaders for references of another size, which few streams have.
    static std::vector<uint32_t> shaders(const PictureFormat &format);

    // Begins the packer's part of a plan, and tells the plan what that reads.
    void begin(const SampleMap &map, InterPacker &packer, Plan &plan) const;
    void predict(const PictureView &picture, const InterInput &block) const;
    // each_block(visit) visits every block. Those that only write are done first.
    template <typename EachBlock>
    void run_cpu(const PictureView &picture, EachBlock each_block) const {
        for (const auto &reference : surface)
            if (reference) reference->wait_for_submit();
        for (const bool average : {false, true})
            each_block([&](const InterInput &block) {
                if (block.average == average) predict(picture, block);
            });
    }
    // Saves a reference as a chunk and returns its number in the file.
    static uint32_t save(const Surface &reference, DumpWriter &writer);
};

} // namespace v3doff::vp9
