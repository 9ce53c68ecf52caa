// SPDX-License-Identifier: BSD-2-Clause
#include "picture/arena_words.hpp"

#include <algorithm>
#include <bit>

namespace v3doff {

void ArenaWords::resize(size_t words) {
    const size_t before = size_;
    grow(words);
    if (words > before) std::fill(data_ + before, data_ + words, 0);
}

void ArenaWords::append(const uint32_t *from, size_t count) {
    const size_t at = size_;
    grow(at + count);
    std::copy_n(from, count, data_ + at);
}

void ArenaWords::enlarge(size_t words) {
    words = std::bit_ceil(std::max(words, size_t(1024)));
    if (source_) {
        const std::span<uint32_t> larger = source_->larger(words, {data_, size_});
        data_ = larger.data();
        capacity_ = larger.size();
        return;
    }
    auto larger = std::make_unique_for_overwrite<uint32_t[]>(words);
    std::copy_n(data_, size_, larger.get());
    heap_ = std::move(larger);
    data_ = heap_.get();
    capacity_ = words;
}

} // namespace v3doff
