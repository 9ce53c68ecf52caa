// SPDX-License-Identifier: BSD-2-Clause
// A dump as it is on disk. Everything is checked before it is used.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "h264/dump_format.hpp"
#include "picture/dump_format.hpp"
#include "session.hpp"
#include "vp9/dump_format.hpp"

namespace tool {

struct DumpError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class DumpFile {
  public:
    // Throws DumpError with the problem: unreadable, not a dump, another version, damaged.
    explicit DumpFile(const std::string &path);
    explicit DumpFile(const std::vector<uint8_t> &file);

    const v3doff::dump::Header &header() const { return header_; }
    v3doff_chroma chroma() const { return v3doff_chroma(header_.chroma); }
    uint32_t planes() const { return header_.chroma == V3DOFF_CHROMA_400 ? 1 : 3; }
    uint32_t sample_bytes() const { return header_.bit_depth > 8 ? 2 : 1; }
    const std::vector<uint8_t> &before() const { return before_; }
    const std::vector<uint8_t> &after() const { return after_; }
    std::string kinds() const; // of work, in words
    bool of_pool() const;      // its picture has to have the pool's memory

    // Passes every record to the library, which checks it like any caller's.
    void record(v3doff_picture *picture, v3doff_device *device) const;

  private:
    struct Chunk {
        uint32_t name;
        std::vector<uint8_t> bytes;
    };
    void read_chunks(const std::vector<uint8_t> &file, size_t end);
    size_t samples_bytes() const;

    v3doff::dump::Header header_{};
    std::vector<uint8_t> before_, after_;
    std::vector<Chunk> chunks_;
};

} // namespace tool
