// SPDX-License-Identifier: BSD-2-Clause
// Children of a process that uses a device: each function refuses at once, handles can be closed,
// and the child ends normally. The parent is not disturbed. A child that was forked earlier can use
// devices, as each parent here does: it is forked, too, so that it has a V3DOFF_FAULT of its own.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "capi_helpers.h"
#include "v3doff/dsp.h"
#include "v3doff/stream.h"
#include "v3doff/vp9dsp.h"

namespace {

constexpr unsigned child_seconds = 2;
constexpr int ended_well = 7; // a status that exit() hands on
constexpr uint32_t width = 352, height = 288;

// What a parent has when it forks.
struct Inherited {
    v3doff_device *device = nullptr;
    v3doff_pool *pool = nullptr;
    v3doff_picture *picture = nullptr;
    v3doff_stream *stream = nullptr; // opens a device
    v3doff_planes planes{};          // of the picture, which the parent's thread has bound
};

unsigned limit_ms = 0; // of a submit; 0: the usual one

v3doff_device_info device_info() {
    v3doff_device_info info{.struct_size = sizeof info};
    info.mode = V3DOFF_MODE_FORCE;
    info.flags = V3DOFF_DEVICE_KEEP;
    info.submit_timeout_ms = limit_ms;
    return info;
}

v3doff_result open(v3doff_stream *stream, bool wait = false) {
    v3doff_stream_open_info info{.struct_size = sizeof info};
    info.begin = 1;
    info.wait = wait;
    return v3doff_stream_open(stream, &info);
}

// A software device that passes for a GPU: the mode FORCE would wait for it.
void begin_to_open(Inherited &has) {
    v3doff_stream_info info{.struct_size = sizeof info};
    info.threads = 1;
    EXPECT_OK(v3doff_stream_create(&has.stream, &info));
    EXPECT_RESULT(open(has.stream), V3DOFF_NOT_READY);
}

void expect_refusals(Inherited &inherited) {
    EXPECT(v3doff_process_was_forked());
    const v3doff_device_info info = device_info();
    auto *device = reinterpret_cast<v3doff_device *>(&inherited);
    EXPECT_RESULT(v3doff_device_create(&device, &info), V3DOFF_ERROR_FORKED);
    EXPECT(!device);
    size_t count = 0;
    EXPECT_RESULT(v3doff_device_list(nullptr, &count), V3DOFF_ERROR_FORKED);
    if (inherited.stream) EXPECT_RESULT(open(inherited.stream, true), V3DOFF_ERROR_FORKED);
    if (inherited.picture) {
        EXPECT_RESULT(v3doff_picture_submit(inherited.picture, nullptr), V3DOFF_ERROR_FORKED);
        EXPECT_RESULT(v3doff_picture_wait(inherited.picture, UINT64_MAX), V3DOFF_ERROR_FORKED);
    }
}

// The functions of a DSP table work on the CPU, but not on a picture that is the parent's.
void expect_functions(const v3doff_vp9dsp &table, const Inherited &inherited) {
    const v3doff_planes &planes = inherited.planes;
    alignas(64) uint8_t samples[8 * 8] = {};
    int16_t coefficients[8 * 8] = {800};
    table.itxfm_add[1][0](samples, 8, coefficients, 1);
    EXPECT(samples[0] > 0 && samples[0] == samples[63] && coefficients[0] == 0);
    if (!inherited.picture) return;
    auto *const first = static_cast<uint8_t *>(planes.data[0]);
    const uint8_t before = *first;
    coefficients[0] = 800;
    table.itxfm_add[1][0](first, planes.stride[0], coefficients, 1);
    EXPECT(*first == before);
}

void close_all(Inherited &inherited) {
    v3doff_picture_close(&inherited.picture);
    v3doff_pool_destroy(&inherited.pool);
    v3doff_device_destroy(&inherited.device);
    v3doff_stream_destroy(&inherited.stream);
    EXPECT(!inherited.picture && !inherited.pool && !inherited.device && !inherited.stream);
}

// In a child. An alarm ends it if it waits.
[[noreturn]] void be_child(Inherited inherited, const v3doff_vp9dsp &table, int what) {
    alarm(child_seconds);
    if (what & 1) expect_refusals(inherited);
    if (what & 2) expect_functions(table, inherited);
    if (what & 4) close_all(inherited);
    if (what & 8) std::exit(ended_well); // with all exit handlers, also the driver's
    _exit(ended_well);
}

void wait_for(pid_t child, const char *which, int what, int expected = ended_well) {
    int status = 0;
    EXPECT(waitpid(child, &status, 0) == child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == expected) return;
    std::fprintf(stderr, "%s, child %d: status %x\n", which, what, unsigned(status));
    std::exit(1);
}

void fork_children(const Inherited &inherited, const v3doff_vp9dsp &table, const char *which) {
    for (const int what : {1, 2, 4, 8, 15}) {
        const pid_t child = fork();
        EXPECT(child >= 0);
        if (!child) be_child(inherited, table, what);
        wait_for(child, which, what);
    }
}

// A driver that is being loaded registers handlers with exit(). A child that was forked while
// exit()'s lock is held could never end, so fork() waits until the driver is loaded.
void fork_while_loading(Inherited &has, const v3doff_vp9dsp &table, const char *which) {
    using Clock = std::chrono::steady_clock;
    Clock::duration longest{};
    v3doff_result result = V3DOFF_NOT_READY;
    while (result == V3DOFF_NOT_READY) {
        const auto begin = Clock::now();
        const pid_t child = fork();
        EXPECT(child >= 0);
        if (!child) be_child(has, table, 8);
        longest = std::max(longest, Clock::now() - begin);
        wait_for(child, which, 8);
        usleep(10'000);
        result = open(has.stream);
    }
    EXPECT_OK(result);
    EXPECT(longest >=
           std::chrono::milliseconds(100)); // of 250 in which the driver seems to be loaded
}

void only_for_the_parent() {
    if (v3doff_process_was_forked()) std::abort();
}

// As a driver does that is loaded long after the first, in a process that has forked often.
void register_late_handler() {
    for (int i = 0; i < 600; i++) {
        const pid_t child = fork();
        EXPECT(child >= 0);
        if (!child) _exit(0);
        wait_for(child, "often", i, 0);
    }
    EXPECT(!std::atexit(only_for_the_parent));
}

// A thread is in the library, which may hold a mutex then, but no device has been used.
std::atomic<bool> is_inside = false, may_go_on = false;

void wait_inside(void *, v3doff_log_level, const char *) {
    is_inside = true;
    while (!may_go_on)
        usleep(1000);
}

void fork_while_inside(const v3doff_vp9dsp &table, const char *which) {
    v3doff_log_add(wait_inside, nullptr, V3DOFF_LOG_ERROR);
    std::thread thread([] { EXPECT(v3doff_device_create(nullptr, nullptr) < 0); });
    while (!is_inside)
        usleep(1000);
    fork_children({}, table, which);
    may_go_on = true;
    thread.join();
    v3doff_log_remove(wait_inside, nullptr);
    const pid_t child = fork();
    EXPECT(child >= 0);
    if (!child) _exit(v3doff_process_was_forked() ? 1 : ended_well);
    wait_for(child, which, 0);
}

enum class When { inside, idle, often, recorded, submitted, opening, loading, kept };
struct Scenario {
    const char *name;
    When when;
    const char *fault;
};
constexpr Scenario scenarios[] = {
    {"in the library", When::inside, ""},
    {"idle", When::idle, ""},
    {"often", When::often, ""},
    {"recorded", When::recorded, ""},
    {"submitted late", When::submitted, "late"},
    {"submitted and hung", When::submitted, "hang"},
    {"opening slowly", When::opening, "kind,slow_open"},
    {"opening, in the driver", When::opening, "kind"},
    {"loading", When::loading, "kind,slow_open"},
    {"kept", When::kept, ""},
};

void open_picture(Inherited &has) {
    const v3doff_device_info info = device_info();
    EXPECT_OK(v3doff_device_create(&has.device, &info));
    has.pool = open_test_pool(has.device, width, height);
    EXPECT_OK(v3doff_picture_open(&has.picture, has.pool, nullptr));
    EXPECT_OK(v3doff_dsp_bind(has.picture, 0));
    has.planes = planes_of(has.picture);
}

// In a parent, which must get the right bits, whatever its children did.
void run(const Scenario &scenario) {
    setenv("V3DOFF_FAULT", scenario.fault, 1);
    if (std::strcmp(scenario.fault, "hang") == 0) limit_ms = 400;
    EXPECT(!v3doff_process_was_forked());
    v3doff_vp9dsp table{.struct_size = sizeof table};
    EXPECT_OK(v3doff_vp9dsp_init(&table, 8));
    if (scenario.when == When::inside) {
        fork_while_inside(table, scenario.name);
        return;
    }
    Inherited has;
    if (scenario.when == When::opening || scenario.when == When::loading) {
        begin_to_open(has);
        if (scenario.when == When::loading) {
            fork_while_loading(has, table, scenario.name);
            return;
        }
        fork_children(has, table, scenario.name);
        EXPECT_OK(open(has.stream, true));
        return;
    }
    open_picture(has);
    if (scenario.when == When::often) register_late_handler();
    if (scenario.when == When::idle || scenario.when == When::often)
        fork_children(has, table, scenario.name);
    record_something(has.picture, 7);
    if (scenario.when == When::recorded) fork_children(has, table, scenario.name);
    EXPECT_OK(v3doff_picture_submit(has.picture, nullptr));
    if (scenario.when == When::submitted) fork_children(has, table, scenario.name);
    EXPECT_OK(v3doff_picture_wait(has.picture, UINT64_MAX));
    EXPECT(checksum_of(has.picture) == expected_checksum(width, height, 7));
    v3doff_picture_close(&has.picture);
    v3doff_pool_destroy(&has.pool);
    v3doff_device_destroy(&has.device);
    if (scenario.when != When::kept) return;
    v3doff_dsp_unbind();
    fork_children(has, table, scenario.name);
    open_picture(has);
    expect_device_works(has.device);
}

} // namespace

int main() {
    for (const Scenario &scenario : scenarios) {
        const auto start = std::chrono::steady_clock::now();
        const pid_t parent = fork();
        EXPECT(parent >= 0);
        if (!parent) {
            alarm(60);
            run(scenario);
            return 0;
        }
        wait_for(parent, scenario.name, 0, 0);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        std::printf("%s: %.2f s\n", scenario.name, took.count());
        std::fflush(stdout);
    }
    return 0;
}
