// SPDX-License-Identifier: BSD-2-Clause
// A decoder's policy in real time, with several threads: which side gets the pictures while the
// program takes them as fast as they come, and which while it does not; the requested mode and the
// environment; and every refused call.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

#include "capi_refused.h"
#include "v3doff/policy.h"

namespace {

using namespace std::chrono_literals;

constexpr uint32_t filter = 1u << V3DOFF_FAMILY_VP9_LOOPFILTER;
constexpr uint32_t whole = 1u << V3DOFF_FAMILY_VP9_RECONSTRUCTION;

v3doff_device *device; // whichever this machine has

v3doff_policy *make_policy(uint32_t threads, v3doff_mode mode = V3DOFF_MODE_AUTO,
                           v3doff_scope scope = V3DOFF_SCOPE_AUTO) {
    v3doff_policy_info info{};
    info.struct_size = sizeof info;
    info.mode = mode;
    info.scope = scope;
    info.threads = threads;
    v3doff_policy *policy = nullptr;
    EXPECT_OK(v3doff_policy_create(&policy, &info));
    return policy;
}

v3doff_policy_question question_of(uint32_t possible, bool awaited = true) {
    v3doff_policy_question question{};
    question.struct_size = sizeof question;
    question.device = device;
    question.width = 640;
    question.height = 360;
    question.possible = possible;
    question.awaited = awaited;
    return question;
}

v3doff_policy_answer ask(v3doff_policy *policy, const v3doff_policy_question &question) {
    v3doff_policy_answer answer{};
    answer.struct_size = sizeof answer;
    EXPECT_OK(v3doff_policy_ask(policy, &question, &answer));
    return answer;
}

// The CPU time that a picture takes where the device does not do it.
void use_cpu_time(bool gpu) {
    const auto now_ns = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return time.tv_sec * 1'000'000'000l + time.tv_nsec;
    };
    for (const long begin = now_ns(); !gpu && now_ns() - begin < 200'000;) {
    }
}

void done(v3doff_policy *policy) {
    EXPECT_OK(v3doff_policy_done(policy, V3DOFF_EXECUTOR_NONE));
}

bool next_is_gpu(v3doff_policy *policy, bool awaited) {
    const v3doff_policy_answer answer = ask(policy, question_of(filter, awaited));
    EXPECT(answer.counted);
    EXPECT(answer.scope == V3DOFF_SCOPE_FILTERS || answer.reason);
    return answer.scope == V3DOFF_SCOPE_FILTERS;
}

// As fast as they come: each thread begins with a picture when it has made one. Returns how many
// were the GPU's, which takes four times as long here.
int make_pictures(v3doff_policy *policy, int threads, int pictures) {
    std::atomic<int> left{pictures}, on_gpu{0};
    std::vector<std::thread> makers;
    for (int i = 0; i < threads; i++)
        makers.emplace_back([&] {
            while (left-- > 0) {
                const bool gpu = next_is_gpu(policy, true);
                on_gpu += gpu;
                std::this_thread::sleep_for(gpu ? 8ms : 2ms);
                use_cpu_time(gpu);
                done(policy);
            }
        });
    for (std::thread &maker : makers)
        maker.join();
    return on_gpu;
}

int make_pictures_at_leisure(v3doff_policy *policy, int pictures) {
    int on_gpu = 0;
    for (int n = 0; n < pictures; n++) {
        const bool gpu = next_is_gpu(policy, true);
        on_gpu += gpu;
        use_cpu_time(gpu);
        done(policy);
        std::this_thread::sleep_for(1ms);
    }
    return on_gpu;
}

void expect_the_cpu_while_they_are_wanted(uint32_t threads) {
    v3doff_policy *policy = make_policy(threads);
    EXPECT(make_pictures(policy, int(threads), 300) < 150);
    make_pictures_at_leisure(policy, 1500);
    EXPECT(make_pictures_at_leisure(policy, 100) == 100);
    v3doff_policy_destroy(&policy);
    EXPECT(!policy);
}

// Nobody waits for every second picture. The GPU does these pictures faster than the CPU.
bool what_nobody_awaits_stays(int threads) {
    v3doff_policy *policy = make_policy(uint32_t(threads));
    const int pictures = 400 + 400 * threads;
    std::atomic<int> begun{0}, awaited_on_gpu{0}, others_on_gpu{0};
    std::vector<std::thread> makers;
    for (int i = 0; i < threads; i++)
        makers.emplace_back([&] {
            for (int n = begun++; n < pictures; n = begun++) {
                const bool awaited = n % 2, gpu = next_is_gpu(policy, awaited);
                if (n >= pictures - 400) (awaited ? awaited_on_gpu : others_on_gpu) += gpu;
                std::this_thread::sleep_for(!gpu ? 2000us : awaited ? 8000us : 500us);
                use_cpu_time(gpu);
                done(policy);
            }
        });
    for (std::thread &maker : makers)
        maker.join();
    v3doff_policy_destroy(&policy);
    return others_on_gpu > 150 && awaited_on_gpu < 100;
}

// The times above are real ones, which other processes of a busy machine can stretch.
void expect_what_nobody_awaits_to_stay(int threads) {
    bool stays = false;
    for (int i = 0; i < 3 && !stays; i++)
        stays = what_nobody_awaits_stays(threads);
    EXPECT(stays);
}

void expect_what_was_asked_for() {
    v3doff_policy *policy = make_policy(2, V3DOFF_MODE_FORCE, V3DOFF_SCOPE_RECONSTRUCTION);
    v3doff_policy_answer answer = ask(policy, question_of(filter | whole));
    EXPECT(answer.scope == V3DOFF_SCOPE_RECONSTRUCTION && answer.families == whole);
    EXPECT(answer.counted && answer.alone && !answer.failed && !answer.reason);
    answer = ask(policy, question_of(filter));
    EXPECT(answer.scope == V3DOFF_SCOPE_FILTERS && answer.families == filter && !answer.alone);
    answer = ask(policy, question_of(0));
    EXPECT(answer.scope == V3DOFF_SCOPE_NONE && !answer.reason && !answer.counted);
    done(policy);
    done(policy);
    v3doff_policy_question question = question_of(filter);
    question.device = nullptr;
    answer = ask(policy, question);
    EXPECT(answer.scope == V3DOFF_SCOPE_NONE && answer.reason && !answer.counted);
    question = question_of(filter);
    question.obstacle = "film grain";
    answer = ask(policy, question);
    EXPECT(answer.scope == V3DOFF_SCOPE_NONE && answer.reason == question.obstacle &&
           !answer.counted);
    v3doff_policy_destroy(&policy);
    EXPECT(!policy);
}

// The submit ends it, before the decoder hears that the picture is done.
void expect_a_submit_to_end_the_turn() {
    v3doff_policy *policy = make_policy(1, V3DOFF_MODE_FORCE);
    v3doff_pool *pool = open_test_pool(device, 96, 80);
    v3doff_picture *picture = nullptr;
    EXPECT_OK(v3doff_picture_open(&picture, pool, nullptr));
    record_something(picture, 0);
    EXPECT(ask(policy, question_of(filter)).alone);
    v3doff_submit_info info{};
    info.struct_size = sizeof info;
    v3doff_policy *gone = make_policy(1);
    info.policy = gone;
    v3doff_policy_destroy(&gone);
    BAD_HANDLE(v3doff_picture_submit(picture, &info), "policy");
    std::atomic<bool> is_done{false};
    info.policy = policy;
    info.opaque = &is_done;
    info.done = [](void *opaque, v3doff_picture *) {
        static_cast<std::atomic<bool> *>(opaque)->store(true);
    };
    EXPECT_OK(v3doff_picture_submit(picture, &info));
    while (!is_done)
        std::this_thread::sleep_for(1ms);
    EXPECT(ask(policy, question_of(filter)).alone);
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
    v3doff_policy_destroy(&policy);
}

// The library does so when a device is opened.
void read_environment() {
    v3doff_device *cpu = open_test_device(V3DOFF_MODE_CPU);
    v3doff_device_destroy(&cpu);
}

void expect_what_the_environment_says() {
    setenv("V3DOFF", "off", 1);
    setenv("V3DOFF_SCOPE", "reconstruction", 1);
    read_environment();
    v3doff_policy *policy = make_policy(3), *forced = make_policy(3, V3DOFF_MODE_FORCE);
    v3doff_policy_info info{};
    info.struct_size = sizeof info;
    EXPECT_OK(v3doff_policy_get_info(policy, &info));
    EXPECT(info.mode == V3DOFF_MODE_CPU && info.scope == V3DOFF_SCOPE_RECONSTRUCTION);
    EXPECT(info.codec == V3DOFF_CODEC_VP9 && info.threads == 3);
    EXPECT(ask(policy, question_of(filter | whole)).scope == V3DOFF_SCOPE_NONE);
    EXPECT_OK(v3doff_policy_get_info(forced, &info));
    EXPECT(info.mode == V3DOFF_MODE_FORCE);
    v3doff_policy_destroy(&policy);
    v3doff_policy_destroy(&forced);
    unsetenv("V3DOFF");
    unsetenv("V3DOFF_SCOPE");
    read_environment();
}

void expect_refused_policies() {
    v3doff_policy *policy = nullptr;
    v3doff_policy_info info{};
    BAD_ARGUMENT(v3doff_policy_create(nullptr, &info), "out");
    BAD_ARGUMENT(v3doff_policy_create(&policy, nullptr), "info");
    BAD_ARGUMENT(v3doff_policy_create(&policy, &info), "struct_size");
    info.struct_size = sizeof info;
    BAD_ARGUMENT(v3doff_policy_create(&policy, &info), "threads");
    info.threads = 1;
    info.codec = v3doff_codec(2);
    BAD_ARGUMENT(v3doff_policy_create(&policy, &info), "codec");
    info.codec = V3DOFF_CODEC_H264;
    info.mode = v3doff_mode(3);
    BAD_ARGUMENT(v3doff_policy_create(&policy, &info), "mode");
    info.mode = V3DOFF_MODE_FORCE;
    info.scope = V3DOFF_SCOPE_NONE;
    BAD_ARGUMENT(v3doff_policy_create(&policy, &info), "scope");
    EXPECT(!policy);
}

void expect_refused_questions() {
    v3doff_policy *policy = make_policy(1);
    v3doff_policy_question question = question_of(filter);
    v3doff_policy_answer answer{};
    BAD_ARGUMENT(v3doff_policy_ask(policy, &question, &answer), "answer");
    answer.struct_size = sizeof answer;
    BAD_ARGUMENT(v3doff_policy_ask(policy, nullptr, &answer), "question");
    BAD_HANDLE(v3doff_policy_ask(nullptr, &question, &answer), "policy");
    question.possible = 1u << V3DOFF_FAMILIES;
    BAD_ARGUMENT(v3doff_policy_ask(policy, &question, &answer), "possible");
    question = question_of(filter);
    question.width = 0;
    BAD_ARGUMENT(v3doff_policy_ask(policy, &question, &answer), "width");
    BAD_ARGUMENT(v3doff_policy_done(policy, v3doff_executor(3)), "executor");
    BAD_HANDLE(v3doff_policy_done(nullptr, V3DOFF_EXECUTOR_GPU), "policy");
    BAD_ARGUMENT(v3doff_policy_get_info(policy, nullptr), "info");
    v3doff_policy *copy = policy;
    v3doff_policy_destroy(&policy);
    BAD_HANDLE(v3doff_policy_ask(copy, &question, &answer), "policy");
    BAD_HANDLE(v3doff_policy_done(copy, V3DOFF_EXECUTOR_GPU), "policy");
    v3doff_policy_destroy(&policy);
    v3doff_policy_destroy(nullptr);
}

} // namespace

int main() {
    watch_log();
    setenv("V3DOFF_RECIPE", "/nonexistent/recipe", 1); // nothing is known
    device = open_test_device(V3DOFF_MODE_FORCE);
    expect_refused_policies();
    expect_refused_questions();
    expect_what_was_asked_for();
    expect_a_submit_to_end_the_turn();
    expect_what_the_environment_says();
    for (uint32_t threads : {1u, 4u})
        expect_the_cpu_while_they_are_wanted(threads);
    for (int threads : {1, 4})
        expect_what_nobody_awaits_to_stay(threads);
    v3doff_device_destroy(&device);
    std::printf("pictures went where they had to\n");
    return 0;
}
