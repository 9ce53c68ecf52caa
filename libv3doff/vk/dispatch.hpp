// SPDX-License-Identifier: BSD-2-Clause
// One dispatch, from the stage that plans it to the command buffer: plain data, so that plans can
// be tested and dumped without a device.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace v3doff::vk {

// Memory that passes share, as bits.
enum Memory : uint8_t {
    memory_samples = 1,
    memory_derived = 2, // behind the arena's words: what one pass derives for others
    memory_scratch = 4,
    memory_all = 7,
};

struct Dispatch {
    // Its time grows with the picture: it may be recorded in pieces (see piece_of). Others are cut
    // by the stage that makes them, or are short.
    bool by_area = false;
    uint32_t shader = 0;
    uint32_t reference =
        0;                // the set of bindings, which differ in the picture that it predicts from
    bool follows = false; // beside the dispatch before it: nothing that it touches is the other's
    uint8_t reads = memory_all, writes = memory_all;
    std::array<uint32_t, 3> groups{1, 1, 1};
    uint32_t push_bytes = 0;
    std::array<uint32_t, 32> push{};

    template <typename Push>
    void set_push(const Push &from) {
        static_assert(std::is_trivially_copyable_v<Push> && sizeof(Push) <= 128);
        push_bytes = sizeof from;
        std::memcpy(push.data(), &from, sizeof from);
    }
};

// Finds out where barriers belong: said of each dispatch in their order, it answers whether one
// must stand before it.
class Hazards {
  public:
    bool barrier_before(const Dispatch &next) {
        const bool conflict = (next.reads & written_) || (next.writes & (read_ | written_));
        const bool barrier = conflict && !next.follows;
        if (barrier) read_ = written_ = 0;
        read_ |= next.reads;
        written_ |= next.writes;
        return barrier;
    }

  private:
    uint8_t read_ = 0, written_ = 0; // since the last barrier
};

// Piece number index of a dispatch that is cut into so many, along the axis that has most
// workgroups.
struct Piece {
    std::array<uint32_t, 3> first{}, count{};
};
inline uint32_t most_pieces(const Dispatch &dispatch, uint32_t pieces) {
    const auto most = std::max_element(dispatch.groups.begin(), dispatch.groups.end());
    return dispatch.by_area ? std::clamp(pieces, 1u, std::max(*most, 1u)) : 1;
}
inline Piece piece_of(const Dispatch &dispatch, uint32_t pieces, uint32_t index) {
    Piece piece;
    piece.count = dispatch.groups;
    const auto most = std::max_element(dispatch.groups.begin(), dispatch.groups.end());
    const size_t axis = size_t(most - dispatch.groups.begin());
    const uint64_t from = uint64_t(*most) * index / pieces;
    piece.first[axis] = uint32_t(from);
    piece.count[axis] = uint32_t(uint64_t(*most) * (index + 1) / pieces - from);
    return piece;
}

} // namespace v3doff::vk
