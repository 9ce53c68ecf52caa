// SPDX-License-Identifier: BSD-2-Clause
// What inter prediction of a picture reads, and the inter blocks of one that was recorded as words.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "picture/dump.hpp"
#include "picture/surface.hpp"
#include "vp9/inter/pack.hpp"

namespace v3doff::vp9 {

// The pictures that a picture is predicted from.
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
    static uint32_t save(Surface &reference, DumpWriter &writer);
};

class Inter {
  public:
    // Blocks are added to the result. Throws INVALID_ARGUMENT if a reference does not fit.
    InterWords &begin(const PictureFormat &format, const InterSources &references);

    std::span<const std::shared_ptr<Surface>> references() const { return references_.surface; }
    std::size_t size() const { return blocks_.size(); }
    void clear();
    void plan(const SampleMap &map, Plan &plan);
    void run_cpu(const PictureView &picture) const;

  private:
    InterSources references_;
    InterWords blocks_;
    InterPacker packer_;
};

} // namespace v3doff::vp9
