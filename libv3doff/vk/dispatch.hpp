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

// Memory that passes share, as bits. The CPU has written its part of the arena before the first
// pass. Behind that part is what one pass derives for others.
enum Memory : uint8_t { memory_samples = 1, memory_arena = 2, memory_scratch = 4 };

// What a dispatch reads and writes of it.
struct Access {
    uint8_t reads, writes;
    constexpr Access(int reads, int writes) : reads(uint8_t(reads)), writes(uint8_t(writes)) {}
};

// A pass that reads records from the arena and changes samples in place.
inline constexpr Access in_place{memory_samples | memory_arena, memory_samples};

struct Dispatch {
    uint32_t shader;
    std::array<uint32_t, 3> groups;
    Access access;
    // Its time grows with the picture: it may be recorded in pieces (see piece_of). Others are cut
    // by the stage that makes them, or are short.
    bool by_area = false;
    uint32_t area_cost = 1; // and by how much longer it takes than most passes over an area
    // May run beside the dispatch before it: they touch no memory in common.
    bool follows = false;
    uint32_t reference = 0; // the set of bindings: they differ in the picture predicted from
    uint32_t push_bytes;
    std::array<uint32_t, 32> push{};

    template <typename Push>
    Dispatch(uint32_t shader, std::array<uint32_t, 3> groups, const Push &from, Access access)
        : shader(shader), groups(groups), access(access), push_bytes(sizeof from) {
        static_assert(std::is_trivially_copyable_v<Push> && sizeof(Push) <= 128);
        std::memcpy(push.data(), &from, sizeof from);
    }
};

// Finds out where barriers belong. It must see every dispatch, in their order, and answers whether
// a barrier must come before this one.
class Hazards {
  public:
    bool barrier_before(const Dispatch &next) {
        const auto [reads, writes] = next.access;
        const bool conflict = (reads & written_) || (writes & (read_ | written_));
        const bool barrier = conflict && !next.follows;
        if (barrier) read_ = written_ = 0;
        read_ |= reads;
        written_ |= writes;
        return barrier;
    }

  private:
    uint8_t read_ = 0, written_ = 0; // since the last barrier
};

// One of the pieces into which a dispatch is cut, along the axis with the most workgroups.
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
