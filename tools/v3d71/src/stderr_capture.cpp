// SPDX-License-Identifier: BSD-2-Clause
#include "stderr_capture.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <sys/mman.h>
#include <unistd.h>

namespace v3doff::v3d71 {

StderrCapture::StderrCapture() {
    file_ = memfd_create("stderr", MFD_CLOEXEC);
    fflush(stderr);
    saved_ = dup(STDERR_FILENO);
    if (file_ < 0 || saved_ < 0 || dup2(file_, STDERR_FILENO) < 0)
        throw std::system_error(errno, std::generic_category(), "capturing stderr");
}

std::string StderrCapture::finish() {
    if (saved_ < 0) return {};
    fflush(stderr);
    dup2(saved_, STDERR_FILENO);
    close(saved_);
    saved_ = -1;
    std::string text(size_t(lseek(file_, 0, SEEK_END)), '\0');
    const ssize_t got = pread(file_, text.data(), text.size(), 0);
    text.resize(got > 0 ? size_t(got) : 0);
    close(file_);
    return text;
}

} // namespace v3doff::v3d71
