// SPDX-License-Identifier: BSD-2-Clause
#include "util/file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <string_view>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace v3doff::file {
namespace {

class Descriptor {
  public:
    explicit Descriptor(int fd = -1) : fd_(fd) {}
    Descriptor(Descriptor &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor &operator=(Descriptor &&other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }

  private:
    int fd_;
};

std::string folder_of(const std::string &path) {
    const size_t slash = path.rfind('/');
    return slash == path.npos ? "." : slash ? path.substr(0, slash) : "/";
}

std::string name_of(const std::string &path) {
    return path.substr(path.rfind('/') + 1);
}

constexpr char another_user[] = " belongs to another user";

// Empty, or why another user may have changed the file or folder with this status.
std::string why_not_owned(const struct stat &status, const char *what) {
    if (status.st_uid != geteuid()) return std::string("not trusted: ") + what + another_user;
    if (!S_ISLNK(status.st_mode) && status.st_mode & (S_IWGRP | S_IWOTH))
        return std::string("not trusted: other users may write to ") + what + " (chmod go-w)";
    return "";
}

// Files are opened relative to the result, so that the folder that was checked is the one that is
// used. Returns nothing, and no problem, if the folder does not exist.
Descriptor open_folder(const std::string &folder, Trust trust, std::string &problem) {
    struct stat link, status;
    Descriptor opened(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!opened || fstat(opened.get(), &status) != 0 || lstat(folder.c_str(), &link) != 0) {
        if (errno != ENOENT) problem = std::strerror(errno);
        return Descriptor();
    }
    if (trust == Trust::named) return opened;
    // The owner of a link counts, too: a link of another user could lead to any folder of this
    // user.
    problem = why_not_owned(link, "its folder");
    if (problem.empty()) problem = why_not_owned(status, "its folder");
    return problem.empty() ? std::move(opened) : Descriptor();
}

std::optional<std::vector<uint8_t>> read_all(int fd, size_t size, std::string &problem) {
    std::vector<uint8_t> bytes(size);
    for (size_t at = 0; at < size;) {
        const ssize_t got = ::read(fd, bytes.data() + at, size - at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            problem = got ? std::strerror(errno) : "it is shorter than it was";
            return std::nullopt;
        }
        at += size_t(got);
    }
    return bytes;
}

} // namespace

std::optional<std::vector<uint8_t>> read(const std::string &path, size_t max_bytes, Trust trust,
                                         std::string *why) {
    std::string unwanted, &problem = why ? *why : unwanted;
    problem.clear();
    const Descriptor folder = open_folder(folder_of(path), trust, problem);
    if (!folder) return std::nullopt;
    // Opening a pipe that nobody writes to would block.
    const Descriptor opened(
        openat(folder.get(), name_of(path).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    struct stat status;
    if (!opened || fstat(opened.get(), &status) != 0) {
        if (errno != ENOENT) problem = std::strerror(errno);
        return std::nullopt;
    }
    if (!S_ISREG(status.st_mode))
        problem = "not a regular file";
    else if (status.st_size < 0 || uint64_t(status.st_size) > max_bytes)
        problem = "larger than " + std::to_string(max_bytes) + " bytes";
    else if (trust == Trust::owned)
        problem = why_not_owned(status, "it");
    return problem.empty() ? read_all(opened.get(), size_t(status.st_size), problem) : std::nullopt;
}

namespace {

// The name of a temporary file is the final name, this mark, and eight digits.
constexpr std::string_view temporary_mark = ".v3doff-";
constexpr size_t temporary_digits = 8;

bool is_temporary(std::string_view name) {
    const size_t mark = temporary_mark.size() + temporary_digits;
    if (name.size() <= mark) return false;
    name.remove_prefix(name.size() - mark);
    return name.substr(0, temporary_mark.size()) == temporary_mark &&
           name.find_first_not_of("0123456789abcdef", temporary_mark.size()) == name.npos;
}

// A writer locks its temporary file. The kernel releases the lock when the writer ends.
void remove_leftovers(int folder) {
    const int readable = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (readable < 0) return;
    const std::unique_ptr<DIR, int (*)(DIR *)> list(fdopendir(readable), closedir);
    if (!list) ::close(readable);
    while (const dirent *entry = list ? readdir(list.get()) : nullptr) {
        if (!is_temporary(entry->d_name)) continue;
        const Descriptor found(
            openat(folder, entry->d_name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
        if (found && flock(found.get(), LOCK_EX | LOCK_NB) == 0) unlinkat(folder, entry->d_name, 0);
    }
}

// A new file, locked; its name is put into `name`.
Descriptor create_temporary(int folder, const std::string &path, std::string &name) {
    while (true) {
        uint32_t random = 0;
        if (getrandom(&random, sizeof random, 0) < 0) return Descriptor();
        char digits[temporary_digits + 1];
        std::snprintf(digits, sizeof digits, "%08x", random);
        name = name_of(path) + std::string(temporary_mark) + digits;
        Descriptor made(openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                               S_IRUSR | S_IWUSR));
        if (!made && errno == EEXIST) continue;
        if (!made) return made;
        flock(made.get(), LOCK_EX); // if locks are unsupported, no file counts as a leftover
        struct stat status;
        if (fstat(made.get(), &status) != 0) return Descriptor();
        // Another writer may have removed the file as a leftover before it was locked.
        if (status.st_nlink) return made;
    }
}

std::string write_all(int fd, std::span<const uint8_t> bytes, Crash crash) {
    while (!bytes.empty()) {
        ssize_t done = ::write(fd, bytes.data(), bytes.size());
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return std::strerror(errno);
        bytes = bytes.subspan(size_t(done));
    }
    // Without fsync() a crash can leave an empty file under the new name.
    const bool wait = crash == Crash::keeps_it_whole;
    return !wait || fsync(fd) == 0 ? "" : std::strerror(errno);
}

// Also makes the folders above it, which must be as private by the base directory specification.
// Returns an empty text, or why not. A folder of another user gets none: root with a user's HOME
// would leave one that the user cannot write to, and a link could lead anywhere.
std::string make_folder(const std::string &folder, Trust trust) {
    struct stat link, status;
    if (lstat(folder.c_str(), &link) == 0) {
        const bool owned = stat(folder.c_str(), &status) == 0 && link.st_uid == geteuid() &&
                           status.st_uid == geteuid();
        return owned || trust == Trust::named ? "" : "not trusted: " + folder + another_user;
    }
    if (errno != ENOENT) return std::strerror(errno);
    const std::string problem = make_folder(folder_of(folder), trust);
    if (!problem.empty() || mkdir(folder.c_str(), S_IRWXU) == 0 || errno == EEXIST) return problem;
    return std::strerror(errno);
}

} // namespace

std::string write_atomically(const std::string &path, std::span<const uint8_t> bytes, Crash crash,
                             Trust trust) {
    std::string temporary, problem = make_folder(folder_of(path), trust);
    if (!problem.empty()) return problem;
    const Descriptor folder = open_folder(folder_of(path), trust, problem);
    if (!folder) return problem.empty() ? std::strerror(ENOENT) : problem;
    remove_leftovers(folder.get());
    Descriptor file = create_temporary(folder.get(), path, temporary);
    if (!file) return std::strerror(errno);
    problem = write_all(file.get(), bytes, crash);
    const bool renamed = problem.empty() && renameat(folder.get(), temporary.c_str(), folder.get(),
                                                     name_of(path).c_str()) == 0;
    if (problem.empty() && !renamed) problem = std::strerror(errno);
    if (!renamed) unlinkat(folder.get(), temporary.c_str(), 0);
    return problem;
}

uint64_t checksum(std::span<const uint8_t> bytes) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint8_t byte : bytes)
        hash = (hash ^ byte) * 0x100000001b3u;
    return hash;
}

} // namespace v3doff::file
