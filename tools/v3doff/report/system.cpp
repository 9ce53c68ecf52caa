// SPDX-License-Identifier: BSD-2-Clause
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <grp.h>
#include <string>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>

#include "report/report.hpp"

namespace tool::report {
namespace {

std::string first_line(const char *path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    while (!line.empty() && (line.back() == '\0' || line.back() == ' '))
        line.pop_back();
    return line;
}

// The value of a key in a file of "key<separator>value" lines; empty if it is missing.
std::string value_of(const char *path, const std::string &key, char separator) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const size_t at = line.find(separator);
        if (at == line.npos || line.compare(0, key.size(), key) != 0) continue;
        const size_t first = line.find_first_not_of(" \t\"", at + 1);
        const size_t last = line.find_last_not_of(" \t\"");
        return first == line.npos ? "" : line.substr(first, last - first + 1);
    }
    return "";
}

void add(Json &to, const char *name, const std::string &text) {
    if (text.empty())
        to[name] = nullptr;
    else
        to[name] = text;
}

// Who may open it: the group's name is the distribution's, not the user's.
Json node(const char *path) {
    struct stat status {};
    if (stat(path, &status) != 0) return "not there";
    const group *owner = getgrgid(status.st_gid);
    return {{"mode", fmt::format("{:o}", status.st_mode & 0777)},
            {"group", owner ? owner->gr_name : "unknown"},
            {"opens", access(path, R_OK | W_OK) == 0}};
}

Json processor() {
    Json json;
    std::string model = value_of("/proc/cpuinfo", "model name", ':');
    add(json, "model", model);
    json["threads"] = std::thread::hardware_concurrency();
    add(json, "governor", first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
    add(json, "most_khz", first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq"));
    add(json, "now_khz", first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq"));
    add(json, "millidegrees", first_line("/sys/class/thermal/thermal_zone0/temp"));
    return json;
}

} // namespace

Json system_facts() {
    Json json;
    utsname names{};
    uname(&names); // only the fields that do not identify the machine
    add(json, "kernel", names.release);
    add(json, "machine", names.machine);
    add(json, "distribution", value_of("/etc/os-release", "PRETTY_NAME", '='));
    add(json, "board", first_line("/proc/device-tree/model"));
    json["processor"] = processor();
    add(json, "memory", value_of("/proc/meminfo", "MemTotal", ':'));
    add(json, "memory_free", value_of("/proc/meminfo", "MemAvailable", ':'));
    json["page_bytes"] = sysconf(_SC_PAGESIZE);
    json["devices"] = {{"/dev/udmabuf", node("/dev/udmabuf")},
                       {"/dev/dma_heap/system", node("/dev/dma_heap/system")},
                       {"/dev/dri/renderD128", node("/dev/dri/renderD128")}};
    add(json, "udmabuf_size_limit_mb", first_line("/sys/module/udmabuf/parameters/size_limit_mb"));
    return json;
}

} // namespace tool::report
