// SPDX-License-Identifier: BSD-2-Clause
// The motion compensation of one picture: blocks in lanes, packed for the GPU at submit. Blocks
// that only write are done before those that average with the samples already there.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "picture/stage.hpp"
#include "picture/surface.hpp"
#include "vp9/inter/pack.hpp"

namespace v3doff::vp9 {

// Saves a reference picture as a chunk.
void save_reference(const PictureView &from, DumpWriter &writer);

class Inter final : public Stage {
  public:
    static bool supports(const PictureFormat &format);
    // Without the shaders for references of another size, which few streams have.
    static std::vector<uint32_t> shaders(const PictureFormat &format);

    // The reference is held until the records are forgotten. Throws LIMIT.
    void record(uint32_t lane, const PictureView &picture, const InterInput &block,
                const std::shared_ptr<Surface> &reference);

    // For one thread that knows all blocks and references of a picture; some references may be
    // missing. Blocks are added to the result. Throws INVALID_ARGUMENT if a reference does not fit.
    InterWords &begin_whole(const PictureFormat &format,
                            std::span<const std::shared_ptr<Surface>> references);

    uint64_t records() const override;
    void clear() override;
    void plan(const SampleMap &map, Plan &plan) override;
    uint64_t take_back(uint32_t lane, unsigned plane, const Rectangle &area,
                       const PictureView &picture) override;
    // Blocks of a whole picture are saved as words.
    bool save(const PictureFormat &format, DumpWriter &writer) const override;
    std::span<const std::shared_ptr<Surface>> references() const override { return references_; }
    void run_cpu(const PictureView &picture) override;

  private:
    struct Lane {
        std::vector<InterInput> blocks;
        RowRange rows[max_planes];
    };
    uint8_t number_of(const std::shared_ptr<Surface> &reference);
    void predict(const PictureView &picture, const InterInput &block) const;
    // All blocks of the picture, each of one plane.
    template <typename To>
    void each_block(To &&to) const {
        for (const auto &lane : lanes_)
            if (lane)
                for (const InterInput &block : lane->blocks)
                    to(block);
        const auto each_piece = [&](const InterBlock &block) {
            for (InterInput piece : predictors_[block.reference].pieces(block)) {
                to(piece);
                if (piece.plane++) to(piece);
            }
        };
        for (const InterRecord &record : whole_.blocks())
            each_piece(InterWords::block_of(record));
        for (const InterWords::Other &other : whole_.others())
            each_piece(inter_block(other.words, other.which));
    }

    std::array<std::unique_ptr<Lane>, V3DOFF_LANES> lanes_; // made on first use
    std::mutex mutex_;                                      // adding a reference
    std::array<std::shared_ptr<Surface>, inter_references> references_;
    std::atomic<unsigned> reference_count_{0};
    InterWords whole_; // blocks of a whole picture, beside those of the lanes
    std::array<InterPredictor, inter_references> predictors_;
    InterPacker packer_;
};

} // namespace v3doff::vp9
