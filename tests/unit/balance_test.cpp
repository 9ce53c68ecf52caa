// SPDX-License-Identifier: BSD-2-Clause
#include "policy/balance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

using v3doff::Balance;
using v3doff::Verdict;

namespace {

// Times of a picture in us: until it is there, when nothing keeps it waiting; and how much later it
// is there than the one before, which it predicts from.
struct Speed {
    uint64_t takes, lag;
};

struct Decoder {
    uint32_t threads;
    Speed cpu, gpu;
    uint64_t period = 0; // in which the program takes a picture; 0: as fast as they come
    // One of so many is not predicted from: it follows those before it, whoever makes it, and none
    // follows it. 0: all are.
    uint32_t group = 0;
    uint32_t cold = 0; // so many of each kind take the GPU three times as long at first
};

// A decoder whose pictures begin in order, each once its thread is free and the program wants it.
class Played {
  public:
    explicit Played(uint32_t threads) : balance_(threads), free_(threads, 0) {}

    // Of the last so many pictures, how many were the GPU's.
    uint32_t decode(const Decoder &decoder, uint32_t pictures) {
        uint32_t on_gpu = 0;
        for (uint32_t n = 0; n < pictures; n++) {
            uint64_t &thread = free_[count_++ % free_.size()];
            begin_ = std::max({begin_ + 1, thread, begin_ + decoder.period});
            tell_ends_until(begin_);
            const bool awaited = !decoder.group || count_ % decoder.group;
            const Verdict verdict = balance_.next(begin_ * 1000, awaited);
            const Speed &speed = verdict == Verdict::gpu ? decoder.gpu : decoder.cpu;
            const bool cold = verdict == Verdict::gpu && made_[awaited]++ < decoder.cold;
            const uint64_t takes = speed.takes * (cold ? 3 : 1);
            const uint64_t lag = awaited ? speed.lag : decoder.cpu.lag;
            const uint64_t end = std::max(begin_ + noisy(takes), end_ + noisy(lag));
            if (awaited) end_ = end;
            last_ = std::max(last_, end);
            ends_.push_back(thread = end);
            on_gpu += verdict == Verdict::gpu;
        }
        return on_gpu;
    }
    uint64_t us() const { return last_; }

  private:
    void tell_ends_until(uint64_t time) {
        std::sort(ends_.begin(), ends_.end());
        size_t told = 0;
        for (; told < ends_.size() && ends_[told] <= time; told++)
            balance_.done(ends_[told] * 1000);
        ends_.erase(ends_.begin(), ends_.begin() + ptrdiff_t(told));
    }
    // Up to 30 % more or less, so that windows of pictures differ by a few percent.
    uint64_t noisy(uint64_t us) {
        random_ = random_ * 6364136223846793005 + 1442695040888963407;
        return us * (700 + (random_ >> 33) % 600) / 1000;
    }

    Balance balance_;
    std::vector<uint64_t> free_; // when each thread is
    std::vector<uint64_t> ends_; // not told yet
    uint64_t begin_ = 0, last_ = 0, random_ = 1;
    uint64_t end_ = 0; // of what the next one predicts from
    uint32_t count_ = 0, made_[2] = {};
};

const Decoder many_threads{16, {6000, 450}, {5000, 900}}; // 450 and 900 us a picture
const Decoder four_threads{4, {3600, 450}, {2900, 700}};  // 900 and 725
const Decoder one_thread{1, {2000, 0}, {1700, 0}};

Decoder at_pace(Decoder decoder, uint64_t period) {
    decoder.period = period;
    return decoder;
}

} // namespace

TEST(Balance, TheCpuGetsPicturesThatItGivesFaster) {
    Played played(16);
    played.decode(many_threads, 400);
    const uint64_t begin = played.us();
    EXPECT_LE(played.decode(many_threads, 5000), 5000u / 12);
    // Of what the GPU makes half as fast nearly nothing is left.
    EXPECT_LE(played.us() - begin, 5000u * 450 * 112 / 100);
}

TEST(Balance, TheGpuKeepsPicturesThatItGivesAsFast) {
    for (Decoder decoder : {four_threads, one_thread}) {
        Played played(decoder.threads);
        EXPECT_GE(played.decode(decoder, 5000), 4700u);
    }
    Decoder equal = one_thread;
    equal.gpu = equal.cpu;
    Played played(1);
    EXPECT_GE(played.decode(equal, 20000), 19000u);
}

// Those that nobody waits for may take their time.
TEST(Balance, TheGpuKeepsPicturesThatNobodyAwaits) {
    for (uint32_t group : {2u, 4u}) {
        Decoder decoder = many_threads;
        decoder.group = group;
        decoder.gpu.lag = 2000;
        decoder.cold = 30;
        Played played(decoder.threads), alone(decoder.threads);
        played.decode(decoder, 1000);
        const uint64_t begin = played.us();
        const uint32_t others = 5000 / group, on_gpu = played.decode(decoder, 5000);
        EXPECT_GE(on_gpu, others * 85 / 100);
        EXPECT_LE(on_gpu, others + 5000 / 8);
        Decoder without = decoder;
        without.gpu = decoder.cpu;
        alone.decode(without, 1000);
        const uint64_t begin_alone = alone.us();
        alone.decode(without, 5000);
        EXPECT_LE(played.us() - begin, (alone.us() - begin_alone) * 115 / 100);
    }
}

TEST(Balance, ADeviceThatIsTooSlowForThoseGetsNone) {
    Decoder decoder = many_threads;
    decoder.group = 2;
    decoder.gpu = {30000, 5000};
    Played played(decoder.threads);
    played.decode(decoder, 1000);
    EXPECT_LE(played.decode(decoder, 5000), 5000u / 10);
}

// Without such pictures, with nothing but them, and when their kind changes.
TEST(Balance, StreamsOfOneKind) {
    Decoder decoder = many_threads;
    decoder.group = 1; // nobody waits for any: the lag is that of the card itself
    Played played(decoder.threads);
    EXPECT_GE(played.decode(decoder, 5000), 4700u);
    played.decode(many_threads, 20000);
    EXPECT_LE(played.decode(many_threads, 5000), 5000u / 10);
    decoder.group = 2;
    played.decode(decoder, 40000);
    EXPECT_GE(played.decode(decoder, 5000), 2000u);
}

// Not a picture is tried on the CPU, which might be too slow for the program's pace.
TEST(Balance, WhoTakesPicturesAtItsOwnPaceWaitsForNone) {
    for (Decoder decoder : {many_threads, four_threads, one_thread}) {
        Played played(decoder.threads);
        EXPECT_EQ(played.decode(at_pace(decoder, 16667), 5000), 5000u);
    }
}

TEST(Balance, TheGpuGetsThemBackWhenNobodyWaitsAnyMore) {
    Played played(16);
    played.decode(many_threads, 1000);
    EXPECT_LE(played.decode(many_threads, 100), 50u);
    played.decode(at_pace(many_threads, 16667), 2000);
    EXPECT_EQ(played.decode(at_pace(many_threads, 16667), 500), 500u);
}

// A pace that the CPU keeps up with and the GPU does not: from the CPU pictures come in time, so
// that nobody waits; that does not make it try the GPU over and over.
TEST(Balance, ADeviceThatIsTooSlowForThePaceIsTriedLessAndLess) {
    const Decoder slow{5, {30000, 6000}, {25000, 20000}, 12000};
    Played played(5);
    played.decode(slow, 1000);
    EXPECT_LE(played.decode(slow, 2000), 200u);
    played.decode(slow, 10000);
    EXPECT_LE(played.decode(slow, 10000), 200u);
}

TEST(Balance, AStreamThatChangesIsComparedAgain) {
    Played played(16);
    played.decode(many_threads, 3000);
    Decoder other = many_threads;
    other.gpu.lag = 300;
    played.decode(other, 8000);
    EXPECT_GE(played.decode(other, 1000), 900u);
    played.decode(many_threads, 16000);
    EXPECT_LE(played.decode(many_threads, 1000), 200u);
}

// A decoder that forgets to say so must not make the balance lose its footing.
TEST(Balance, EndsThatNobodyBeganAndTimesThatStandStill) {
    Balance balance(2);
    for (int i = 0; i < 100; i++)
        balance.done(5);
    for (int i = 0; i < 1000; i++)
        EXPECT_EQ(balance.next(7, i % 2), Verdict::gpu);
}
