// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace v3doff {

// An array that grows like a vector, but does not initialise new elements. That would take as long
// as filling them.
template <typename T>
class PlainArray {
  public:
    // Makes room, so that appending so many elements does not throw. If this throws, nothing has
    // changed.
    void make_room(std::size_t count) {
        if (capacity_ - size_ < count) grow(count);
    }
    T *append(std::size_t count) {
        make_room(count);
        return append_in_room(count);
    }
    // Only after room was made.
    T *append_in_room(std::size_t count) {
        T *first = data_.get() + size_;
        size_ += count;
        return first;
    }
    void clear() { size_ = 0; }
    void cut(std::size_t size) { size_ = size; } // keeps the first `size` elements
    std::size_t size() const { return size_; }
    std::size_t capacity() const { return capacity_; }
    T &operator[](std::size_t i) { return data_[i]; }
    std::span<const T> span() const { return {data_.get(), size_}; }

  private:
    void grow(std::size_t count) {
        const std::size_t capacity = std::max<std::size_t>(256, 2 * (size_ + count));
        auto larger = std::make_unique_for_overwrite<T[]>(capacity); // may throw, so it comes first
        std::copy_n(data_.get(), size_, larger.get());
        data_ = std::move(larger);
        capacity_ = capacity;
    }
    std::unique_ptr<T[]> data_;
    std::size_t size_ = 0, capacity_ = 0;
};

} // namespace v3doff
