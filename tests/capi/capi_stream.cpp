// SPDX-License-Identifier: BSD-2-Clause
// Streams: which side gets the pictures in real time, with several threads, while the program takes
// them as fast as they come, and while it does not; the requested mode and the environment; every
// refused call.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "capi_refused.h"
#include "capi_stream.hpp"

namespace {

using namespace std::chrono_literals;

constexpr uint32_t whole = 1u << V3DOFF_FAMILY_VP9_RECONSTRUCTION;

v3doff_device *device; // whichever this machine has

v3doff_stream *make_stream(uint32_t threads, v3doff_mode mode = V3DOFF_MODE_AUTO,
                           v3doff_scope scope = V3DOFF_SCOPE_FILTERS) {
    v3doff_stream_info info = info_of(threads, mode);
    info.scope = scope;
    v3doff_stream *stream = nullptr;
    EXPECT_OK(v3doff_stream_create(&stream, &info));
    EXPECT_OK(v3doff_stream_lend(stream, device));
    EXPECT_OK(open(stream, true, true));
    return stream;
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

void done(v3doff_stream *stream) {
    EXPECT_OK(v3doff_stream_done(stream, V3DOFF_EXECUTOR_NONE));
}

bool next_is_gpu(v3doff_stream *stream, bool awaited) {
    const v3doff_policy_answer answer = ask(stream, question_of(filter, awaited));
    EXPECT(answer.counted);
    EXPECT(answer.scope == V3DOFF_SCOPE_FILTERS || answer.reason);
    return answer.scope == V3DOFF_SCOPE_FILTERS;
}

// As fast as they come: each thread begins with a picture when it has made one. Returns how many
// were the GPU's, which takes four times as long here.
int make_pictures(v3doff_stream *stream, int threads, int pictures) {
    std::atomic<int> left{pictures}, on_gpu{0};
    std::vector<std::thread> makers;
    for (int i = 0; i < threads; i++)
        makers.emplace_back([&] {
            while (left-- > 0) {
                const bool gpu = next_is_gpu(stream, true);
                on_gpu += gpu;
                std::this_thread::sleep_for(gpu ? 8ms : 2ms);
                use_cpu_time(gpu);
                done(stream);
            }
        });
    for (std::thread &maker : makers)
        maker.join();
    return on_gpu;
}

int make_pictures_at_leisure(v3doff_stream *stream, int pictures) {
    int on_gpu = 0;
    for (int n = 0; n < pictures; n++) {
        const bool gpu = next_is_gpu(stream, true);
        on_gpu += gpu;
        use_cpu_time(gpu);
        done(stream);
        std::this_thread::sleep_for(1ms);
    }
    return on_gpu;
}

void expect_the_cpu_while_they_are_wanted(uint32_t threads) {
    v3doff_stream *stream = make_stream(threads);
    EXPECT(make_pictures(stream, int(threads), 300) < 150);
    make_pictures_at_leisure(stream, 1500);
    EXPECT(make_pictures_at_leisure(stream, 100) == 100);
    v3doff_stream_destroy(&stream);
    EXPECT(!stream);
}

// Nobody waits for every second picture. The GPU does these pictures faster than the CPU.
bool what_nobody_awaits_stays(int threads) {
    v3doff_stream *stream = make_stream(uint32_t(threads));
    const int pictures = 400 + 400 * threads;
    std::atomic<int> begun{0}, awaited_on_gpu{0}, others_on_gpu{0};
    std::vector<std::thread> makers;
    for (int i = 0; i < threads; i++)
        makers.emplace_back([&] {
            for (int n = begun++; n < pictures; n = begun++) {
                const bool awaited = n % 2, gpu = next_is_gpu(stream, awaited);
                if (n >= pictures - 400) (awaited ? awaited_on_gpu : others_on_gpu) += gpu;
                std::this_thread::sleep_for(!gpu ? 2000us : awaited ? 8000us : 500us);
                use_cpu_time(gpu);
                done(stream);
            }
        });
    for (std::thread &maker : makers)
        maker.join();
    v3doff_stream_destroy(&stream);
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
    v3doff_stream *stream = make_stream(2, V3DOFF_MODE_FORCE, V3DOFF_SCOPE_RECONSTRUCTION);
    v3doff_policy_answer answer = ask(stream, question_of(filter | whole));
    EXPECT(answer.scope == V3DOFF_SCOPE_RECONSTRUCTION && answer.families == whole);
    EXPECT(answer.counted && answer.alone && !answer.failed && !answer.reason);
    answer = ask(stream, question_of(filter));
    EXPECT(answer.scope == V3DOFF_SCOPE_FILTERS && answer.families == filter && !answer.alone);
    answer = ask(stream, question_of(0));
    EXPECT(answer.scope == V3DOFF_SCOPE_NONE && !answer.reason && !answer.counted);
    done(stream);
    done(stream);
    v3doff_policy_question question = question_of(filter);
    question.obstacle = "film grain";
    answer = ask(stream, question);
    EXPECT(answer.scope == V3DOFF_SCOPE_NONE && answer.reason == question.obstacle &&
           !answer.counted);
    EXPECT_OK(v3doff_stream_give_up(stream, V3DOFF_ERROR_OUT_OF_MEMORY));
    answer = ask(stream, question);
    EXPECT(!std::strcmp(answer.reason, v3doff_result_text(V3DOFF_ERROR_OUT_OF_MEMORY)));
    v3doff_stream_destroy(&stream);
    EXPECT(!stream);
    const v3doff_stream_info info = info_of(1, V3DOFF_MODE_FORCE);
    EXPECT_OK(v3doff_stream_create(&stream, &info));
    answer = ask(stream, question_of(filter)); // the device is not open yet
    EXPECT(answer.scope == V3DOFF_SCOPE_NONE && answer.reason && !answer.counted);
    v3doff_stream_destroy(&stream);
}

// The submit ends it, before the decoder hears that the picture is done.
void expect_a_submit_to_end_the_turn() {
    v3doff_stream *stream = make_stream(1, V3DOFF_MODE_FORCE);
    v3doff_pool *pool = open_test_pool(device, 96, 80);
    v3doff_picture *picture = open_test_picture(pool);
    record_something(picture, 0);
    EXPECT(ask(stream, question_of(filter)).alone);
    v3doff_submit_info info{.struct_size = sizeof info};
    v3doff_stream *gone = make_stream(1);
    info.stream = gone;
    v3doff_stream_destroy(&gone);
    BAD_HANDLE(v3doff_picture_submit(picture, &info), "stream");
    std::atomic<bool> is_done{false};
    info.stream = stream;
    info.counted = 1;
    info.opaque = &is_done;
    info.done = [](void *opaque, v3doff_picture *) {
        static_cast<std::atomic<bool> *>(opaque)->store(true);
    };
    EXPECT_OK(v3doff_picture_submit(picture, &info));
    while (!is_done)
        std::this_thread::sleep_for(1ms);
    EXPECT(ask(stream, question_of(filter)).alone);
    is_done = false;
    EXPECT_OK(v3doff_picture_reopen(picture));
    record_something(picture, 0);
    EXPECT_OK(v3doff_picture_submit(picture, &info));
    v3doff_picture_close(&picture); // waits for the callback, which may use the picture
    EXPECT(is_done);
    v3doff_pool_destroy(&pool);
    EXPECT_OK(v3doff_stream_count(stream, V3DOFF_EVENT_CPU, "film grain"));
    EXPECT_OK(v3doff_stream_count(stream, V3DOFF_EVENT_COPIED, nullptr));
    lines.clear();
    EXPECT_OK(v3doff_stream_end(stream, keep_line, &lines));
    EXPECT(lines.size() == 2);
    EXPECT(lines[0] == "pictures: GPU 2, CPU 1, nothing to do 0; copied references: 1; awaited: 0; "
                       "submits: 2");
    EXPECT(lines[1] == "on the CPU, 1 pictures: film grain");
    v3doff_stream_destroy(&stream);
}

// One pool serves all pictures of a format.
void expect_pictures() {
    v3doff_stream *stream = make_stream(1, V3DOFF_MODE_FORCE);
    v3doff_device_properties properties{.struct_size = sizeof properties};
    EXPECT_OK(v3doff_stream_get_properties(stream, &properties));
    v3doff_pool_info format{.struct_size = sizeof format};
    format.bit_depth = 8;
    format.chroma = V3DOFF_CHROMA_420;
    format.max_pictures = 1;
    v3doff_picture *first = nullptr, *second = nullptr;
    BAD_ARGUMENT(v3doff_stream_open_picture(stream, &first, &format, nullptr), "width");
    format.width = format.height = 64;
    EXPECT_OK(v3doff_stream_open_picture(stream, &first, &format, nullptr));
    REFUSED(v3doff_stream_open_picture(stream, &second, &format, nullptr), V3DOFF_ERROR_LIMIT, "");
    format.width = 128;
    EXPECT_OK(v3doff_stream_open_picture(stream, &second, &format, nullptr));
    v3doff_picture_close(&second);
    EXPECT_OK(v3doff_stream_give_up(stream, V3DOFF_ERROR_DEVICE_BAD));
    EXPECT_RESULT(v3doff_stream_open_picture(stream, &second, &format, nullptr), V3DOFF_NOT_READY);
    EXPECT_RESULT(v3doff_stream_get_properties(stream, &properties), V3DOFF_NOT_READY);
    v3doff_stream_destroy(&stream);
    EXPECT(planes_of(first).count == 3); // it stays valid
    v3doff_picture_close(&first);
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
    v3doff_stream_info info = info_of(3, V3DOFF_MODE_AUTO);
    auto *stream = reinterpret_cast<v3doff_stream *>(&info);
    EXPECT_OK(v3doff_stream_create(&stream, &info));
    EXPECT(!stream); // switched off
    info.mode = V3DOFF_MODE_FORCE;
    EXPECT_OK(v3doff_stream_create(&stream, &info));
    EXPECT_OK(v3doff_stream_get_info(stream, &info));
    EXPECT(info.mode == V3DOFF_MODE_FORCE && info.scope == V3DOFF_SCOPE_RECONSTRUCTION);
    EXPECT(info.codec == V3DOFF_CODEC_VP9 && info.threads == 3);
    v3doff_stream_destroy(&stream);
    unsetenv("V3DOFF");
    unsetenv("V3DOFF_SCOPE");
    read_environment();
}

void expect_refused_streams() {
    v3doff_stream *stream = nullptr;
    v3doff_stream_info info{};
    BAD_ARGUMENT(v3doff_stream_create(nullptr, &info), "out");
    BAD_ARGUMENT(v3doff_stream_create(&stream, nullptr), "info");
    BAD_ARGUMENT(v3doff_stream_create(&stream, &info), "struct_size");
    info.struct_size = sizeof info;
    BAD_ARGUMENT(v3doff_stream_create(&stream, &info), "threads");
    info.threads = 1;
    info.codec = v3doff_codec(2);
    BAD_ARGUMENT(v3doff_stream_create(&stream, &info), "codec");
    info.codec = V3DOFF_CODEC_H264;
    info.mode = v3doff_mode(3);
    BAD_ARGUMENT(v3doff_stream_create(&stream, &info), "mode");
    info.mode = V3DOFF_MODE_FORCE;
    info.scope = V3DOFF_SCOPE_NONE;
    BAD_ARGUMENT(v3doff_stream_create(&stream, &info), "scope");
    info.scope = V3DOFF_SCOPE_AUTO;
    info.log_level = v3doff_log_level(4);
    BAD_ARGUMENT(v3doff_stream_create(&stream, &info), "log_level");
    EXPECT(!stream);
}

void expect_refused_calls() {
    v3doff_stream *stream = make_stream(1);
    v3doff_policy_question question = question_of(filter);
    v3doff_policy_answer answer{};
    BAD_ARGUMENT(v3doff_stream_ask(stream, &question, &answer), "answer");
    answer.struct_size = sizeof answer;
    BAD_ARGUMENT(v3doff_stream_ask(stream, nullptr, &answer), "question");
    BAD_HANDLE(v3doff_stream_ask(nullptr, &question, &answer), "stream");
    question.possible = 1u << V3DOFF_FAMILIES;
    BAD_ARGUMENT(v3doff_stream_ask(stream, &question, &answer), "possible");
    question = question_of(filter);
    question.width = 0;
    BAD_ARGUMENT(v3doff_stream_ask(stream, &question, &answer), "width");
    BAD_ARGUMENT(v3doff_stream_done(stream, v3doff_executor(3)), "executor");
    BAD_HANDLE(v3doff_stream_done(nullptr, V3DOFF_EXECUTOR_GPU), "stream");
    BAD_ARGUMENT(v3doff_stream_get_info(stream, nullptr), "info");
    BAD_ARGUMENT(v3doff_stream_open(stream, nullptr), "info");
    BAD_HANDLE(v3doff_stream_state(nullptr), "stream");
    BAD_HANDLE(v3doff_stream_lend(stream, nullptr), "device");
    EXPECT_RESULT(v3doff_stream_lend(stream, device), V3DOFF_NOT_READY); // it has one
    BAD_ARGUMENT(v3doff_stream_give_up(stream, V3DOFF_OK), "why");
    BAD_ARGUMENT(v3doff_stream_count(stream, V3DOFF_EVENTS, "x"), "event");
    BAD_ARGUMENT(v3doff_stream_count(stream, V3DOFF_EVENT_CPU, nullptr), "reason");
    BAD_HANDLE(v3doff_stream_end(nullptr, nullptr, nullptr), "stream");
    v3doff_stream *copy = stream;
    v3doff_stream_destroy(&stream);
    BAD_HANDLE(v3doff_stream_ask(copy, &question, &answer), "stream");
    BAD_HANDLE(v3doff_stream_done(copy, V3DOFF_EXECUTOR_GPU), "stream");
    v3doff_stream_destroy(&stream);
    v3doff_stream_destroy(nullptr);
}

} // namespace

int main() {
    watch_log();
    setenv("V3DOFF_RECIPE", "/nonexistent/recipe", 1); // nothing is known
    device = open_test_device(V3DOFF_MODE_FORCE);
    expect_refused_streams();
    expect_refused_calls();
    expect_what_was_asked_for();
    expect_a_submit_to_end_the_turn();
    expect_pictures();
    expect_what_the_environment_says();
    for (uint32_t threads : {1u, 4u})
        expect_the_cpu_while_they_are_wanted(threads);
    for (int threads : {1, 4})
        expect_what_nobody_awaits_to_stay(threads);
    v3doff_device_destroy(&device);
    std::printf("pictures went where they had to\n");
    return 0;
}
