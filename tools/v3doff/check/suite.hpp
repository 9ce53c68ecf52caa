// SPDX-License-Identifier: BSD-2-Clause
// What the checker compares: suites of random cases, each run by several implementations.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "session.hpp"

namespace tool {

// Its output is defined by the C++ standard, so a seed means the same case on every machine.
using Random = std::mt19937_64;
inline uint64_t below(Random &random, uint64_t bound) {
    return random() % bound;
}
inline int64_t between(Random &random, int64_t least, int64_t most) {
    return least + int64_t(below(random, uint64_t(most - least) + 1));
}

// Bytes that must be the same in every implementation: the samples with the guard bytes round
// them, and every side effect.
using Result = std::map<std::string, std::vector<uint8_t>>;

enum class Implementation { reference, ffmpeg_c, ffmpeg, vulkan };
inline constexpr Implementation all_implementations[] = {
    Implementation::reference, Implementation::ffmpeg_c, Implementation::ffmpeg,
    Implementation::vulkan};
const char *implementation_name(Implementation implementation);

// The devices of a run: the library with and without Vulkan.
struct Bench {
    Device cpu, vulkan;
};

// A random case: runs in every implementation, and describes a difference for a person.
class Case {
  public:
    virtual ~Case() = default;
    virtual Result run(Implementation implementation, Bench &bench) const = 0;
    virtual std::string describe(const std::string &region, size_t byte) const = 0;
};

// Which of FFmpeg's functions a suite compares with the library, where they are built in.
enum class Ffmpeg { none, c, c_and_simd };

struct Suite {
    std::string name, summary;
    unsigned cases; // of one repeat
    Ffmpeg ffmpeg;
    std::function<std::unique_ptr<Case>(Random &)> make_case;
    bool hidden = false; // must be asked for by name

    bool has(Implementation implementation) const;
};

using Suites = std::vector<Suite>;
void add_h264_residual(Suites &suites);
void add_h264_inter(Suites &suites);
void add_h264_intra(Suites &suites);
void add_h264_whole(Suites &suites);
void add_vp9_residual(Suites &suites);
void add_vp9_filter(Suites &suites);
void add_vp9_filter_bands(Suites &suites);

void add_vp9_intra(Suites &suites);
void add_vp9_inter(Suites &suites);
void add_vp9_whole(Suites &suites);
void add_h264_dsp(Suites &suites);
void add_vp9_dsp(Suites &suites);
void add_vp9_dsp_calls(Suites &suites);

void add_h264_filter(Suites &suites);
void add_h264_strength(Suites &suites);

void add_self_test(Suites &suites);

} // namespace tool
