// SPDX-License-Identifier: BSD-2-Clause
// Every allocation of the library fails, on any thread: the first, then the second, and so on
// through all of a picture's life. Either it alone fails, or all that follow it fail, too, until
// the picture is closed. Each call is either refused with OUT_OF_MEMORY, or done by GPU or CPU with
// the right bits. Nothing stays half done, and the next picture is unaffected. The drivers'
// allocations do not fail, because they are not tested here.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <new>
#include <pthread.h>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

#include "capi_helpers.h"
#include "generators/random_words.h"
#include "v3doff/stream.h"

namespace {

std::atomic<long> until_failure{0}; // 0: none fails
std::atomic<bool> failed{false};
bool all_that_follow; // fail, too
bool only_others;     // only those of the library's own threads

bool is_of_library(void *caller) {
    Dl_info info{};
    return dladdr(caller, &info) && info.dli_fname &&
           (std::string_view(info.dli_fname).find("libv3doff.so") != std::string_view::npos ||
            // For texts and exceptions. Drivers compile all shaders before anything fails.
            std::string_view(info.dli_fname).find("libstdc++.so") != std::string_view::npos);
}

// Asked for every allocation of a driver, too, whose compiler makes very many. These threads have
// their name before they allocate anything.
bool on_thread_of_library() {
    static thread_local const bool is_one = [] {
        char name[16] = "";
        pthread_getname_np(pthread_self(), name, sizeof name);
        return std::string_view(name).starts_with("v3doff-");
    }();
    return is_one;
}

void *allocate(size_t bytes, void *caller) {
    if (until_failure && (!only_others || on_thread_of_library()) && is_of_library(caller) &&
        --until_failure == 0) {
        failed = true;
        if (all_that_follow) until_failure = 1;
        return nullptr;
    }
    return std::malloc(bytes);
}

constexpr uint32_t width = 96, height = 96;
uint64_t expected, expected_words;
int refused, by_gpu, by_cpu;
v3doff_device *device_of_streams;

bool is_done(v3doff_result result) {
    if (result == V3DOFF_OK) return true;
    EXPECT_RESULT(result, V3DOFF_ERROR_OUT_OF_MEMORY);
    refused++;
    return false;
}

void fill(v3doff_picture *picture, v3doff_planes &planes) {
    EXPECT_OK(v3doff_picture_get_planes(picture, &planes));
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.padded_height[p]; y++)
            for (uint32_t x = 0; x < planes.padded_width[p]; x++)
                static_cast<uint8_t *>(planes.data[p])[y * planes.stride[p] + x] =
                    uint8_t(x * 3 + y * 5 + p);
}

// Transforms everywhere in some rows of luma and those of chroma that belong to them, as far as
// there is memory for their records.
bool record(v3doff_picture *picture, const v3doff_planes &planes, uint32_t from, uint32_t to) {
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = p ? from / 2 : from; y < (p ? to / 2 : to); y += 8)
            for (uint32_t x = 0; x + 8 <= planes.width[p]; x += 8) {
                int16_t coefficients[64] = {int16_t(x), int16_t(-y), 5, int16_t(p)};
                if (!is_done(v3doff_vp9_record_itx(picture, 0, p, x, y, V3DOFF_VP9_TX_8X8,
                                                   V3DOFF_VP9_DCT_DCT, 64, coefficients)))
                    return false;
            }
    return true;
}

// In three bands; one that cannot be handed over waits for the next.
bool one_picture(v3doff_pool *pool, v3doff_executor &executor) {
    v3doff_picture *picture = nullptr;
    if (!is_done(v3doff_picture_open(&picture, pool, nullptr))) return false;
    v3doff_planes planes = {.struct_size = sizeof planes};
    fill(picture, planes);
    bool done = true;
    for (uint32_t row = 0; row < height && done; row += height / 3) {
        done = record(picture, planes, row, row + height / 3);
        v3doff_rows_info rows = {.struct_size = sizeof rows};
        rows.row_end = row + height / 3;
        if (!done || rows.row_end >= height) continue;
        const v3doff_result result = v3doff_picture_submit_rows(picture, &rows);
        if (result != V3DOFF_NOT_READY) is_done(result); // copied pictures go whole
    }
    done = done && is_done(v3doff_picture_submit(picture, nullptr)) &&
           is_done(v3doff_picture_wait(picture, UINT64_MAX));
    if (done) {
        executor = report_of(picture).executor;
        EXPECT(checksum_of(picture) == expected);
    }
    v3doff_picture_close(&picture);
    return done;
}

void record_all(v3doff_picture *picture, unsigned) {
    v3doff_planes planes = {.struct_size = sizeof planes};
    fill(picture, planes);
    EXPECT(record(picture, planes, 0, height));
}

// Words: a call that was refused for lack of memory succeeds when it is repeated and there is some.
bool record_some_words(v3doff_picture *picture) {
    random_words what{};
    what.width = width;
    what.height = height;
    what.chroma = V3DOFF_CHROMA_420;
    what.seed = 4;
    v3doff_vp9_picture_info info = random_words_info(&what);
    if (!is_done(append_random_words(picture, 0, &what, 0, (width + 63) / 64))) return false;
    if (is_done(v3doff_vp9_record_picture(picture, &info))) return true;
    if (all_that_follow) return false;
    EXPECT_OK(v3doff_vp9_record_picture(picture, &info));
    return true;
}

void record_words(v3doff_picture *picture, unsigned) {
    EXPECT(record_some_words(picture));
}

bool one_picture_of_words(v3doff_pool *pool, v3doff_executor &executor) {
    v3doff_picture *picture = nullptr;
    if (!is_done(v3doff_picture_open(&picture, pool, nullptr))) return false;
    const bool done = record_some_words(picture) &&
                      is_done(v3doff_picture_submit(picture, nullptr)) &&
                      is_done(v3doff_picture_wait(picture, UINT64_MAX));
    if (done) {
        executor = report_of(picture).executor;
        EXPECT(checksum_of(picture) == expected_words);
    }
    v3doff_picture_close(&picture);
    return done;
}

// The same with a stream, whose pool and policy are allocated anew.
bool one_picture_of_stream(v3doff_pool *, v3doff_executor &executor) {
    v3doff_stream_info info = {.struct_size = sizeof info};
    info.mode = V3DOFF_MODE_FORCE;
    info.threads = 1;
    v3doff_stream_open_info open = {.struct_size = sizeof open};
    v3doff_pool_info format = {.struct_size = sizeof format};
    v3doff_policy_question question = {.struct_size = sizeof question};
    v3doff_policy_answer answer = {.struct_size = sizeof answer};
    v3doff_submit_info submit = {.struct_size = sizeof submit};
    format.width = question.width = width;
    format.height = question.height = height;
    open.bit_depth = format.bit_depth = 8;
    open.chroma = format.chroma = V3DOFF_CHROMA_420;
    question.possible = 1u << V3DOFF_FAMILY_VP9_RECONSTRUCTION;
    v3doff_picture *picture = nullptr;
    if (!is_done(v3doff_stream_create(&submit.stream, &info))) return false;
    bool done = is_done(v3doff_stream_lend(submit.stream, device_of_streams)) &&
                is_done(v3doff_stream_open(submit.stream, &open)) &&
                is_done(v3doff_stream_open_picture(submit.stream, &picture, &format, nullptr)) &&
                is_done(v3doff_stream_ask(submit.stream, &question, &answer)) &&
                record_some_words(picture);
    if (done) EXPECT(answer.scope == V3DOFF_SCOPE_RECONSTRUCTION && answer.counted);
    submit.counted = submit.whole = 1;
    done = done && is_done(v3doff_picture_submit(picture, &submit)) &&
           is_done(v3doff_picture_wait(picture, UINT64_MAX));
    if (done) {
        executor = report_of(picture).executor;
        EXPECT(checksum_of(picture) == expected_words);
    }
    v3doff_picture_close(&picture);
    v3doff_stream_destroy(&submit.stream);
    return done;
}

// A pool of its own each time, so that everything is allocated anew.
void fail_nth(v3doff_device *device, decltype(one_picture) make, long nth) {
    v3doff_pool_info info = {.struct_size = sizeof info};
    info.width = width;
    info.height = height;
    info.bit_depth = 8;
    info.chroma = V3DOFF_CHROMA_420;
    failed = false;
    until_failure = nth;
    v3doff_pool *pool = nullptr;
    v3doff_executor executor{};
    if (is_done(v3doff_pool_create(&pool, device, &info)) && make(pool, executor))
        (executor == V3DOFF_EXECUTOR_GPU ? by_gpu : by_cpu)++;
    until_failure = 0;
    if (pool) {
        EXPECT(make(pool, executor));
        EXPECT(executor == V3DOFF_EXECUTOR_GPU);
    }
    v3doff_pool_destroy(&pool);
}

void fail_each(v3doff_device *device, decltype(one_picture) make) {
    refused = by_gpu = by_cpu = 0;
    fail_nth(device, make, 0); // shaders are compiled
    EXPECT(by_gpu == 1 && refused == 0);
    long nth = 0;
    do {
        fail_nth(device, make, ++nth);
        EXPECT(nth < 2000);
    } while (failed);
    std::printf("%ld allocations%s: %d refused, %d by the CPU, %d by the GPU\n", nth - 1,
                all_that_follow ? " and all that follow" : "", refused, by_cpu, by_gpu);
    std::fflush(stdout);
    EXPECT(nth > 10 && refused > 0);
}

v3doff_device *open_device() {
    v3doff_device_info info = {.struct_size = sizeof info};
    info.mode = V3DOFF_MODE_FORCE;
    info.flags = V3DOFF_DEVICE_TIMERS; // what passes took is kept, too
    v3doff_device *device = nullptr;
    EXPECT_OK(v3doff_device_create(&device, &info));
    return device;
}

constexpr int none_failed = 2;

// Allocations of the library's own threads, whose failures nobody can be told. Each try is a
// process of its own, because a device that was lost cannot be opened again.
[[noreturn]] void fail_on_others(const char *fault, long nth) {
    setenv("V3DOFF_FAULT", fault, 1);
    only_others = true;
    v3doff_device *device = open_device();
    v3doff_pool *pool = open_test_pool(device, width, height);
    until_failure = nth;
    v3doff_executor executor{};
    EXPECT(one_picture(pool, executor));
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device); // its thread saves shaders before
    std::_Exit(failed ? 0 : none_failed);
}

void fail_each_on_others(const char *fault) {
    int status = 0;
    long nth = 0;
    do {
        // Empty, so that there is something to save.
        char cache[] = "/tmp/v3doff-no-memory-XXXXXX";
        EXPECT(mkdtemp(cache));
        setenv("XDG_CACHE_HOME", cache, 1);
        nth++;
        const pid_t child = fork();
        EXPECT(child >= 0);
        if (!child) fail_on_others(fault, nth);
        EXPECT(waitpid(child, &status, 0) == child);
        EXPECT(std::system((std::string("rm -r ") + cache).c_str()) == 0);
        EXPECT(WIFEXITED(status) && (!WEXITSTATUS(status) || WEXITSTATUS(status) == none_failed));
    } while (!WEXITSTATUS(status) && nth < 100);
    std::printf("%ld allocations of other threads, fault \"%s\"\n", nth - 1, fault);
    std::fflush(stdout);
}

} // namespace

void *operator new(size_t bytes) {
    if (void *memory = allocate(bytes, __builtin_return_address(0))) return memory;
    throw std::bad_alloc();
}
void *operator new(size_t bytes, const std::nothrow_t &) noexcept {
    return allocate(bytes, __builtin_return_address(0));
}
void operator delete(void *memory) noexcept {
    std::free(memory);
}
void operator delete(void *memory, size_t) noexcept {
    std::free(memory);
}

int main() {
    expected = cpu_checksum(width, height, record_all, 0);
    expected_words = cpu_checksum(width, height, record_words, 0);
    v3doff_log_add([](void *, v3doff_log_level, const char *) {}, nullptr, V3DOFF_LOG_DEBUG);
    for (const char *fault : {"", "lost"})
        fail_each_on_others(fault);
    v3doff_device *device = device_of_streams = open_device();
    for (const bool follow : {false, true}) {
        all_that_follow = follow;
        fail_each(device, one_picture);
        fail_each(device, one_picture_of_words);
        fail_each(device, one_picture_of_stream);
    }
    v3doff_device_destroy(&device);
}
