// SPDX-License-Identifier: BSD-2-Clause
#include "score/video.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>

namespace tool::score {
namespace {

bool begins_with(const std::string &path, const char *text) {
    std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!file) throw std::runtime_error(fmt::format("{}: {}", path, std::strerror(errno)));
    char start[16] = {};
    const size_t size = std::strlen(text);
    return std::fread(start, 1, size, file.get()) == size && !std::memcmp(start, text, size);
}

// The reader of any video file is a module of its own, beside the tool or in the installed folder.
// So the tool starts without libavformat, and the FFmpeg functions that v3doff check compares with
// stay separate from those that decode, which may have another version.
OpenLibav load_libav_module() {
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
    for (const std::filesystem::path &folder :
         {self.parent_path(), std::filesystem::path(V3DOFF_MODULE_DIR)}) {
        const auto path = folder / "libv3doff-video.so";
        if (!std::filesystem::exists(path, error)) continue;
        void *module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); // never closed
        if (!module)
            throw std::runtime_error(
                fmt::format("{} (to read this file, v3doff score needs the libavformat that it "
                            "was built with; it reads y4m files without it)",
                            dlerror()));
        return reinterpret_cast<OpenLibav>(dlsym(module, "v3doff_open_libav"));
    }
    return nullptr;
}

} // namespace

std::unique_ptr<Video> open_video(const std::string &path,
                                  const std::optional<VideoFormat> &geometry) {
    if (begins_with(path, "YUV4MPEG2 ")) return open_y4m(path);
    if (geometry) return open_raw(path, *geometry);
    static const OpenLibav open_libav = load_libav_module();
    if (open_libav) return std::unique_ptr<Video>(open_libav(path.c_str()));
    throw std::runtime_error(fmt::format(
        "{}: this v3doff was built without libavformat and reads only y4m files, and raw "
        "samples with --size and --format",
        path));
}

} // namespace tool::score
