// SPDX-License-Identifier: BSD-2-Clause
// Random numbers that are the same on every machine for one seed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace fuzz {

class Random {
  public:
    // Streams of numbers for different purposes and numbers do not depend on each other.
    Random(uint64_t seed, char purpose, uint64_t number) {
        std::seed_seq words{uint32_t(seed), uint32_t(seed >> 32), uint32_t(purpose),
                            uint32_t(number), uint32_t(number >> 32)};
        engine_.seed(words);
    }

    uint64_t bits() { return engine_(); }
    size_t below(size_t count) { return count ? size_t(engine_() % count) : 0; }
    int between(int first, int last) { return first + int(below(size_t(last - first + 1))); }
    bool chance(unsigned percent) { return below(100) < percent; }

    template <typename T>
    T pick(std::initializer_list<T> values) {
        return values.begin()[below(values.size())];
    }
    template <typename T>
    const T &pick(const std::vector<T> &values) {
        return values[below(values.size())];
    }

  private:
    std::mt19937_64 engine_;
};

} // namespace fuzz
