// SPDX-License-Identifier: BSD-2-Clause
// What shaders read, a growing array of words. Where the device has memory that the CPU writes and
// reads as its own, the words are put there at once: a second copy of some hundred kilobytes a
// picture costs as much as a tenth of a loop filter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace v3doff {

class ArenaWords {
  public:
    // Other memory than the heap's. It may throw; what was there before then stays.
    class Source {
      public:
        virtual ~Source() = default;
        // At least so many words, the first ones of them those that are kept.
        virtual std::span<uint32_t> larger(size_t words, std::span<const uint32_t> kept) = 0;
    };

    ArenaWords() = default;
    explicit ArenaWords(Source *source) : source_(source) {}

    size_t size() const { return size_; }
    size_t capacity() const { return capacity_; }
    bool empty() const { return !size_; }
    uint32_t *data() { return data_; }
    const uint32_t *data() const { return data_; }
    uint32_t *begin() { return data_; }
    uint32_t *end() { return data_ + size_; }
    const uint32_t *begin() const { return data_; }
    const uint32_t *end() const { return data_ + size_; }
    uint32_t &operator[](size_t at) { return data_[at]; }
    uint32_t operator[](size_t at) const { return data_[at]; }

    void clear() { size_ = 0; }
    void reserve(size_t words) {
        if (words > capacity_) enlarge(words);
    }
    // New words are 0.
    void resize(size_t words);
    // New words are whatever was there: the caller writes all of them.
    void grow(size_t words) {
        reserve(words);
        size_ = words;
    }
    void push_back(uint32_t word) {
        grow(size_ + 1);
        data_[size_ - 1] = word;
    }
    void append(const uint32_t *from, size_t count);

  private:
    void enlarge(size_t words);

    Source *source_ = nullptr;
    std::unique_ptr<uint32_t[]> heap_;
    uint32_t *data_ = nullptr;
    size_t size_ = 0, capacity_ = 0;
};

} // namespace v3doff
