// SPDX-License-Identifier: BSD-2-Clause
// The inter prediction of one picture: rectangles in the order of the stream, packed for the GPU at
// submit. First predictions are done before the second ones that are combined with them.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "h264/inter_pack.hpp"
#include "h264/lines.hpp"
#include "h264/motion.hpp"
#include "picture/plain_array.hpp"
#include "picture/stage.hpp"
#include "picture/surface.hpp"

namespace v3doff::h264 {

// For one thread that knows all rectangles of a picture.
class Inter final : public Stage {
  public:
    static bool supports(const PictureFormat &format);
    static std::vector<uint32_t> shaders(const PictureFormat &format);

    // Forgets what was there. References are held until then or until clear(); one that no
    // rectangle uses may be null. own: the one that is the picture itself, of which a field may be
    // predicted from the other field; it is null. Throws LIMIT for more than max_references,
    // INVALID_ARGUMENT for one of another format or without room for whole macroblocks.
    //
    // Rectangles of a frame name reference n as n, those of a field its top field as 2 * n, its
    // bottom field as 2 * n + 1.
    static constexpr uint32_t no_own = no_own_reference;
    void begin(const PictureFormat &format, const Lines &lines,
               std::span<const std::shared_ptr<Surface>> references, uint32_t own = no_own);
    // Returns the index that rectangles name it by. Throws LIMIT.
    uint16_t add_weights(const InterWeights &weights);
    // It must lie in the picture's whole macroblocks, at a multiple of 4, use at least one list,
    // and name existing references and weights. This is not checked.
    void append(const InterInput &block) { *blocks_.append(1) = block; }

    // Instead of rectangles: the records of boundary strengths, which stay where they are until
    // clear(). False: this picture needs rectangles.
    bool sort_on_gpu(const PictureFormat &format, const WordsFrame &frame, PackedStrengths &packed);
    bool sorts_on_gpu() const { return motion_.active(); }

    // All that was appended came from words, which are saved in its place.
    void set_of_words() { of_words_ = true; }
    uint32_t used_references() const; // bits

    uint64_t records() const override { return blocks_.size() + motion_.records(); }
    void clear() override;
    void plan(const SampleMap &map, Plan &plan) override;
    std::span<const std::shared_ptr<Surface>> references() const override { return references_; }
    bool save(const PictureFormat &, DumpWriter &) const override { return of_words_; }
    void run_cpu(const PictureView &picture) override;

  private:
    // Calls visit(source, what of the reference it is, its number).
    template <typename Visit>
    void each_source(Visit visit) const;
    Lines lines_;
    uint32_t own_ = no_own;
    std::vector<std::shared_ptr<Surface>> references_;
    std::vector<InterWeights> weights_; // the first stands for the default
    PlainArray<InterInput> blocks_;
    bool of_words_ = false;
    InterPacker packer_;
    Motion motion_;
};

} // namespace v3doff::h264
