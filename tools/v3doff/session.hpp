// SPDX-License-Identifier: BSD-2-Clause
// C handles as C++ values, and results as exceptions: what every subcommand needs of the library.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

#include "v3doff/vp9.h"

namespace tool {

class Failure : public std::runtime_error {
  public:
    Failure(const std::string &what, v3doff_result code)
        : std::runtime_error(what + ": " + v3doff_result_text(code)), code(code) {}
    v3doff_result code;
};

inline void check(v3doff_result result, const char *what) {
    if (result < 0) throw Failure(what, result);
}

struct Close {
    void operator()(v3doff_device *handle) const { v3doff_device_destroy(&handle); }
    void operator()(v3doff_pool *handle) const { v3doff_pool_destroy(&handle); }
    void operator()(v3doff_picture *handle) const { v3doff_picture_close(&handle); }
};
using Device = std::unique_ptr<v3doff_device, Close>;
using Pool = std::unique_ptr<v3doff_pool, Close>;
using Picture = std::unique_ptr<v3doff_picture, Close>;

struct DeviceChoice {
    std::string select; // empty: automatic
    v3doff_mode mode = V3DOFF_MODE_FORCE;
    v3doff_memory_path memory = V3DOFF_MEMORY_AUTO;
    bool timers = false;
    bool no_cache = false;
};
Device open_device(const DeviceChoice &choice);
Device open_cpu(); // the library without Vulkan
v3doff_device_properties properties_of(v3doff_device *device);
Pool make_pool(v3doff_device *device, uint32_t width, uint32_t height, uint32_t bit_depth = 8,
               v3doff_chroma chroma = V3DOFF_CHROMA_420);
Picture open_picture(v3doff_pool *pool, const v3doff_planes *planes = nullptr);
v3doff_planes planes_of(v3doff_picture *picture);

// Submits, waits, and returns the report. Throws if the work was not done where it should be: a
// bench or check must not mistake the CPU's work for the GPU's.
v3doff_picture_report run_picture(v3doff_picture *picture, v3doff_executor expected);

std::string library_version();
const char *memory_name(v3doff_memory_path path);
const char *kind_name(v3doff_device_kind kind);
std::string uuid_text(const uint8_t (&uuid)[16]);

// Log lines of the library go to stderr.
void log_to_stderr(v3doff_log_level level);

} // namespace tool
