// SPDX-License-Identifier: BSD-2-Clause
#include "util/cache_file.hpp"

#include <algorithm>
#include <mutex>

#include "util/env.hpp"

namespace v3doff {

std::optional<std::string> cache_dir() {
    if (auto base = env::text("XDG_CACHE_HOME")) {
        // The base directory specification: a relative path is invalid and ignored.
        if (base->front() == '/') return *base + "/v3doff";
    }
    if (auto home = env::text("HOME")) return *home + "/.cache/v3doff";
    return std::nullopt;
}

namespace cache_file {
namespace {

struct Refused {
    std::mutex mutex;
    std::vector<std::string> folders; // seldom more than one
};

Refused &refused() {
    static auto *all = new Refused; // outlives every static of the program
    return *all;
}

std::string folder_of(const std::string &path) {
    return path.substr(0, path.rfind('/') + 1);
}

bool is_refused(const std::string &path) {
    std::lock_guard lock(refused().mutex);
    const auto &folders = refused().folders;
    return std::find(folders.begin(), folders.end(), folder_of(path)) != folders.end();
}

void refuse(const std::string &path) {
    std::lock_guard lock(refused().mutex);
    refused().folders.push_back(folder_of(path));
}

} // namespace

std::optional<std::vector<uint8_t>> read(const std::string &path, size_t max_bytes,
                                         std::string &problem) {
    problem.clear();
    if (is_refused(path)) return std::nullopt;
    auto bytes = file::read(path, max_bytes, file::Trust::owned, &problem);
    if (!problem.empty()) refuse(path);
    return bytes;
}

std::string write(const std::string &path, std::span<const uint8_t> bytes, file::Crash crash) {
    if (is_refused(path)) return "";
    std::string problem = file::write_atomically(path, bytes, crash, file::Trust::owned);
    if (!problem.empty()) refuse(path);
    return problem;
}

} // namespace cache_file
} // namespace v3doff
