// SPDX-License-Identifier: BSD-2-Clause
// A y4m file, read and scored against itself, one picture later, on the CPU.
#include <sys/mman.h>
#include <unistd.h>

#include "score/video.hpp"
#include "session.hpp"
#include "target.hpp"
#include "v3doff/metrics.h"

using namespace tool;
using namespace tool::score;

namespace {

// Scoring is quadratic work for the CPU; there is nothing in large pictures that small ones lack.
constexpr uint32_t most_side = 80;
constexpr unsigned most_pictures = 3;

class MemoryFile {
  public:
    MemoryFile(const uint8_t *bytes, size_t count) : fd_(memfd_create("y4m", MFD_CLOEXEC)) {
        must(fd_ >= 0 && write(fd_, bytes, count) == ssize_t(count), "a file in memory");
    }
    ~MemoryFile() { close(fd_); }
    MemoryFile(const MemoryFile &) = delete;
    MemoryFile &operator=(const MemoryFile &) = delete;
    std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

  private:
    int fd_;
};

v3doff_device *cpu() {
    static const Device device = [] {
        DeviceChoice choice;
        choice.mode = V3DOFF_MODE_CPU;
        return open_device(choice);
    }();
    return device.get();
}

struct CloseMetrics {
    void operator()(v3doff_metrics *handle) const { v3doff_metrics_destroy(&handle); }
};

void score_file(Video &reference, Video &distorted) {
    const VideoFormat &format = reference.format();
    if (format.width > most_side || format.height > most_side) return;
    v3doff_metrics_info info{.struct_size = sizeof info};
    info.width = format.width;
    info.height = format.height;
    info.bit_depth = format.bit_depth;
    info.chroma = format.chroma;
    info.metrics = V3DOFF_METRIC_ALL;
    if (format.chroma == V3DOFF_CHROMA_400) info.metrics &= ~uint32_t(V3DOFF_METRIC_PSNR_HVS);
    v3doff_metrics *handle = nullptr;
    check(v3doff_metrics_create(&handle, cpu(), &info), "a session");
    const std::unique_ptr<v3doff_metrics, CloseMetrics> metrics(handle);
    v3doff_planes planes[2] = {};
    distorted.next(planes[1]);
    for (unsigned i = 0; i < most_pictures; i++) {
        if (!reference.next(planes[0]) || !distorted.next(planes[1])) break;
        check(v3doff_metrics_push(handle, &planes[0], &planes[1]), "a pair");
    }
    check(v3doff_metrics_finish(handle), "the end");
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    const MemoryFile file(bytes, count);
    try {
        const auto reference = open_y4m(file.path()), distorted = open_y4m(file.path());
        score_file(*reference, *distorted);
    } catch (const std::runtime_error &) { // refused
    }
    return 0;
}
