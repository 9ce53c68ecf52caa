// SPDX-License-Identifier: BSD-2-Clause
// Several log callbacks side by side, added and removed while threads write lines.
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "util/log.hpp"

namespace v3doff {
namespace {

struct Listener {
    std::atomic<int> lines{0}, inside{0};
    std::atomic<bool> gone{false}, wrong{false};
    std::chrono::milliseconds takes{0};

    static void hear(void *opaque, v3doff_log_level, const char *) {
        auto &self = *static_cast<Listener *>(opaque);
        self.inside++;
        self.lines++;
        std::this_thread::sleep_for(self.takes);
        if (self.gone) self.wrong = true;
        self.inside--;
    }
    void add(v3doff_log_level level = V3DOFF_LOG_INFO) {
        EXPECT_EQ(v3doff_log_add(hear, this, level), V3DOFF_OK);
    }
    void remove() {
        v3doff_log_remove(hear, this);
        gone = true;
    }
};

TEST(Log, EachCallbackHearsItsLevels) {
    Listener few, many;
    EXPECT_FALSE(log::wanted(V3DOFF_LOG_ERROR));
    few.add(V3DOFF_LOG_WARNING);
    many.add(V3DOFF_LOG_DEBUG);
    LOG_WARNING("for both");
    LOG_DEBUG("for one");
    EXPECT_EQ(few.lines, 1);
    EXPECT_EQ(many.lines, 2);
    many.add(V3DOFF_LOG_ERROR); // only the level changes
    EXPECT_FALSE(log::wanted(V3DOFF_LOG_INFO));
    LOG_ERROR("for both, once");
    EXPECT_EQ(few.lines, 2);
    EXPECT_EQ(many.lines, 3);
    few.remove();
    few.remove(); // it is not there
    EXPECT_FALSE(log::wanted(V3DOFF_LOG_WARNING));
    many.remove();
    EXPECT_FALSE(log::wanted(V3DOFF_LOG_ERROR));
    EXPECT_EQ(v3doff_log_add(nullptr, nullptr, V3DOFF_LOG_INFO), V3DOFF_ERROR_INVALID_ARGUMENT);
}

// An interpreter's lock, say: the caller holds it, and the callback takes it.
TEST(Log, RemovingDoesNotWaitForEver) {
    static std::mutex interpreter;
    const auto take_lock = [](void *, v3doff_log_level, const char *) {
        std::lock_guard lock(interpreter);
    };
    EXPECT_EQ(v3doff_log_add(take_lock, nullptr, V3DOFF_LOG_INFO), V3DOFF_OK);
    std::unique_lock held(interpreter);
    std::thread writer([] { LOG_INFO("a line"); });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    v3doff_log_remove(take_lock, nullptr);
    held.unlock();
    writer.join();
}

TEST(Log, NobodyIsInACallbackThatWasRemoved) {
    Listener slow;
    slow.takes = std::chrono::milliseconds(50);
    slow.add();
    std::thread writer([] { LOG_INFO("a line"); });
    while (!slow.inside)
        std::this_thread::yield();
    slow.remove();
    EXPECT_EQ(slow.inside, 0);
    writer.join();
    EXPECT_FALSE(slow.wrong);
}

// Each callback logs, adds and removes, also the other one, at the same time on two threads.
TEST(Log, CallbacksMayDoEverything) {
    static std::atomic<int> rounds;
    static thread_local bool nested;
    rounds = 0;
    struct Meddler {
        Meddler *other = nullptr;
        static void hear(void *opaque, v3doff_log_level, const char *) {
            if (nested) return;
            nested = true;
            auto &self = *static_cast<Meddler *>(opaque);
            LOG_INFO("from a callback");
            v3doff_log_remove(hear, self.other);
            v3doff_log_remove(hear, &self);
            EXPECT_EQ(v3doff_log_add(hear, &self, V3DOFF_LOG_INFO), V3DOFF_OK);
            EXPECT_EQ(v3doff_log_add(hear, self.other, V3DOFF_LOG_INFO), V3DOFF_OK);
            rounds++;
            nested = false;
        }
    };
    static Meddler first, second{&first};
    first.other = &second;
    v3doff_log_add(Meddler::hear, &first, V3DOFF_LOG_INFO);
    std::vector<std::thread> writers;
    for (int i = 0; i < 2; i++)
        writers.emplace_back([] {
            for (int line = 0; line < 500; line++)
                LOG_INFO("a line");
        });
    for (auto &writer : writers)
        writer.join();
    EXPECT_GT(rounds, 0);
    v3doff_log_remove(Meddler::hear, &first);
    v3doff_log_remove(Meddler::hear, &second);
    EXPECT_FALSE(log::wanted(V3DOFF_LOG_ERROR));
}

TEST(Log, AListenerMayEndWhileOthersWrite) {
    std::atomic<bool> stop{false};
    std::vector<std::thread> writers;
    for (int i = 0; i < 2; i++)
        writers.emplace_back([&] {
            while (!stop)
                LOG_INFO("a line");
        });
    for (int i = 0; i < 60; i++) {
        Listener listener, other;
        listener.add();
        other.add();
        while (!listener.lines)
            std::this_thread::yield();
        listener.remove();
        other.remove();
        std::this_thread::yield();
        EXPECT_FALSE(listener.wrong || other.wrong);
        EXPECT_EQ(listener.inside + other.inside, 0);
    }
    stop = true;
    for (auto &writer : writers)
        writer.join();
}

} // namespace
} // namespace v3doff
