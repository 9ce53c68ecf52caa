// SPDX-License-Identifier: BSD-2-Clause
#include "stream.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace fuzz {
namespace {

constexpr size_t ivf_header = 32, ivf_frame_header = 12;

uint32_t little(const Bytes &bytes, size_t at) {
    return bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | uint32_t(bytes[at + 3]) << 24;
}

void put_little(Bytes &bytes, uint64_t value, int count) {
    for (int i = 0; i < count; i++)
        bytes.push_back(uint8_t(value >> 8 * i));
}

void parse_ivf(const Bytes &file, std::vector<Bytes> &units) {
    size_t at = ivf_header;
    while (at + ivf_frame_header < file.size()) {
        size_t begin = at + ivf_frame_header;
        size_t end = std::min(begin + little(file, at), file.size());
        if (end > begin) units.emplace_back(file.begin() + long(begin), file.begin() + long(end));
        at = end;
    }
}

void parse_annex_b(const Bytes &file, std::vector<Bytes> &units) {
    size_t begin = file.size();
    for (size_t at = 0; at + 3 <= file.size(); at++) {
        if (file[at] || file[at + 1] || file[at + 2] != 1) continue;
        size_t end = at;
        while (end > begin && !file[end - 1])
            end--;
        if (end > begin) units.emplace_back(file.begin() + long(begin), file.begin() + long(end));
        begin = at + 3;
        at += 2;
    }
    if (begin < file.size()) units.emplace_back(file.begin() + long(begin), file.end());
}

Bytes to_ivf(const Stream &stream) {
    Bytes file{'D', 'K', 'I', 'F', 0, 0, ivf_header, 0, 'V', 'P', '9', '0'};
    put_little(file, 0x0040'0040, 4); // what decoders are told; the frames say it again
    put_little(file, 25, 4);
    put_little(file, 1, 4);
    put_little(file, stream.units.size(), 4);
    put_little(file, 0, 4);
    for (size_t i = 0; i < stream.units.size(); i++) {
        put_little(file, stream.units[i].size(), 4);
        put_little(file, i, 8);
        file.insert(file.end(), stream.units[i].begin(), stream.units[i].end());
    }
    return file;
}

Bytes to_annex_b(const Stream &stream) {
    Bytes file;
    for (const Bytes &unit : stream.units) {
        for (uint8_t byte : {0, 0, 0, 1})
            file.push_back(byte);
        file.insert(file.end(), unit.begin(), unit.end());
    }
    return file;
}

} // namespace

size_t Stream::size() const {
    size_t sum = 0;
    for (const Bytes &unit : units)
        sum += unit.size();
    return sum;
}

Stream parse_stream(Codec codec, const Bytes &file) {
    Stream stream;
    stream.codec = codec;
    if (codec == Codec::vp9)
        parse_ivf(file, stream.units);
    else
        parse_annex_b(file, stream.units);
    return stream;
}

Stream read_stream(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    Bytes file{std::istreambuf_iterator<char>(in), {}};
    Stream stream = parse_stream(path.ends_with(".ivf") ? Codec::vp9 : Codec::h264, file);
    stream.name = std::filesystem::path(path).filename();
    return stream;
}

Bytes to_file(const Stream &stream) {
    return stream.codec == Codec::vp9 ? to_ivf(stream) : to_annex_b(stream);
}

const char *file_ending(Codec codec) {
    return codec == Codec::vp9 ? ".ivf" : ".264";
}

bool write_file(const std::string &path, const Bytes &bytes) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char *>(bytes.data()), std::streamsize(bytes.size()));
    return bool(out);
}

} // namespace fuzz
