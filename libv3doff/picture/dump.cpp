// SPDX-License-Identifier: BSD-2-Clause
#include "picture/dump.hpp"

#include <unistd.h>

#include <atomic>
#include <cstring>

#include "picture/debug_keys.hpp"
#include "util/env.hpp"
#include "util/file.hpp"
#include "util/log.hpp"

namespace v3doff {
namespace {

constexpr unsigned default_pictures = 100;
std::atomic<unsigned> pictures_begun{0};

const std::optional<std::string> &dump_folder() {
    static const auto *folder =
        new std::optional(env::text("V3DOFF_DUMP")); // outlives every static
    return *folder;
}

unsigned most_pictures() {
    return debug::number(debug::dump_pictures).value_or(default_pictures);
}

// Leaves out the dump's name, which differs each time, so that the line is logged once.
void warn(const char *problem) {
    LOG_WARNING_ONCE("pictures cannot be dumped into %s: %s", dump_folder()->c_str(), problem);
}

} // namespace

void DumpWriter::bytes(const void *data, size_t count) {
    auto *first = static_cast<const uint8_t *>(data);
    data_.insert(data_.end(), first, first + count);
}

void DumpWriter::begin_chunk(uint32_t name) {
    chunk_ = data_.size();
    value(dump::ChunkHeader{name, 0, 0});
}

void DumpWriter::end_chunk() {
    dump::ChunkHeader header;
    std::memcpy(&header, &data_[chunk_], sizeof header);
    header.bytes = data_.size() - chunk_ - sizeof header;
    std::memcpy(&data_[chunk_], &header, sizeof header);
}

void DumpWriter::samples(const PictureView &picture, bool padded) {
    for (unsigned p = 0; p < picture.format.planes(); p++) {
        const PlaneView &plane = picture.plane[p];
        const size_t width = padded ? plane.padded_width : plane.width;
        for (uint32_t y = 0; y < (padded ? plane.padded_height : plane.height); y++)
            bytes(plane.data + ptrdiff_t(y) * plane.stride, width * picture.format.sample_bytes());
    }
}

void DumpWriter::samples(uint32_t name, const PictureView &picture) {
    begin_chunk(name);
    samples(picture, true);
    end_chunk();
}

bool Dump::wanted() {
    return dump_folder().has_value();
}

std::unique_ptr<Dump> Dump::begin(const PictureView &picture) {
    const std::optional<std::string> &folder = dump_folder();
    if (!folder) return nullptr;
    static const unsigned most = most_pictures();
    const unsigned number = pictures_begun.fetch_add(1);
    if (number >= most) return nullptr;
    if (number == 0) LOG_INFO("pictures are dumped into %s", folder->c_str());
    auto dump = std::make_unique<Dump>();
    char name[64];
    std::snprintf(name, sizeof name, "/picture-%ld-%05u.v3doff", long(getpid()), number);
    dump->path_ = *folder + name;
    dump::Header header{picture.format.width,
                        picture.format.height,
                        picture.format.bit_depth,
                        uint32_t(picture.format.chroma),
                        {},
                        {}};
    for (unsigned p = 0; p < picture.format.planes(); p++) {
        header.padded_width[p] = picture.plane[p].padded_width;
        header.padded_height[p] = picture.plane[p].padded_height;
    }
    dump->writer_.value(dump::magic);
    dump->writer_.value(dump::version);
    dump->writer_.value(header);
    dump->writer_.samples(dump::before, picture);
    return dump;
}

void Dump::finish(const PictureView &picture) noexcept {
    try {
        writer_.samples(dump::after, picture);
        writer_.value(file::checksum(writer_.data()));
        std::string problem = file::write_atomically(path_, writer_.data());
        if (!problem.empty()) warn(problem.c_str());
    } catch (const std::exception &problem) {
        warn(problem.what());
    }
}

} // namespace v3doff
