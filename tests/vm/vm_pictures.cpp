// SPDX-License-Identifier: BSD-2-Clause
// Pictures in one memory path on a real kernel: exact, each change of hands synchronised, and
// nothing left behind. Run by guest_init inside the virtual machine.
#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include "../capi/capi_helpers.h"
#include "vm_watch.hpp"

namespace {

struct Options {
    std::string expect = "udmabuf";
    unsigned pictures = 20, width = 64, height = 48, open = 4;
    unsigned descriptors =
        0; // that the process may have after the first pool; 0: as many as it has
    std::vector<std::string> lines; // each must be in the log, once
};

unsigned number(const char *text) {
    return unsigned(std::strtoul(text, nullptr, 10));
}

void limit(decltype(RLIMIT_NOFILE) resource, unsigned most) {
    rlimit value{most, most};
    EXPECT(setrlimit(resource, &value) == 0);
}

Options parse(int count, char **arguments) {
    Options options;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string name = arguments[i];
        const char *value = arguments[i + 1];
        if (name == "--expect")
            options.expect = value;
        else if (name == "--pictures")
            options.pictures = number(value);
        else if (name == "--open")
            options.open = number(value);
        else if (name == "--width")
            options.width = number(value);
        else if (name == "--height")
            options.height = number(value);
        else if (name == "--line")
            options.lines.push_back(value);
        else if (name == "--nofile")
            options.descriptors = number(value);
        else if (name == "--memlock")
            limit(RLIMIT_MEMLOCK, number(value));
        else if (name == "--uid")
            EXPECT(setgid(number(value)) == 0 && setuid(number(value)) == 0);
        else
            EXPECT(!"a known option");
    }
    EXPECT(count % 2 == 1 && options.open > 0);
    return options;
}

std::vector<std::string> log_of_library;
void keep_line(void *, v3doff_log_level, const char *line) {
    log_of_library.push_back(line);
    std::printf("log: %s\n", line);
}

// Counts only what the path to the picture says, not the driver's own words.
int lines_with(const std::string &text) {
    return int(std::count_if(log_of_library.begin(), log_of_library.end(), [&](const auto &line) {
        return line.find(text) != std::string::npos;
    }));
}

const char *path_name(v3doff_memory_path path) {
    static const char *const names[] = {"auto",        "udmabuf", "dma-heap", "host-import",
                                        "host-cached", "staging", "cpu"};
    return names[path];
}

constexpr unsigned seeds = 4;
uint64_t expected[seeds];

bool is_dma_buf(const std::string &path) {
    return path == "udmabuf" || path == "dma-heap";
}

// What others see of a picture is what the CPU sees.
void expect_shared(v3doff_picture *picture) {
    v3doff_planes planes = {.struct_size = sizeof planes};
    EXPECT_OK(v3doff_picture_get_planes(picture, &planes));
    v3doff_dma_buf shared = {.struct_size = sizeof shared};
    EXPECT_OK(v3doff_picture_get_dma_buf(picture, &shared));
    EXPECT(shared.count == planes.count);
    void *mapped = mmap(nullptr, shared.size, PROT_READ, MAP_SHARED, shared.fd, 0);
    EXPECT(mapped != MAP_FAILED);
    for (unsigned p = 0; p < planes.count; p++)
        for (unsigned y = 0; y < planes.height[p]; y++)
            EXPECT(std::memcmp(static_cast<std::byte *>(mapped) + shared.offset[p] +
                                   y * shared.stride[p],
                               static_cast<std::byte *>(planes.data[p]) + y * planes.stride[p],
                               planes.width[p]) == 0);
    munmap(mapped, shared.size);
}

// One pool: all its pictures in flight at once, then again into the same memory.
void run_pool(v3doff_device *device, const Options &options, unsigned &done) {
    v3doff_pool *pool = open_test_pool(device, options.width, options.height);
    std::vector<v3doff_picture *> pictures(options.open);
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 0; i < options.open; i++) {
            EXPECT_OK(v3doff_picture_open(&pictures[i], pool, nullptr));
            record_something(pictures[i], (done + i) % seeds);
            EXPECT_OK(v3doff_picture_submit(pictures[i], nullptr));
        }
        for (unsigned i = 0; i < options.open; i++) {
            EXPECT_OK(v3doff_picture_wait(pictures[i], UINT64_MAX));
            EXPECT(report_of(pictures[i]).executor == V3DOFF_EXECUTOR_GPU);
            EXPECT(checksum_of(pictures[i]) == expected[(done + i) % seeds]);
            if (is_dma_buf(options.expect) && !options.descriptors) expect_shared(pictures[i]);
        }
        for (auto &picture : pictures)
            v3doff_picture_close(&picture);
        done += options.open;
    }
    v3doff_pool_destroy(&pool);
}

} // namespace

int main(int count, char **arguments) {
    const Options options = parse(count, arguments);
    for (unsigned i = 0; i < seeds; i++)
        expected[i] = expected_checksum(options.width, options.height, i);
    v3doff_log_add(keep_line, nullptr, V3DOFF_LOG_INFO);
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    v3doff_device_properties properties = {.struct_size = sizeof properties};
    EXPECT_OK(v3doff_device_get_properties(device, &properties));
    std::printf("device %s, %s\nmemory path %s (%s)\n", properties.name, properties.driver,
                path_name(properties.memory), properties.memory_reason);
    EXPECT(options.expect == path_name(properties.memory));

    unsigned done = 0;
    run_pool(device, options, done); // what the driver keeps for good, it has from here on
    if (options.descriptors) limit(RLIMIT_NOFILE, options.descriptors);
    const vm::Left before = vm::left();
    const vm::Syncs first = vm::syncs();
    while (done < options.pictures)
        run_pool(device, options, done);
    vm::Left settled = before, after = vm::left();
    // Memory is that of the whole machine, where others grow once, too: what a picture leaves
    // behind, the next ones leave again. Pages of one that stayed would be some 8 kB each.
    for (unsigned again = 0; again < 2 && after.used_kb >= settled.used_kb + 4096; again++) {
        settled = after;
        for (unsigned more = 0; more < options.pictures;)
            run_pool(device, options, more);
        after = vm::left();
    }
    const vm::Syncs syncs = vm::syncs();
    std::printf("%u pictures of %ux%u in %s\n", done, options.width, options.height,
                options.expect.c_str());
    std::printf("before: %s\nafter:  %s\n", settled.text().c_str(), after.text().c_str());
    std::printf("dma-buf syncs: %u begun, %u ended, %u wrong, %u failed\n", syncs.begun,
                syncs.ended, syncs.wrong, syncs.failed);
    EXPECT(after.descriptors == before.descriptors);
    EXPECT(after.dma_bufs == before.dma_bufs);
    EXPECT(after.mappings <= before.mappings + 2); // malloc may map more for itself
    EXPECT(after.used_kb < settled.used_kb + 4096);
    EXPECT(syncs.wrong == 0 && syncs.failed == 0);
    if (is_dma_buf(options.expect) && done > 2 * options.open) {
        EXPECT(syncs.begun - first.begun >= done - 2 * options.open);
        EXPECT(syncs.ended - first.ended >= done - 2 * options.open);
    }
    for (const std::string &line : options.lines)
        EXPECT(lines_with(line) == 1);
    v3doff_device_destroy(&device);
    if (before.dma_bufs >= 0) EXPECT(vm::left().dma_bufs == 0);
    std::puts("exact, nothing left behind");
    return 0;
}
