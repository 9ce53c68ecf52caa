// SPDX-License-Identifier: BSD-2-Clause
// The lanes of a picture that is recorded as words: a decoder's threads append to them, each to its
// own.
#pragma once

#include <algorithm>
#include <mutex>
#include <span>
#include <string>

#include "common/lanes.hpp"
#include "picture/dump.hpp"
#include "picture/plain_array.hpp"
#include "util/error.hpp"

namespace v3doff {

// What was appended does not form a picture.
[[noreturn]] inline void bad_words(const char *what) {
    throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, std::string("words: ") + what);
}

// Takes the words that were appended since point_to_words(). Throws INVALID_ARGUMENT if the
// pointers do not belong to the array.
inline void take_words(PlainArray<uint32_t> &array, const uint32_t *next, const uint32_t *end) {
    const uint32_t *begin = array.span().data();
    if (next == begin && !begin) return;
    if (next < begin + array.size() || next > end || end != begin + array.capacity())
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, "words: not the pointers that the lane gave");
    array.append(size_t(next - begin) - array.size());
}

inline void point_to_words(PlainArray<uint32_t> &array, uint32_t *&next, uint32_t *&end) {
    uint32_t *const begin = array.capacity() ? &array[0] : nullptr;
    next = begin + array.size();
    end = begin + array.capacity();
}

// Where a codec's struct has the pointers into an array of a lane.
template <typename Words>
struct WordPointers {
    uint32_t *Words::*next, *Words::*end;
    uint32_t *Words::*first = nullptr; // null: it has none
};

// pointers: those into each array, in the order of dumps.
template <typename Words, const auto &pointers>
class WordLanes {
  public:
    using Lane = std::array<PlainArray<uint32_t>, std::size(pointers)>;

    // Takes what was appended, and makes room for so many words more in each array. Throws
    // INVALID_ARGUMENT if the caller has changed the lane's pointers, INVALID_STATE after record().
    // Without memory, the pointers are good again.
    void make_room(uint32_t number, Words &words,
                   const std::array<size_t, std::size(pointers)> &room) {
        Lane &to = lane(number);
        take(to, words);
        try {
            for (size_t i = 0; i < to.size(); i++)
                to[i].make_room(room[i]);
        } catch (...) {
            point(to, words); // some arrays may have moved
            throw;
        }
        point(to, words);
    }

    void end(uint32_t number, const Words &words) { take(lane(number), words); }

    // Calls expand(), which reads the lanes, and after it throws undo(). Its records point into the
    // lanes' memory, and their words were checked: until clear() the lanes stay as they are.
    template <typename Expand, typename Undo>
    void record(Expand expand, Undo undo) {
        check_open();
        try {
            expand();
        } catch (...) {
            undo();
            throw;
        }
        recorded_ = true;
    }
    bool recorded() const { return recorded_; }

    void clear() {
        recorded_ = false;
        lanes_.each([](Lane &lane) { std::for_each(lane.begin(), lane.end(), clear_words); });
    }

    template <typename Visit>
    void each(Visit visit) const {
        lanes_.each([&](const Lane &lane) { visit(lane); });
    }

    // Writes for each lane its number, how many words each array has, and the words.
    void save(DumpWriter &writer) const {
        for (uint32_t number = 0; number < V3DOFF_LANES; number++) {
            const Lane *const lane = lanes_.find(number);
            if (!lane) continue;
            writer.value(number);
            for (const auto &array : *lane)
                writer.value(uint32_t(array.size()));
            for (const auto &array : *lane)
                writer.bytes(array.span().data(), array.span().size_bytes());
        }
    }

  private:
    void check_open() const {
        if (recorded_) throw Error(V3DOFF_ERROR_INVALID_STATE, "the picture was already recorded");
    }
    Lane &lane(uint32_t number) {
        check_open();
        std::lock_guard lock(mutex_);
        return lanes_.make(number);
    }
    static void clear_words(PlainArray<uint32_t> &array) { array.clear(); }
    static void take(Lane &lane, const Words &words) {
        if (!(words.*pointers[0].next)) return; // nothing yet
        for (size_t i = 0; i < lane.size(); i++)
            take_words(lane[i], words.*pointers[i].next, words.*pointers[i].end);
    }
    // To where the next words go.
    static void point(Lane &lane, Words &words) {
        for (size_t i = 0; i < lane.size(); i++) {
            const auto &to = pointers[i];
            point_to_words(lane[i], words.*to.next, words.*to.end);
            if (to.first) words.*to.first = words.*to.next - lane[i].size();
        }
    }

    std::mutex mutex_; // making a lane
    Lanes<Lane> lanes_;
    bool recorded_ = false;
};

} // namespace v3doff
