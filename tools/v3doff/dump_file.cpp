// SPDX-License-Identifier: BSD-2-Clause
#include "dump_file.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "dump_records.hpp"
#include "util/file.hpp"

namespace tool {
namespace {

namespace dump = v3doff::dump;

constexpr uint32_t most_samples = 16384;

// More than the largest pictures and their references need.
constexpr size_t most_bytes = size_t(2) << 30;

std::vector<uint8_t> read_file(const std::string &path) {
    std::string problem;
    auto bytes = v3doff::file::read(path, most_bytes, v3doff::file::Trust::named, &problem);
    if (!bytes)
        throw DumpError("cannot be read: " + (problem.empty() ? "there is no such file" : problem));
    return std::move(*bytes);
}

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

// Every kind of work that a dump can hold.
struct Kind {
    uint32_t name;
    const char *text; // null: not work by itself
    void (*record)(DumpTarget &target, const std::vector<uint8_t> &bytes);
};
constexpr Kind kinds_of_work[] = {
    {dump::vp9_itx, "vp9 itx", record_itx},
    {dump::vp9_loopfilter, "vp9 loopfilter", record_loopfilter},
    {dump::vp9_reference, nullptr, add_reference},
    {dump::vp9_mc, "vp9 mc", record_mc},
    {dump::vp9_words, "vp9 words", record_words},
    {dump::h264_reference, nullptr, add_h264_reference},
    {dump::h264_words, "h264 words", record_h264_words},
    {dump::h264_idct, "h264 idct", record_idct},
    {dump::h264_deblock, "h264 deblock", record_deblock},
    {dump::h264_deblock_mbaff, "h264 deblock mbaff", record_deblock_mbaff},
    {dump::h264_arrays, "h264 macroblocks", record_arrays},
    {dump::h264_edges, "h264 deblock by edges", record_edges},
};

const Kind *find_kind(uint32_t name) {
    for (const Kind &kind : kinds_of_work)
        if (kind.name == name) return &kind;
    return nullptr;
}

} // namespace

size_t DumpFile::samples_bytes() const {
    size_t bytes = 0;
    for (unsigned p = 0; p < planes(); p++)
        bytes += size_t(header_.padded_width[p]) * header_.padded_height[p] * sample_bytes();
    return bytes;
}

DumpFile::DumpFile(const std::string &path) : DumpFile(read_file(path)) {}

DumpFile::DumpFile(const std::vector<uint8_t> &file) {
    DumpReader reader(file);
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
    if (sum != v3doff::file::checksum(std::span(file).first(file.size() - sizeof sum)))
        throw DumpError("damaged: the checksum is wrong");
    header_ = reader.value<dump::Header>();
    check_header(header_);
    read_chunks(file, file.size() - sizeof sum);
    if (before_.size() != samples_bytes() || after_.size() != samples_bytes())
        throw DumpError("damaged: samples are missing");
}

void DumpFile::read_chunks(const std::vector<uint8_t> &file, size_t end) {
    DumpReader reader(file, 8 + sizeof header_, end);
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

bool DumpFile::of_pool() const {
    return std::any_of(chunks_.begin(), chunks_.end(), [](const Chunk &chunk) {
        return chunk.name == dump::vp9_words || chunk.name == dump::h264_words;
    });
}

std::string DumpFile::kinds() const {
    std::string text;
    for (const Chunk &chunk : chunks_) {
        const Kind *kind = find_kind(chunk.name);
        if (kind && !kind->text) continue;
        text += (text.empty() ? "" : ", ") + std::string(kind ? kind->text : "unknown");
    }
    return text;
}

void DumpFile::record(v3doff_picture *picture, v3doff_device *device) const {
    DumpTarget target{device, picture, header_, {}, {}};
    // Decoders record the deblocking of arrays first, although it is done last.
    for (const bool arrays : {true, false})
        for (const Chunk &chunk : chunks_) {
            if ((chunk.name == dump::h264_arrays) != arrays) continue;
            const Kind *kind = find_kind(chunk.name);
            if (!kind) throw DumpError("holds work that this program does not know");
            kind->record(target, chunk.bytes);
        }
}

} // namespace tool
