// SPDX-License-Identifier: BSD-2-Clause
// Where no GPU's device node can be opened, mode AUTO does not even load the Vulkan loader.
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include "capi_helpers.h"
#include "v3doff/stream.h"

namespace {

bool can_open(const std::string &path) {
    const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

bool has_gpu() {
    std::error_code none;
    for (const auto &entry : std::filesystem::directory_iterator("/dev/dri", none))
        if (can_open(entry.path())) return true;
    return can_open("/dev/nvidiactl") || can_open("/dev/dxg") || can_open("/dev/mali0") ||
           can_open("/dev/kgsl-3d0");
}

bool loader_is_loaded() {
    std::ifstream maps("/proc/self/maps");
    std::string line;
    while (std::getline(maps, line))
        if (line.find("libvulkan") != std::string::npos) return true;
    return false;
}

} // namespace

int main() {
    if (has_gpu()) return 77;
    watch_log();
    v3doff_device *device = nullptr;
    EXPECT_RESULT(v3doff_device_create(&device, nullptr), V3DOFF_ERROR_NO_DEVICE);
    EXPECT(std::strstr(last_log_line, "/dev/dri/renderD*"));
    v3doff_stream_info info{.struct_size = sizeof info};
    info.threads = 1;
    v3doff_stream *stream = nullptr;
    EXPECT_OK(v3doff_stream_create(&stream, &info));
    v3doff_stream_open_info open{.struct_size = sizeof open};
    open.begin = 1;
    EXPECT_RESULT(v3doff_stream_open(stream, &open), V3DOFF_ERROR_NO_DEVICE);
    v3doff_stream_destroy(&stream);
    EXPECT(!loader_is_loaded());
    // Otherwise the look at the process's memory would prove nothing.
    device = open_test_device(V3DOFF_MODE_FORCE);
    EXPECT(loader_is_loaded());
    v3doff_device_destroy(&device);
    return 0;
}
