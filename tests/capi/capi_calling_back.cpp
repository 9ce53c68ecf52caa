// SPDX-License-Identifier: BSD-2-Clause
// Log functions that call the library. No thread may hold a mutex of the library while it is in
// one. V3DOFF_FAULT=submit makes a picture write a line, and without a device a stream does. An
// alarm ends a test that waits for itself.
#include <cstring>
#include <unistd.h>

#include "capi_stream.hpp"

namespace {

// The log function calls the library with one of these. Which one depends on its line.
v3doff_picture *picture;
v3doff_stream *stream, *other;
int reports, asked, opened, counted;

void call_back(void *, v3doff_log_level, const char *line) {
    std::fprintf(stderr, "%s\n", line);
    if (std::strstr(line, "picture done on the CPU")) {
        report_of(picture);
        reports++;
    }
    if (std::strstr(line, "pictures in a row") || std::strstr(line, "is not used")) {
        ask(stream, question_of(filter));
        asked++;
    }
    if (std::strstr(line, "decoding on the CPU") && !opened++)
        EXPECT_RESULT(open(other, true, true), V3DOFF_ERROR_NO_DEVICE);
}

void count_again(void *opaque, v3doff_log_level, const char *) {
    counted++;
    EXPECT_OK(v3doff_stream_count(static_cast<v3doff_stream *>(opaque), V3DOFF_EVENT_CPU, "again"));
}

// A refused submit.
void expect_reports() {
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    v3doff_pool *pool = open_test_pool(device, 96, 80);
    EXPECT_OK(v3doff_picture_open(&picture, pool, nullptr));
    record_something(picture, 3);
    submit_and_wait(picture);
    EXPECT(report_of(picture).executor == V3DOFF_EXECUTOR_CPU && reports == 1);
    EXPECT(checksum_of(picture) == expected_checksum(96, 80, 3));
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
}

v3doff_stream *make_stream(v3doff_mode mode) {
    const v3doff_stream_info info = info_of(1, mode);
    v3doff_stream *made = nullptr;
    EXPECT_OK(v3doff_stream_create(&made, &info));
    return made;
}

// A recipe that cannot be read, and a device that fails one picture after the other.
void expect_answers() {
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    stream = make_stream(V3DOFF_MODE_AUTO);
    EXPECT_OK(v3doff_stream_lend(stream, device));
    EXPECT_OK(open(stream, true, true));
    ask(stream, question_of(filter));
    EXPECT(asked == 1);
    for (int i = 0; i < 64 && asked == 1; i++) {
        ask(stream, question_of(filter));
        EXPECT_OK(v3doff_stream_done(stream, V3DOFF_EXECUTOR_CPU));
    }
    EXPECT(asked == 2);
    EXPECT_OK(v3doff_stream_count(stream, V3DOFF_EVENT_CPU, "one"));
    EXPECT_OK(v3doff_stream_end(stream, count_again, stream));
    EXPECT(counted > 0);
    v3doff_stream_destroy(&stream);
    v3doff_device_destroy(&device);
}

void expect_openings() {
    stream = make_stream(V3DOFF_MODE_FORCE);
    other = make_stream(V3DOFF_MODE_FORCE);
    EXPECT_RESULT(open(stream, true, true), V3DOFF_ERROR_NO_DEVICE);
    EXPECT(opened > 0);
    v3doff_stream_destroy(&stream);
    v3doff_stream_destroy(&other);
}

} // namespace

int main(int count, char **arguments) {
    EXPECT(count == 2);
    alarm(60);
    v3doff_log_add(call_back, nullptr, V3DOFF_LOG_INFO);
    if (!std::strcmp(arguments[1], "picture")) {
        expect_reports();
    } else if (!std::strcmp(arguments[1], "answer")) {
        expect_answers();
    } else {
        expect_openings();
    }
    return 0;
}
