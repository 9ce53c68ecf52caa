// SPDX-License-Identifier: BSD-2-Clause
#include "picture/arena_words.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace v3doff {
namespace {

TEST(ArenaWords, NewWordsAreZeroUnlessTheCallerWritesThem) {
    ArenaWords words;
    words.grow(3);
    std::fill(words.begin(), words.end(), 7u);
    words.clear();
    words.resize(5); // what was there is not seen again
    EXPECT_EQ(std::vector<uint32_t>(words.begin(), words.end()), std::vector<uint32_t>(5));
    words.push_back(1);
    const uint32_t more[] = {2, 3};
    words.append(more, 2);
    EXPECT_EQ(std::vector<uint32_t>(words.begin() + 5, words.end()),
              (std::vector<uint32_t>{1, 2, 3}));
}

TEST(ArenaWords, KeepsItsWordsWhenItGrowsAndItsMemoryWhenItIsCleared) {
    ArenaWords words;
    for (uint32_t n = 0; n < 5000; n++)
        words.push_back(n);
    for (uint32_t n = 0; n < 5000; n++)
        ASSERT_EQ(words[n], n);
    const uint32_t *const data = words.data();
    words.clear();
    words.resize(5000);
    EXPECT_EQ(words.data(), data);
}

// Lends memory of its own and refuses when it is told to.
class Lender final : public ArenaWords::Source {
  public:
    std::span<uint32_t> larger(size_t words, std::span<const uint32_t> kept) override {
        if (refuses) throw std::runtime_error("no memory");
        std::vector<uint32_t> next(words, 9);
        std::copy(kept.begin(), kept.end(), next.begin());
        memory = std::move(next);
        return memory;
    }
    std::vector<uint32_t> memory;
    bool refuses = false;
};

TEST(ArenaWords, LiesInTheMemoryOfItsSource) {
    Lender lender;
    ArenaWords words(&lender);
    words.push_back(4);
    EXPECT_EQ(words.data(), lender.memory.data());
    words.resize(words.capacity() + 1);
    EXPECT_EQ(words.data(), lender.memory.data());
    EXPECT_EQ(words[0], 4u);
    EXPECT_EQ(words[words.size() - 1], 0u);
}

TEST(ArenaWords, StaysAsItIsWhenItsSourceHasNoMore) {
    Lender lender;
    ArenaWords words(&lender);
    words.push_back(4);
    lender.refuses = true;
    const size_t capacity = words.capacity();
    EXPECT_THROW(words.resize(capacity + 1), std::runtime_error);
    EXPECT_EQ(words.size(), 1u);
    EXPECT_EQ(words.capacity(), capacity);
    EXPECT_EQ(words[0], 4u);
}

} // namespace
} // namespace v3doff
