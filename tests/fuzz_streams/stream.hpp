// SPDX-License-Identifier: BSD-2-Clause
// Streams as lists of units: NAL units of H.264 without their start codes, packets of VP9.
#pragma once

#include <string>
#include <vector>

#include "fields.hpp"

namespace fuzz {

enum class Codec { h264, vp9 };

struct Stream {
    Codec codec = Codec::h264;
    std::string name;
    std::vector<Bytes> units;

    size_t size() const;
};

// A file's name ends with .ivf, or it is Annex B. No units: it cannot be read.
Stream read_stream(const std::string &path);
Stream parse_stream(Codec codec, const Bytes &file);

// The file's bytes: they and nothing else decide what is decoded.
Bytes to_file(const Stream &stream);
const char *file_ending(Codec codec);
bool write_file(const std::string &path, const Bytes &bytes);

} // namespace fuzz
