// SPDX-License-Identifier: BSD-2-Clause
// Streams whose device the library opens in the background, which takes half a second here. share:
// they share it; none: there is none.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "capi_stream.hpp"

namespace {

using namespace std::chrono_literals;

v3doff_stream *make_own_stream(v3doff_log_callback log = nullptr, void *opaque = nullptr) {
    v3doff_stream_info info = info_of(1, V3DOFF_MODE_AUTO);
    info.scope = V3DOFF_SCOPE_FILTERS;
    info.log = log;
    info.log_opaque = opaque;
    info.log_level = V3DOFF_LOG_INFO;
    v3doff_stream *stream = nullptr;
    EXPECT_OK(v3doff_stream_create(&stream, &info));
    EXPECT_RESULT(v3doff_stream_state(stream), V3DOFF_NOT_READY);
    return stream;
}

template <typename Body>
void expect_no_waiting(Body body) {
    const auto start = std::chrono::steady_clock::now();
    body();
    EXPECT(std::chrono::steady_clock::now() - start < 400ms);
}

void begin(v3doff_stream *stream) {
    expect_no_waiting([&] { EXPECT_RESULT(open(stream, true), V3DOFF_NOT_READY); });
}

void destroy(v3doff_stream *stream) {
    expect_no_waiting([&] { v3doff_stream_destroy(&stream); });
    EXPECT(!stream);
}

void share_a_device() {
    v3doff_stream *first = make_own_stream(), *second = make_own_stream();
    EXPECT_RESULT(open(first, false), V3DOFF_NOT_READY);
    std::this_thread::sleep_for(700ms);
    EXPECT_RESULT(open(first, false), V3DOFF_NOT_READY); // nobody has begun
    begin(first);
    destroy(first); // while it is opened
    first = make_own_stream();
    begin(first);
    begin(second); // the same opening
    while (open(first, true) == V3DOFF_NOT_READY)
        std::this_thread::sleep_for(10ms);
    EXPECT_OK(v3doff_stream_state(first));
    EXPECT(lines.size() == 1 && lines[0].find("pictures go to ") == 0);
    EXPECT_OK(open(second, false));
    EXPECT(lines.size() == 2);
    v3doff_stream *third = make_own_stream();
    expect_no_waiting([&] { EXPECT_OK(open(third, false)); }); // from its first picture on
    EXPECT_OK(open(third, false));
    EXPECT(lines.size() == 3);
    destroy(first);
    destroy(second);
    destroy(third);
    // It is kept for a while, so that opening it again takes no half second.
    first = make_own_stream();
    expect_no_waiting([&] { EXPECT_OK(open(first, true, true)); });
    destroy(first);
}

struct Heard {
    std::atomic<int> lines{0}, errors{0};
    static void hear(void *opaque, v3doff_log_level level, const char *) {
        auto &self = *static_cast<Heard *>(opaque);
        self.lines++;
        self.errors += level <= V3DOFF_LOG_WARNING;
    }
};

// No error, because nobody asked for a device. The callback is heard until its last stream ends.
void find_no_device() {
    Heard heard;
    v3doff_stream *first = make_own_stream(Heard::hear, &heard);
    v3doff_stream *second = make_own_stream(Heard::hear, &heard);
    begin(first);
    EXPECT_RESULT(open(first, true, true), V3DOFF_ERROR_NO_DEVICE);
    EXPECT(heard.lines && !heard.errors);
    EXPECT_RESULT(v3doff_stream_state(first), V3DOFF_ERROR_NO_DEVICE);
    destroy(first);
    EXPECT_RESULT(open(second, false), V3DOFF_NOT_READY);
    EXPECT_RESULT(open(second, true), V3DOFF_ERROR_NO_DEVICE);
    const int before = heard.lines;
    EXPECT_OK(v3doff_stream_count(second, V3DOFF_EVENT_CPU, "film grain"));
    EXPECT(heard.lines == before + 1);
    lines.clear();
    EXPECT_OK(v3doff_stream_end(second, keep_line, &lines));
    EXPECT(lines.empty());
    destroy(second);
    v3doff_stream *third = make_own_stream();
    EXPECT_OK(v3doff_stream_count(third, V3DOFF_EVENT_CPU, "film grain"));
    EXPECT(heard.lines == before + 1);
    destroy(third);
}

} // namespace

int main(int count, char **arguments) {
    const std::string what = count > 1 ? arguments[1] : "";
    EXPECT(what == "share" || what == "none");
    watch_log();
    setenv("V3DOFF_RECIPE", "/nonexistent/recipe", 1); // nothing is known
    what == "share" ? share_a_device() : find_no_device();
    return 0;
}
