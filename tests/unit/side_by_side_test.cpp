// SPDX-License-Identifier: BSD-2-Clause
// Submits that are merged: which steps come when, and that everything is done once, in its order.
#include <cstdlib>
#include <deque>
#include <future>
#include <gtest/gtest.h>

#include "any_device.hpp"
#include "util/fault.hpp"
#include "variable.hpp"
#include "vk/device.hpp"
#include "vk/side_by_side.hpp"
#include "vk/timeline.hpp"

using namespace v3doff;

namespace {

struct Link {
    char chain_;
    int number;
    char chain() const { return chain_; }
};

// The groups, one after the other: chains and numbers.
std::string groups_of(std::string_view chains, size_t most = 32) {
    std::deque<Link> links;
    std::vector<Link *> waiting, group;
    for (char chain : chains)
        waiting.push_back(&links.emplace_back(Link{chain, int(links.size())}));
    std::string text;
    while (!waiting.empty()) {
        vk::take_side_by_side(waiting, group, most);
        for (const Link *link : group)
            text += link->chain_ + std::to_string(link->number);
        text += ' ';
    }
    return text;
}

// Tells, in which order, and whether it went well; the first may hold the thread up.
struct Job final : vk::Submission {
    void finished(const vk::Outcome &outcome) noexcept override {
        if (hold) hold->get_future().wait();
        place = ++count;
        done.set_value(outcome.ok);
    }
    std::promise<void> *hold = nullptr;
    std::promise<bool> done;
    int place = 0;
    static inline int count;
};

constexpr uint32_t chains = 3, links = 4;

class Merged : public testing::Test {
  protected:
    const DebugSetting merge{"merge_submits=on"};
    void SetUp() override {
        device = open_any_device();
        if (!device) GTEST_SKIP() << "no Vulkan device";
        memory = vk::Buffer::create_readable(*device, (chains * (links + 1) + 1) * 256);
        memory->begin_cpu_access();
        std::fill_n(reinterpret_cast<uint32_t *>(memory->data()), memory->size() / 4, 0);
        memory->end_cpu_access();
        Job::count = 0;
    }
    void TearDown() override {
        unsetenv("V3DOFF_FAULT");
        fault::reload();
    }

    static size_t at(uint32_t chain, uint32_t link) { return (chain * (links + 1) + link) * 256; }

    // What the link before has left goes on to this one; each takes three steps.
    Job &submit(uint32_t chain, uint32_t link, std::promise<void> *hold = nullptr) {
        auto &commands = commands_.emplace_back(*device);
        commands.begin(&chain_[chain]);
        if (!link) commands.fill(*memory, at(chain, 0), 100 + chain);
        commands.barrier(vk::Commands::Scope::copies);
        commands.copy(*memory, at(chain, link), *memory, at(chain, link) + 128, 4);
        commands.barrier();
        commands.copy(*memory, at(chain, link) + 128, *memory, at(chain, link + 1), 4);
        Job &job = jobs_.emplace_back();
        job.hold = hold;
        EXPECT_EQ(device->timeline().submit(commands, job, others), "");
        return job;
    }

    // With the thread held up by the first one, two more are sent and the others wait.
    void submit_all() {
        submit(0, 0, &hold);
        while (device->timeline().in_flight()) // until the first one is done
            std::this_thread::yield();
        for (uint32_t link = 0; link < links; link++)
            for (uint32_t chain = 0; chain < chains; chain++)
                if (link || chain) submit(chain, link);
    }

    std::shared_ptr<vk::Device> device;
    std::unique_ptr<vk::Buffer> memory;
    std::promise<void> hold;
    bool others = false;
    char chain_[chains];
    std::deque<vk::Commands> commands_;
    std::deque<Job> jobs_;

    size_t wait_and_count_done() {
        size_t done = 0;
        for (Job &job : jobs_)
            done += job.done.get_future().get();
        return done;
    }

    void expect_all_in_order() {
        int place = 0;
        for (Job &job : jobs_) {
            EXPECT_TRUE(job.done.get_future().get());
            EXPECT_EQ(job.place, ++place);
        }
        memory->begin_cpu_access();
        for (uint32_t chain = 0; chain < chains; chain++)
            for (uint32_t link = 0; link <= links; link++)
                EXPECT_EQ(*reinterpret_cast<const uint32_t *>(memory->data() + at(chain, link)),
                          100 + chain);
        memory->end_cpu_access();
    }
};

// By a thread of their own, which sends the first ones that come as soon as it can.
class Sent : public Merged {
  protected:
    void SetUp() override {
        others = true;
        Merged::SetUp();
    }
    const DebugSetting thread{"submit_thread=on"};
};

} // namespace

TEST(SideBySide, OfEachChainTheFirst) {
    EXPECT_EQ(groups_of("abc"), "a0b1c2 ");
    EXPECT_EQ(groups_of("aabac"), "a0b2c4 a1 a3 ");
    EXPECT_EQ(groups_of("abababc"), "a0b1c6 a2b3 a4b5 ");
    EXPECT_EQ(groups_of("aaa"), "a0 a1 a2 ");
    EXPECT_EQ(groups_of("abcabc", 2), "a0b1 c2a3 b4c5 ");
    EXPECT_EQ(groups_of(""), "");
}

TEST_F(Merged, EachOnceAndInItsOrder) {
    submit_all();
    hold.set_value();
    expect_all_in_order();
    // The one held up, the two that may be in flight, and one for each link of the chains.
    EXPECT_EQ(device->timeline().driver_submits(), 3 + (links - 1));
}

TEST_F(Merged, WhatIsRefusedTogetherFailsTogether) {
    setenv("V3DOFF_FAULT", "submit:4", 1);
    fault::reload();
    submit_all();
    hold.set_value();
    const size_t done = wait_and_count_done();
    EXPECT_EQ(done, jobs_.size() - chains); // one link of each
    EXPECT_EQ(device->timeline().driver_submits(), 3 + (links - 2));
    EXPECT_FALSE(device->bad());
}

TEST_F(Sent, EachOnceAndInItsOrder) {
    submit_all();
    // Nobody else hands them over: the thread that would is held up.
    while (device->timeline().in_flight() < 2)
        std::this_thread::yield();
    hold.set_value();
    expect_all_in_order();
    EXPECT_LE(device->timeline().driver_submits(), chains * links);
}

TEST_F(Sent, WhatIsRefusedFails) {
    setenv("V3DOFF_FAULT", "submit:2", 1);
    fault::reload();
    submit_all();
    hold.set_value();
    const size_t done = wait_and_count_done();
    EXPECT_LT(done, jobs_.size());
    EXPECT_GE(done, jobs_.size() - chains);
    EXPECT_FALSE(device->bad());
}

TEST_F(Sent, BesideThoseThatAreWaitedFor) {
    hold.set_value();
    for (uint32_t link = 0; link < links; link++)
        for (uint32_t chain = 0; chain < chains; chain++) {
            others = chain != 1;
            submit(chain, link);
        }
    for (Job &job : jobs_)
        EXPECT_TRUE(job.done.get_future().get());
}
