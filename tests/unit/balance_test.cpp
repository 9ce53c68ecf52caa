// SPDX-License-Identifier: BSD-2-Clause
#include "policy/balance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

using v3doff::Balance;
using v3doff::Learned;
using v3doff::Share;
using v3doff::Verdict;

namespace {

// Times of a picture in us: until it is there, when nothing keeps it waiting; how much later it is
// there than the one before, which it predicts from; and CPU time.
struct Speed {
    uint64_t takes, lag, cpu = 0;
};

struct Decoder {
    uint32_t threads;
    Speed cpu, gpu;
    uint64_t period = 0; // in which the program takes a picture; 0: as fast as they come
    // One of so many is not predicted from: it follows those before it, whoever makes it, and none
    // follows it. 0: all are.
    uint32_t group = 0;
    uint32_t cold = 0; // so many of each kind take the GPU three times as long at first
    uint32_t intra_period = 0, intra_burst = 1; // intra pictures take ten times as long
};

// A decoder whose pictures begin in order, each once its thread is free and the program wants it.
class Played {
  public:
    explicit Played(uint32_t threads, const Learned &learned = {}) : Played(threads, true) {
        balance_.device_is_ready(learned);
    }
    // The device is not ready.
    static Played early(uint32_t threads) { return {threads, false}; }
    void ready(const Learned &learned = {}) { balance_.device_is_ready(learned); }
    Learned learned() const { return balance_.learned(); }

    // Of the last so many pictures, how many were the GPU's.
    uint32_t decode(const Decoder &decoder, uint32_t pictures) {
        uint32_t on_gpu = 0;
        for (uint32_t n = 0; n < pictures; n++) {
            uint64_t &thread = free_[count_++ % free_.size()];
            begin_ = std::max({begin_ + 1, thread, begin_ + decoder.period});
            tell_ends_until(begin_);
            const bool awaited = !decoder.group || count_ % decoder.group;
            const auto [verdict, window] = balance_.next(begin_ * 1000, awaited);
            const Speed &speed = verdict == Verdict::gpu ? decoder.gpu : decoder.cpu;
            const bool cold = verdict == Verdict::gpu && made_[awaited]++ < decoder.cold;
            const bool intra =
                decoder.intra_period && count_ % decoder.intra_period < decoder.intra_burst;
            const uint64_t longer = (cold ? 3 : 1) * (intra ? 10 : 1);
            const uint64_t takes = speed.takes * longer;
            const uint64_t lag = (awaited ? speed.lag : decoder.cpu.lag) * longer;
            balance_.spent(window, noisy(speed.cpu) * 1000);
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
    Played(uint32_t threads, bool) : balance_(threads), free_(threads, 0) {}
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
    EXPECT_GE(played.decode(equal, 20000), 18500u);
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
        EXPECT_GE(on_gpu, others * 80 / 100);
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
    balance.device_is_ready();
    for (int i = 0; i < 100; i++)
        balance.done(5);
    for (int i = 0; i < 1000; i++) {
        const auto [verdict, window] = balance.next(7, i % 2);
        EXPECT_EQ(verdict, Verdict::gpu);
        balance.spent(window, 3);
        balance.spent(window + 1, 3);
    }
}

// ---- CPU time ------------------------------------------------------------------

namespace {

// The same with CPU times.
Decoder costing(Decoder decoder, uint64_t cpu_us, uint64_t gpu_us) {
    decoder.cpu.cpu = cpu_us;
    decoder.gpu.cpu = gpu_us;
    return decoder;
}

} // namespace

TEST(Balance, ADeviceThatSavesNoCpuTimeGetsNothing) {
    for (const uint64_t period : {0u, 16667u}) {
        const Decoder decoder = at_pace(costing(four_threads, 2000, 2600), period);
        Played played = Played::early(4);
        played.decode(decoder, 100);
        played.ready();
        played.decode(decoder, 200);
        EXPECT_LE(played.decode(decoder, 5000), 5000u / 12) << period;
        EXPECT_EQ(verdict_of(played.learned()), Verdict::cpu) << period;
    }
}

TEST(Balance, TheCpusPicturesBeforeTheDeviceIsOpenAreTheComparison) {
    Played played = Played::early(4);
    const Decoder decoder = costing(four_threads, 2000, 900);
    EXPECT_EQ(played.decode(decoder, 60), 0u);
    played.ready();
    EXPECT_EQ(played.decode(decoder, 590), 590u);
    const Learned learned = played.learned();
    EXPECT_TRUE(learned.compared);
    EXPECT_EQ(learned.if_crowded, Share::all);
    EXPECT_NEAR(learned.cpu.cpu_ns, 2e6, 3e5);
    EXPECT_NEAR(learned.device.cpu_ns, 9e5, 2e5);
}

TEST(Balance, ADeviceThatBeginsSlowlyIsNotGivenUpForThat) {
    Played played = Played::early(4);
    Decoder decoder = costing(four_threads, 2000, 900);
    decoder.cold = 40;
    played.decode(decoder, 60);
    played.ready();
    EXPECT_GE(played.decode(decoder, 1000), 850u);
}

TEST(Balance, IntraPicturesAtOnceDoNotDecide) {
    for (const uint32_t burst : {1u, 4u}) {
        Played played = Played::early(4);
        Decoder decoder = costing(four_threads, 2000, 900);
        decoder.intra_period = 50;
        decoder.intra_burst = burst;
        played.decode(decoder, 60);
        played.ready();
        EXPECT_GE(played.decode(decoder, 5000), 4500u) << burst;
    }
}

// A film does not stop for seconds to find that out.
TEST(Balance, ADeviceThatIsFarTooSlowGetsAFewPictures) {
    Played played = Played::early(4);
    Decoder decoder = costing(four_threads, 2000, 900);
    decoder.period = 40000;
    decoder.gpu.takes = decoder.gpu.lag = 500000;
    played.decode(decoder, 60);
    played.ready();
    EXPECT_LE(played.decode(decoder, 500), 40u);
    // The next one does not stop at all.
    Played next = Played::early(4);
    next.decode(decoder, 60);
    next.ready(played.learned());
    EXPECT_EQ(next.decode(decoder, 300), 0u);
}

// Somebody else uses it for a while.
TEST(Balance, ABusyDeviceIsUsedAgainLater) {
    Played played = Played::early(4);
    const Decoder free = costing(four_threads, 2000, 900);
    Decoder busy = free;
    busy.gpu.takes *= 5, busy.gpu.lag *= 5;
    played.decode(free, 60);
    played.ready();
    played.decode(free, 1000);
    played.decode(busy, 6000);
    EXPECT_LE(played.decode(busy, 1000), 150u);
    played.decode(free, 10000);
    EXPECT_GE(played.decode(free, 1000), 850u);
}

TEST(Balance, AProgramThatChangesItsPace) {
    const Decoder decoder = costing(many_threads, 2000, 900);
    Played played(16);
    played.decode(decoder, 1000);
    for (unsigned i = 0; i < 3; i++) {
        played.decode(at_pace(decoder, 16667), 3000);
        EXPECT_EQ(played.decode(at_pace(decoder, 16667), 500), 500u);
        played.decode(decoder, 400);
        EXPECT_LE(played.decode(decoder, 1000), 200u);
    }
}

TEST(Balance, TheNextStreamBeginsWithWhatTheLastOneHasTaught) {
    const Decoder slower = costing(many_threads, 2000, 900);
    Played first(16);
    first.decode(slower, 2000);
    Played second(16, first.learned());
    EXPECT_LE(second.decode(slower, 400), 80u); // to see whether the program waits

    const Decoder faster = costing(four_threads, 2000, 900);
    Played third(4);
    third.decode(faster, 2000);
    Played fourth(4, third.learned());
    EXPECT_EQ(fourth.decode(faster, 300), 300u);

    Learned costs_more = third.learned();
    costs_more.device.cpu_ns = 3 * costs_more.cpu.cpu_ns;
    Played fifth(4, costs_more);
    EXPECT_EQ(fifth.decode(costing(four_threads, 2000, 6000), 200), 0u);
}
