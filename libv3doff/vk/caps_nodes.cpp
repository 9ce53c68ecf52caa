// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <unistd.h>

#include "vk/caps.hpp"

namespace v3doff::vk {
namespace {

// The kernel drivers of NVIDIA and of Windows' subsystem for Linux, and Arm's and Qualcomm's own.
constexpr const char *other_nodes[] = {"/dev/nvidiactl", "/dev/dxg", "/dev/mali0", "/dev/kgsl-3d0"};
constexpr const char *render_nodes = "/dev/dri";

// Rights alone do not tell: a container or a sandbox may refuse what they allow. But a driver may
// wake the device when its node is opened.
bool is_there(const std::string &path, Node must) {
    if (must == Node::exists) return access(path.c_str(), F_OK) == 0;
    const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

bool has_render_node(Node must) {
    DIR *folder = opendir(render_nodes);
    if (!folder) return false;
    bool found = false;
    while (const dirent *entry = found ? nullptr : readdir(folder)) {
        const std::string name = entry->d_name;
        found = name.starts_with("renderD") && is_there(render_nodes + ("/" + name), must);
    }
    closedir(folder);
    return found;
}

} // namespace

bool has_gpu_node(Node must) {
    return has_render_node(must) ||
           std::any_of(std::begin(other_nodes), std::end(other_nodes),
                       [must](const char *node) { return is_there(node, must); });
}

} // namespace v3doff::vk
