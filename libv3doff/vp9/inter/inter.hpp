// SPDX-License-Identifier: BSD-2-Clause
// The inter blocks of a picture that was recorded as words.
#pragma once

#include <span>

#include "vp9/inter/sources.hpp"

namespace v3doff::vp9 {

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
