// SPDX-License-Identifier: BSD-2-Clause
#include "util/file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

#include "util/env.hpp"

namespace v3doff::file {

std::optional<std::string> cache_dir() {
    if (auto base = env::text("XDG_CACHE_HOME")) {
        // The base directory specification: a relative path is invalid and ignored.
        if (base->front() == '/') return *base + "/v3doff";
    }
    if (auto home = env::text("HOME")) return *home + "/.cache/v3doff";
    return std::nullopt;
}

std::optional<std::vector<uint8_t>> read(const std::string &path, size_t max_bytes) {
    std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
    struct stat status;
    if (!file || fstat(fileno(file.get()), &status) != 0 || !S_ISREG(status.st_mode))
        return std::nullopt;
    if (status.st_size < 0 || uint64_t(status.st_size) > max_bytes) return std::nullopt;
    std::vector<uint8_t> bytes(size_t(status.st_size));
    if (std::fread(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) return std::nullopt;
    return bytes;
}

namespace {

std::string write_all(int fd, std::span<const uint8_t> bytes, Crash crash) {
    while (!bytes.empty()) {
        ssize_t done = ::write(fd, bytes.data(), bytes.size());
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return std::strerror(errno);
        bytes = bytes.subspan(size_t(done));
    }
    // Without it a crash can leave the new name on an empty file.
    const bool wait = crash == Crash::keeps_it_whole;
    return !wait || fsync(fd) == 0 ? "" : std::strerror(errno);
}

} // namespace

std::string write_atomically(const std::string &path, std::span<const uint8_t> bytes, Crash crash) {
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    std::string temporary = path + ".XXXXXX";
    int fd = mkostemp(temporary.data(), O_CLOEXEC);
    if (fd < 0) return std::strerror(errno);
    std::string problem = write_all(fd, bytes, crash);
    if (close(fd) != 0 && problem.empty()) problem = std::strerror(errno);
    if (problem.empty() && rename(temporary.c_str(), path.c_str()) != 0)
        problem = std::strerror(errno);
    if (!problem.empty()) unlink(temporary.c_str());
    return problem;
}

uint64_t checksum(std::span<const uint8_t> bytes) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint8_t byte : bytes)
        hash = (hash ^ byte) * 0x100000001b3u;
    return hash;
}

} // namespace v3doff::file
