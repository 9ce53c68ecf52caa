// SPDX-License-Identifier: BSD-2-Clause
// A program that exits without destroying its handles: when its exit handlers run, no thread of the
// library is in the driver any more. V3DOFF_FAULT=slow_shader makes shaders slow to compile. With
// a number the program exits so many milliseconds after it began to open the device, and
// V3DOFF_FAULT=slow_open makes that long. With "handler" a thread is about to open one when an exit
// handler runs. With "close" a handler closes a picture that the device still has after the time
// for which exit() waits: the picture's callback may use what the program frees next.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "capi_helpers.h"
#include "v3doff/stream.h"

namespace {

using Clock = std::chrono::steady_clock;

v3doff_stream *stream;
v3doff_picture *picture;
std::atomic<bool> told;
std::atomic<bool> open_now;
Clock::time_point end;
std::chrono::seconds longest{1}; // all shaders would take more than 1.4

void look_for_device(void *, v3doff_log_level, const char *line) {
    if (std::strncmp(line, "device: ", 8) == 0) open_now = true;
}

v3doff_result begin_to_open() {
    v3doff_stream_open_info open{.struct_size = sizeof open};
    open.bit_depth = 8;
    open.chroma = V3DOFF_CHROMA_420;
    open.begin = 1;
    return v3doff_stream_open(stream, &open);
}

// Registered first, so called last. A handler must not call exit(), so this calls _Exit().
void expect_no_thread() {
    const bool soon = Clock::now() - end < longest;
    const v3doff_result result = begin_to_open();
    if (soon && result == V3DOFF_OK) return;
    std::fprintf(stderr, "%s: %s\n", soon ? "soon" : "late", v3doff_result_text(result));
    std::_Exit(1);
}

// The driver's own handlers would be the next.
void expect_no_opening() {
    v3doff_result result = V3DOFF_OK;
    std::thread([&] { result = begin_to_open(); }).join();
    size_t devices = 0;
    EXPECT_RESULT(v3doff_device_list(nullptr, &devices), V3DOFF_ERROR_DEVICE_BAD);
    if (result == V3DOFF_ERROR_NO_DEVICE) return;
    std::fprintf(stderr, "in a handler: %s\n", v3doff_result_text(result));
    std::_Exit(1);
}

void close_in_flight() {
    if (told) std::fprintf(stderr, "exit() has waited for the picture itself\n"), std::_Exit(1);
    v3doff_picture_close(&picture);
    if (told && !picture) return;
    std::fprintf(stderr, "closed before its callback\n");
    std::_Exit(1);
}

void leave_in_flight() {
    EXPECT_OK(v3doff_picture_open(
        &picture, open_test_pool(open_test_device(V3DOFF_MODE_FORCE), 64, 64), nullptr));
    record_something(picture, 1);
    v3doff_submit_info info{.struct_size = sizeof info};
    info.done = [](void *, v3doff_picture *) { told = true; };
    EXPECT_OK(v3doff_picture_submit(picture, &info));
    std::atexit(close_in_flight);
}

} // namespace

int main(int count, char **arguments) {
    if (count > 1 && !std::strcmp(arguments[1], "close")) return leave_in_flight(), 0;
    v3doff_stream_info info{.struct_size = sizeof info};
    info.threads = 1;
    EXPECT_OK(v3doff_stream_create(&stream, &info));
    if (count > 1 && !std::strcmp(arguments[1], "handler")) return std::atexit(expect_no_opening);
    std::atexit(expect_no_thread);
    v3doff_log_add(look_for_device, nullptr, V3DOFF_LOG_INFO);
    EXPECT_RESULT(begin_to_open(), V3DOFF_NOT_READY);
    while (!open_now && count == 1)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const int while_it_works = count == 1 ? 50 : std::atoi(arguments[1]);
    if (count > 1)
        longest = std::chrono::seconds(4); // opening a device takes long on a busy machine
    std::this_thread::sleep_for(std::chrono::milliseconds(while_it_works));
    end = Clock::now();
    return 0;
}
