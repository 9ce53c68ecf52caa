// SPDX-License-Identifier: BSD-2-Clause
#include "dump_file.hpp"

#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

#include "v3doff/h264.h"

namespace tool {
namespace {

namespace dump = v3doff::dump;

constexpr uint32_t most_samples = 16384;

std::vector<uint8_t> read_file(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw DumpError("cannot be read");
    return {std::istreambuf_iterator<char>(file), {}};
}

uint64_t checksum(const uint8_t *bytes, size_t count) {
    uint64_t sum = 0xcbf29ce484222325;
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ bytes[i]) * 0x100000001b3;
    return sum;
}

// Takes values off the front of some bytes.
class Reader {
  public:
    Reader(const std::vector<uint8_t> &from, size_t at, size_t end)
        : from_(from), at_(at), end_(end) {}
    explicit Reader(const std::vector<uint8_t> &from) : Reader(from, 0, from.size()) {}
    size_t left() const { return end_ - at_; }
    const uint8_t *take(uint64_t count) {
        if (count > left()) throw DumpError("damaged: it ends too early");
        at_ += size_t(count);
        return from_.data() + at_ - count;
    }
    template <typename T>
    T value() {
        T result;
        std::memcpy(&result, take(sizeof result), sizeof result);
        return result;
    }

  private:
    const std::vector<uint8_t> &from_;
    size_t at_, end_;
};

void check_header(const dump::Header &header) {
    bool sound = header.width >= 1 && header.width <= most_samples && header.height >= 1 &&
                 header.height <= most_samples && header.bit_depth >= 8 && header.bit_depth <= 14 &&
                 header.chroma <= V3DOFF_CHROMA_440;
    for (unsigned p = 0; p < (header.chroma == V3DOFF_CHROMA_400 ? 1 : 3); p++)
        sound = sound && header.padded_width[p] >= 1 && header.padded_height[p] >= 1 &&
                header.padded_width[p] <= 2 * most_samples &&
                header.padded_height[p] <= 2 * most_samples;
    if (!sound) throw DumpError("damaged: no picture has such a size or format");
}

void record_itx(v3doff_picture *picture, const std::vector<uint8_t> &bytes, bool wide) {
    Reader reader(bytes);
    while (reader.left()) {
        auto item = reader.value<dump::ItxItem>();
        if (item.coefficients > 32 * 32) throw DumpError("damaged: a block of too many values");
        alignas(64) int32_t values[32 * 32] = {};
        std::memcpy(values, reader.take(4 * uint64_t(item.coefficients)), 4 * item.coefficients);
        alignas(64) int16_t narrow[32 * 32];
        for (size_t i = 0; i < 32 * 32; i++)
            narrow[i] = int16_t(values[i]);
        check(v3doff_vp9_record_itx(picture, 0, item.plane, item.x, item.y, v3doff_vp9_tx(item.tx),
                                    v3doff_vp9_tx_type(item.type), item.eob,
                                    wide ? static_cast<void *>(values) : narrow),
              "recording a block of the dump");
    }
}

void record_idct(v3doff_picture *picture, const std::vector<uint8_t> &bytes, bool wide) {
    Reader reader(bytes);
    while (reader.left()) {
        auto item = reader.value<dump::IdctItem>();
        if (item.coefficients > 64) throw DumpError("damaged: a block of too many values");
        alignas(64) int32_t values[64] = {};
        std::memcpy(values, reader.take(4 * uint64_t(item.coefficients)), 4 * item.coefficients);
        alignas(64) int16_t narrow[64];
        for (size_t i = 0; i < 64; i++)
            narrow[i] = int16_t(values[i]);
        check(v3doff_h264_record_idct(picture, 0, item.plane, item.x, item.y,
                                      v3doff_h264_rows(item.rows),
                                      v3doff_h264_transform(item.transform),
                                      wide ? static_cast<void *>(values) : narrow),
              "recording a block of the dump");
    }
}

void record_loopfilter(v3doff_picture *picture, const std::vector<uint8_t> &bytes) {
    Reader reader(bytes);
    const auto sharpness = reader.value<uint32_t>();
    reader.value<uint32_t>();
    const size_t count = reader.left() / sizeof(v3doff_vp9_superblock);
    std::vector<v3doff_vp9_superblock> superblocks(count);
    std::memcpy(superblocks.data(), reader.take(count * sizeof superblocks[0]),
                count * sizeof superblocks[0]);
    check(v3doff_vp9_record_loopfilter(picture, sharpness, superblocks.data(), count),
          "recording the loop filter of the dump");
}

} // namespace

size_t DumpFile::samples_bytes() const {
    size_t bytes = 0;
    for (unsigned p = 0; p < planes(); p++)
        bytes += size_t(header_.padded_width[p]) * header_.padded_height[p] * sample_bytes();
    return bytes;
}

DumpFile::DumpFile(const std::string &path) {
    const std::vector<uint8_t> file = read_file(path);
    Reader reader(file);
    if (file.size() < 8 || reader.value<uint32_t>() != dump::magic)
        throw DumpError("is not a dump of a picture");
    const auto version = reader.value<uint32_t>();
    if (version != dump::version)
        throw DumpError(fmt::format("is a dump of version {}; this program reads version {}",
                                    version, dump::version));
    uint64_t sum = 0;
    if (file.size() < 8 + sizeof header_ + sizeof sum)
        throw DumpError("damaged: it ends too early");
    std::memcpy(&sum, file.data() + file.size() - sizeof sum, sizeof sum);
    if (sum != checksum(file.data(), file.size() - sizeof sum))
        throw DumpError("damaged: the checksum is another one");
    header_ = reader.value<dump::Header>();
    check_header(header_);
    read_chunks(file, file.size() - sizeof sum);
    if (before_.size() != samples_bytes() || after_.size() != samples_bytes())
        throw DumpError("damaged: samples are missing");
}

void DumpFile::read_chunks(const std::vector<uint8_t> &file, size_t end) {
    Reader reader(file, 8 + sizeof header_, end);
    while (reader.left()) {
        auto chunk = reader.value<dump::ChunkHeader>();
        const uint8_t *first = reader.take(chunk.bytes);
        std::vector<uint8_t> bytes(first, first + chunk.bytes);
        if (chunk.name == dump::before)
            before_ = std::move(bytes);
        else if (chunk.name == dump::after)
            after_ = std::move(bytes);
        else
            chunks_.push_back({chunk.name, std::move(bytes)});
    }
}

std::string DumpFile::kinds() const {
    std::string text;
    for (const Chunk &chunk : chunks_) {
        const char *kind = chunk.name == dump::vp9_itx          ? "vp9 itx"
                           : chunk.name == dump::vp9_loopfilter ? "vp9 loopfilter"
                           : chunk.name == dump::h264_idct      ? "h264 idct"
                                                                : "unknown";
        text += (text.empty() ? "" : ", ") + std::string(kind);
    }
    return text;
}

void DumpFile::record(v3doff_picture *picture) const {
    for (const Chunk &chunk : chunks_) {
        if (chunk.name == dump::vp9_itx)
            record_itx(picture, chunk.bytes, header_.bit_depth > 8);
        else if (chunk.name == dump::h264_idct)
            record_idct(picture, chunk.bytes, header_.bit_depth > 8);
        else if (chunk.name == dump::vp9_loopfilter)
            record_loopfilter(picture, chunk.bytes);
        else
            throw DumpError("holds work that this program does not know");
    }
}

} // namespace tool
