// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <linux/dma-buf.h>
#include <set>
#include <sys/ioctl.h>
#include <unistd.h>

#include "report/report.hpp"

namespace tool::report {
namespace {

constexpr unsigned rounds = 20;

double us_since(Clock::time_point start) {
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

// The process's descriptors of dma-bufs.
std::set<int> dma_bufs() {
    std::set<int> found;
    for (const auto &entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code problem;
        const std::string target = std::filesystem::read_symlink(entry.path(), problem).string();
        if (target.find("dmabuf") != target.npos)
            found.insert(std::stoi(entry.path().filename().string()));
    }
    return found;
}

void sync(int fd, uint64_t flags) {
    dma_buf_sync request{};
    request.flags = flags | DMA_BUF_SYNC_RW;
    while (ioctl(fd, DMA_BUF_IOCTL_SYNC, &request) != 0)
        if (errno != EINTR && errno != EAGAIN)
            throw std::runtime_error(std::string("DMA_BUF_IOCTL_SYNC: ") + std::strerror(errno));
}

void for_samples(const v3doff_planes &planes, uint8_t value) {
    for (uint32_t p = 0; p < planes.count; p++)
        std::memset(planes.data[p], value, size_t(planes.stride[p]) * planes.padded_height[p]);
}

// The driver has used the picture before, so the kernel has something to synchronise with.
Json sync_times(int fd, const v3doff_planes &planes) {
    std::vector<double> to_gpu, clean_to_gpu, to_cpu;
    for (unsigned i = 0; i < rounds; i++) {
        for_samples(planes, uint8_t(i));
        auto start = Clock::now();
        sync(fd, DMA_BUF_SYNC_END);
        to_gpu.push_back(us_since(start));
        start = Clock::now();
        sync(fd, DMA_BUF_SYNC_START);
        to_cpu.push_back(us_since(start));
        start = Clock::now();
        sync(fd, DMA_BUF_SYNC_END);
        clean_to_gpu.push_back(us_since(start));
        sync(fd, DMA_BUF_SYNC_START);
    }
    return {{"rounds", rounds},
            {"written_picture_to_gpu_us", median_of(to_gpu)},
            {"unchanged_picture_to_gpu_us", median_of(clean_to_gpu)},
            {"picture_to_cpu_us", median_of(to_cpu)}};
}

Json one_path(DeviceChoice choice, v3doff_memory_path path) {
    choice.memory = path;
    Device device = open_device(choice);
    const v3doff_device_properties properties = properties_of(device.get());
    if (properties.memory != path)
        return {{"problem",
                 std::string("not taken; pictures go by ") + memory_name(properties.memory)}};
    const std::set<int> before = dma_bufs();
    Pool pool = make_pool(device.get(), 1920, 1080);
    Picture picture = open_picture(pool.get());
    const v3doff_planes planes = planes_of(picture.get());
    for_samples(planes, 1); // every page is there
    Json json = bandwidth(static_cast<std::byte *>(planes.data[0]),
                          size_t(planes.stride[0]) * planes.padded_height[0]);
    if (path != V3DOFF_MEMORY_UDMABUF && path != V3DOFF_MEMORY_DMA_HEAP) return json;
    for (int fd : dma_bufs())
        if (!before.contains(fd)) {
            json["sync_1080p"] = sync_times(fd, planes);
            break;
        }
    if (!json.contains("sync_1080p")) json["problem"] = "its dma-buf was not found";
    return json;
}

} // namespace

Json median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return {{"min", values.front()}, {"median", values[values.size() / 2]}, {"max", values.back()}};
}

// In pieces that fit into the L1 cache, as a decoder reads and writes blocks. The best of several
// rounds, fewer if the memory is slow.
Json bandwidth(std::byte *data, size_t bytes) {
    constexpr size_t piece = 16384;
    static std::byte block[piece];
    double read_us = 1e30, write_us = 1e30;
    const auto begin = Clock::now();
    for (unsigned i = 0; i < rounds && (i < 2 || us_since(begin) < 300000); i++) {
        auto start = Clock::now();
        for (size_t at = 0; at + piece <= bytes; at += piece)
            std::memcpy(data + at, block, piece);
        write_us = std::min(write_us, us_since(start));
        start = Clock::now();
        for (size_t at = 0; at + piece <= bytes; at += piece) {
            std::memcpy(block, data + at, piece);
            asm volatile("" : : "r"(block) : "memory"); // the compiler must not remove the read
        }
        read_us = std::min(read_us, us_since(start));
    }
    const double done = double(bytes / piece * piece);
    return {{"bytes", bytes}, {"read_mb_s", done / read_us}, {"write_mb_s", done / write_us}};
}

Json memory_facts(const DeviceChoice &choice) {
    Json json;
    std::vector<std::byte> plain(size_t(1920) * 1088, std::byte(1));
    json["plain"] = bandwidth(plain.data(), plain.size());
    for (auto path : {V3DOFF_MEMORY_UDMABUF, V3DOFF_MEMORY_DMA_HEAP, V3DOFF_MEMORY_HOST_IMPORT,
                      V3DOFF_MEMORY_HOST_CACHED}) {
        try {
            json[memory_name(path)] = one_path(choice, path);
        } catch (const std::exception &problem) {
            json[memory_name(path)] = {{"problem", problem.what()}};
        }
    }
    return json;
}

} // namespace tool::report
