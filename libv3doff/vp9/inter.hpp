// SPDX-License-Identifier: BSD-2-Clause
// The motion compensation of one picture: blocks in lanes, packed for the GPU at submit. All blocks
// that only write are done before those that average with what then stands there.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/picture_memory.hpp"
#include "core/stage.hpp"
#include "vp9/inter_pack.hpp"

namespace v3doff::vp9 {

<<<<<<< helper
struct MotionVector {
    int16_t x, y; // 1/8 luma sample
};

// A reference of another size.
struct InterScale {
    bool scaled = false;
    int scale[2] = {};    // reference's size / picture's size in 1/16384, across and down
    uint8_t step[2] = {}; // the same in 1/16
};
// Throws INVALID_ARGUMENT where the sizes are too far apart (7.2).
InterScale inter_scale(const PictureFormat &picture, const PictureFormat &reference);

// Edges of the bitstream's block sizes in luma samples; those below 8x8 are four blocks of an 8x8
// block, each with a vector of its own.
struct BlockSize {
    uint8_t width_log2, height_log2;
};
inline constexpr BlockSize block_sizes[] = {{6, 6}, {6, 5}, {5, 6}, {5, 5}, {5, 4}, {4, 5}, {4, 4},
                                            {4, 3}, {3, 4}, {3, 3}, {3, 3}, {3, 3}, {3, 3}};
inline constexpr uint32_t last_whole_size = 9;

struct InterBlock {
    uint16_t col, row; // 8x8 luma blocks
    uint8_t size, filter, reference;
    bool average;
    std::array<MotionVector, 4> vector; // of a block without blocks the first one alone

    bool blocks() const { return size > last_whole_size; }
};

// A block as v3doff_vp9_append_inter() writes it, from its first or its second reference.
InterBlock inter_block(const uint32_t *words, unsigned which);

// Blocks of one picture from one reference. What it gives has all of InterInput set, not inter_near() the
// reference; plane 1 stands for both planes of chroma.
class InterPredictor {
=======
class Inter final : public Stage {
>>>>>>> names
  public:
    static bool supports(const PictureFormat &format);

    // The reference is held until the records are forgotten. Throws LIMIT.
    void record(uint32_t lane, const PictureView &picture, const InterInput &block,
                const std::shared_ptr<PictureMemory> &reference);

    // For one thread that knows all blocks of a picture and its references, some of which may be
    // missing: they are put where this says. Throws INVALID_ARGUMENT where a reference does not suit.
    PlainArray<InterBlock> &
    begin_whole(const PictureFormat &format,
                std::span<const std::shared_ptr<PictureMemory>> references);

    uint64_t records() const override;
    void clear() override;
    void plan(const SampleMap &map, Plan &plan) override;
    uint64_t take_back(uint32_t lane, unsigned plane, const Rectangle &area,
                       const PictureView &picture) override;
    bool save(const PictureFormat &format, DumpWriter &writer) const override;
    void run_cpu(const PictureView &picture) override;

  private:
    struct Lane {
        std::vector<InterInput> blocks;
        RowRange rows[max_planes];
    };
    uint8_t number_of(const std::shared_ptr<PictureMemory> &reference);
    void predict(const PictureView &picture, const InterInput &block) const;
    // All blocks of the picture, each of one plane.
    template <typename To>
    void each_block(To &&to) const {
        for (const auto &lane : lanes_)
            if (lane)
                for (const InterInput &block : lane->blocks)
                    to(block);
        for (const InterBlock &block : whole_.span())
            for (InterInput piece : predictors_[block.reference].pieces(block)) {
                to(piece);
                if (piece.plane++) to(piece);
            }
    }

    std::array<std::unique_ptr<Lane>, V3DOFF_LANES> lanes_; // made on first use
    std::mutex mutex_;                                      // adding a reference
    std::array<std::shared_ptr<PictureMemory>, max_references> references_;
    std::atomic<unsigned> reference_count_{0};
    PlainArray<InterBlock> whole_; // blocks of a whole picture, beside those of the lanes
    std::array<InterPredictor, max_references> predictors_;
    InterPacker packer_;
};

} // namespace v3doff::vp9
