// SPDX-License-Identifier: BSD-2-Clause
// The facts that slices decide about macroblocks.
#pragma once

#include <array>
#include <vector>

#include "h264/macroblocks/arrays.hpp"
#include "records/h264_filter_strength.h"

namespace v3doff::h264 {

// QP'C that belongs to QP'Y (8.5.8), both with the bit depth's offset, as luma and chroma have it.
int chroma_qp(int luma_qp, int index_offset, unsigned bit_depth);

// The parameters of a picture's deblocking as tables that shaders look up: one for each different
// set of parameters. Reused for other pictures; keeps its memory.
class SliceTables {
  public:
    void begin();
    // Slices have numbers below this one. A slice that has a table is not read again.
    void expect(size_t slice_count) {
        if (numbers_.size() < slice_count) numbers_.resize(slice_count, -1);
    }

    // Number of the slice's table; negative when problem() says what is wrong with the slice.
    int of_slice(const Arrays &input, uint16_t slice) {
        const int known = numbers_[slice];
        return known >= 0 ? known : add(input, slice);
    }
    const char *problem() const { return problem_; }

    // SLICE_TABLE_WORDS each.
    const std::vector<uint32_t> &words() const { return words_; }

  private:
    struct Key {
        int offset_a, offset_b, chroma[2];
        bool operator==(const Key &) const = default;
    };
    int add(const Arrays &input, uint16_t slice);
    void append(const Key &key, unsigned bit_depth);

    std::vector<uint32_t> words_;
    std::vector<Key> keys_;
    std::vector<int16_t> numbers_; // by slice; -1: not met yet
    const char *problem_ = nullptr;
};

// By list and by index as a byte: the number of the picture, 255 for the negative ones, which mean
// that the list is not used. An index that is wrong has one of the bits above.
struct ReferencePictures {
    static constexpr uint16_t index_too_high = 1 << 8, not_a_picture = 1 << 9;
    std::array<std::array<uint16_t, 256>, 2> of;

    ReferencePictures();
    void enter(const uint8_t (*pictures)[max_list_entries]);
    // One picture, which stands for any: nobody compares them.
    void enter_any();
};

// Macroblocks side by side of one slice, or of none, below macroblocks of one slice.
struct SliceRun {
    uint32_t end; // the column behind it
    bool in_slice;
    // In a slice only. Those of MacroblockRecord::bits that do not depend on the macroblock, but
    // for its being one of a field; of the first one more may have to go.
    uint32_t bits[2], first_without;
    uint32_t table;     // of MacroblockRecord::motion
    uint32_t cavlc_8x8; // the type's bit that says to look at cbp; 0: none
};

// Finds the facts, once for each run of macroblocks that have the same ones.
class SliceRuns {
  public:
    SliceRuns(const Arrays &input, SliceTables &tables);

    // `unfiltered`: the row is only needed for the one below it.
    void begin_row(uint32_t y, bool unfiltered);

    // The run that begins in column x: 0, then where the one before ended. Null: problem().
    const SliceRun *find_run(uint32_t x);

    // The pictures of the run's slice, for frame and for field macroblocks.
    const ReferencePictures &pictures(bool field) const { return pictures_[field]; }
    const char *problem() const { return problem_; }

  private:
    bool enter(uint16_t number);
    bool is_filtered(uint16_t other) const {
        return own_edges_only_ ? other == number_ : other != no_slice;
    }

    const Arrays &in_;
    SliceTables &tables_;
    const char *problem_ = nullptr;
    // Slice numbers of the row's macroblocks, and of those above frame and field macroblocks; null
    // where there are none. How far each goes without a change, from where it was last looked.
    std::array<const uint16_t *, 3> numbers_{};
    std::array<uint32_t, 3> same_until_{};
    uint32_t kept_ = 0; // bits of MacroblockRecord
    SliceRun run_{};
    // What the slice entered last decides.
    int number_ = -1;
    bool own_edges_only_ = false;
    uint32_t bits_ = 0; // of MacroblockRecord
    ReferencePictures pictures_[2];
};

} // namespace v3doff::h264
