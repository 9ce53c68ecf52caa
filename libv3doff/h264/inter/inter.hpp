// SPDX-License-Identifier: BSD-2-Clause
// The inter prediction of a whole frame or field, from the motion of its macroblocks.
#pragma once

#include <vector>

#include "h264/inter/motion.hpp"

namespace v3doff::h264 {

class Inter {
  public:
    static bool supports(const PictureFormat &format);
    static std::vector<uint32_t> shaders(const PictureFormat &format);

    // Throws INVALID_ARGUMENT for a reference of another format or without room for whole
    // macroblocks.
    static void check(const PictureFormat &format, const PictureSources &from);
    // References are held until clear(), and the macroblocks stay where they are. All of these are
    // predicted from something, or not at all. Throws as MotionTables::make() does.
    void record(const PictureFormat &format, const PictureSources &from,
                const Macroblocks::Part &macroblocks);
    uint32_t used_references() const; // bits

    // The most predictions.
    uint64_t size() const { return motion_.records(); }
    std::span<const std::shared_ptr<Surface>> references() const { return references_; }
    void clear();
    // frame: the whole one, also for a field.
    void plan(const SampleMap &frame, Plan &plan);
    void run_cpu(const PictureView &frame) const;

  private:
    // Calls visit(source, what of the reference it is, its number).
    template <typename Visit>
    void each_source(Visit visit) const;
    Lines lines_;
    uint32_t own_ = no_own_reference;
    std::vector<std::shared_ptr<Surface>> references_;
    Motion motion_;
};

} // namespace v3doff::h264
