// SPDX-License-Identifier: BSD-2-Clause
// A growing array of words for shaders to read. If the device has memory that the CPU can use like
// its own, the words are written there directly. A second copy of some hundred kilobytes for each
// picture would cost as much as a tenth of a loop filter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace v3doff {

class ArenaWords {
  public:
    // A source of other memory than the heap. It may throw; the words then stay as they were.
    class Source {
      public:
        virtual ~Source() = default;
        // Returns at least so many words. The first of them have the values of those that are kept.
        virtual std::span<uint32_t> larger(size_t words, std::span<const uint32_t> kept) = 0;
    };

    ArenaWords() = default;
    explicit ArenaWords(Source *source) : source_(source) {}

    // Gives its memory away. Only the number of words stays.
    ArenaWords give_memory() noexcept {
        ArenaWords memory;
        memory.heap_ = std::move(heap_);
        memory.data_ = std::exchange(data_, nullptr);
        memory.capacity_ = std::exchange(capacity_, 0);
        return memory;
    }
    // Takes it instead of its own, and has no words.
    void take_memory(ArenaWords memory) {
        heap_ = std::move(memory.heap_);
        use({memory.data_, memory.capacity_});
    }
    // The same for memory of the source.
    void use(std::span<uint32_t> memory) {
        data_ = memory.data();
        size_ = 0;
        capacity_ = memory.size();
    }

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
    // New words have undefined values: the caller writes all of them.
    void grow(size_t words) {
        reserve(words);
        size_ = words;
    }
    // Words are added, 0 each, until there is a multiple of so many.
    void align(size_t multiple) { resize((size_ + multiple - 1) / multiple * multiple); }
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
