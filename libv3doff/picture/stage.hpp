// SPDX-License-Identifier: BSD-2-Clause
// One kind of work on a picture (transforms, loop filter, ...). The core runs stages in the order
// of their slots and knows nothing of codecs.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "picture/block_index.hpp"
#include "picture/plan.hpp"

namespace v3doff {

enum class Slot : unsigned { macroblocks, reconstruction, prediction, transform, filter, count };

// A picture's samples as the CPU sees them.
struct PlaneView {
    std::byte *data = nullptr;
    ptrdiff_t stride = 0;                         // bytes
    uint32_t width = 0, height = 0;               // visible samples
    uint32_t padded_width = 0, padded_height = 0; // samples that may be written
};

struct PictureView {
    PictureFormat format;
    PlaneView plane[max_planes];
    bool one_allocation = true; // false: the memory between the planes is not the picture's
};

class DumpWriter;
class Surface;

// The self-test (vk/self_tests.hpp) that stands for a stage's pictures. No kind: there is none.
struct SelfTest {
    uint32_t kind = 0;
    const char *name = "";
};

class Stage {
  public:
    virtual ~Stage() = default;
    virtual uint64_t records() const = 0;
    // Whether it takes part in the picture. A stage that only brings to the device what others read
    // does so without records.
    virtual bool active() const { return records(); }
    // Deletes the records and keeps their memory.
    virtual void clear() = 0;
    // The luma rows of the records, for a picture that is submitted in bands of rows. Later records
    // are below them. If the plan overwrites rows above them, these have what earlier bands wrote.
    // nullopt: the whole picture must be submitted at once.
    virtual std::optional<RowRange> extent(const PictureFormat &) const { return std::nullopt; }
    // Appends dispatches and what they read. The records stay.
    virtual void plan(const SampleMap &map, Plan &plan) = 0;
    // The pictures that it predicts from; null: not used.
    virtual std::span<const std::shared_ptr<Surface>> references() const { return {}; }
    // Called after it is certain that the plan goes to the GPU, and before the GPU has the samples.
    // Does the records that no shader can do, deletes them, and returns their number.
    virtual uint64_t run_before_gpu(const PictureView &) { return 0; }
    // Whether there are such records: they cannot come after work of an earlier slot.
    virtual bool runs_before_gpu() const { return false; }
    // Does the lane's records that overlap an area on the CPU now, deletes them, and returns their
    // number. Only for stages whose records do not depend on each other.
    virtual uint64_t take_back(uint32_t /*lane*/, unsigned /*plane*/, const Rectangle &,
                               const PictureView &) {
        return 0;
    }
    // The one that the device must pass before whole pictures of the stage count.
    virtual SelfTest self_test() const { return {}; }
    // Writes the records as chunks of picture/dump_format.hpp; false: this stage cannot.
    virtual bool save(const PictureFormat &, DumpWriter &) const { return false; }
    // Does the work on the CPU, with the same bits. This is the fallback for everything that can
    // fail.
    virtual void run_cpu(const PictureView &picture) = 0;
};

} // namespace v3doff
