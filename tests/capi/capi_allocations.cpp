// SPDX-License-Identifier: BSD-2-Clause
// A stream in its steady state allocates nothing for a picture. The test counts operator new of the
// whole process while it decodes pictures, and compares the number of mappings before and after.
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <new>
#include <string>

#include "capi_helpers.h"
#include "generators/random_words.h"

namespace {

std::atomic<bool> counting{false};
std::atomic<int> allocations{0};

size_t mappings() {
    std::ifstream maps("/proc/self/maps");
    std::string line;
    size_t lines = 0;
    while (std::getline(maps, line))
        lines++;
    return lines;
}

constexpr uint32_t width = 352, height = 288;

void record_residuals(v3doff_picture *const picture[], unsigned i) {
    record_something(picture[i], i);
}

// Each from those before it.
void record_words(v3doff_picture *const picture[], unsigned i) {
    random_words what{};
    what.width = width;
    what.height = height;
    what.chroma = V3DOFF_CHROMA_420;
    what.references = int(i);
    what.seed = i;
    EXPECT_OK(append_random_words(picture[i], 0, &what, 0, (width + 63) / 64));
    v3doff_vp9_picture_info info = random_words_info(&what);
    for (unsigned k = 0; k < i; k++)
        info.reference[k] = picture[k];
    EXPECT_OK(v3doff_vp9_record_picture(picture[i], &info));
}

void finish(v3doff_picture *&picture) {
    EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
    EXPECT(report_of(picture).executor == V3DOFF_EXECUTOR_GPU);
    v3doff_picture_close(&picture);
}

using Record = void (*)(v3doff_picture *const picture[], unsigned);

void one_round(v3doff_pool *pool, Record record) {
    v3doff_picture *picture[3] = {};
    for (auto &each : picture) // all at once: the number in use at a time must not vary
        EXPECT_OK(v3doff_picture_open(&each, pool, nullptr));
    for (unsigned i = 0; i < 3; i++) {
        record(picture, i);
        // As decoders do, the last picture's references are closed before it is done. The pool must
        // not lose their memory.
        if (i == 2) {
            finish(picture[0]);
            finish(picture[1]);
        }
        EXPECT_OK(v3doff_picture_submit(picture[i], nullptr));
    }
    finish(picture[2]);
}

void expect_no_allocation(v3doff_device *device, Record record) {
    v3doff_pool *pool = open_test_pool(device, width, height);
    // Handles are reused only when more than 64 are free: the steady state begins then.
    for (int i = 0; i < 40; i++)
        one_round(pool, record);
    size_t before = mappings();
    counting = true;
    for (int i = 0; i < 100; i++)
        one_round(pool, record);
    counting = false;
    std::printf("300 pictures: %d allocations, %zu mappings before, %zu after\n",
                allocations.load(), before, mappings());
    // If the thread that ends submits is late, one more may be in progress than ever before.
    EXPECT(allocations <= 2);
    EXPECT(mappings() <= before + 2); // the driver may move its own
    v3doff_pool_destroy(&pool);
}

} // namespace

void *operator new(size_t bytes) {
    if (counting) allocations++;
    if (void *memory = std::malloc(bytes)) return memory;
    throw std::bad_alloc();
}
void operator delete(void *memory) noexcept {
    std::free(memory);
}
void operator delete(void *memory, size_t) noexcept {
    std::free(memory);
}

int main() {
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    expect_no_allocation(device, record_residuals);
    expect_no_allocation(device, record_words);
    v3doff_device_destroy(&device);
}
