// SPDX-License-Identifier: BSD-2-Clause
// A dump whose frame is right, so that every input reaches the records: the first bytes say what
// picture it is, then follow chunks, each a kind (a byte), its size (two bytes) and the records.
#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "replay.hpp"
#include "target.hpp"
#include "util/file.hpp"

namespace {

namespace dump = v3doff::dump;

class Input {
  public:
    Input(const uint8_t *bytes, size_t count) : at_(bytes), end_(bytes + count) {}
    bool empty() const { return at_ == end_; }
    uint8_t byte() { return empty() ? uint8_t(0) : *at_++; }
    std::span<const uint8_t> take(size_t count) {
        const size_t got = std::min(count, size_t(end_ - at_));
        return {std::exchange(at_, at_ + got), got};
    }

  private:
    const uint8_t *at_, *end_;
};

class Writer {
  public:
    template <typename T>
    void value(const T &plain) {
        bytes({reinterpret_cast<const uint8_t *>(&plain), sizeof plain});
    }
    void bytes(std::span<const uint8_t> from) {
        const size_t at = data.size();
        data.resize(at + from.size());
        std::copy(from.begin(), from.end(), data.begin() + ptrdiff_t(at));
    }
    void chunk(uint32_t name, std::span<const uint8_t> from) {
        value(dump::ChunkHeader{name, 0, from.size()});
        bytes(from);
    }
    std::vector<uint8_t> data;
};

constexpr uint32_t kinds[] = {
    dump::vp9_itx,    dump::vp9_loopfilter, dump::vp9_reference,      dump::vp9_mc,
    dump::h264_idct,  dump::h264_deblock,   dump::h264_deblock_mbaff, dump::h264_arrays,
    dump::h264_edges, dump::vp9_words,      dump::h264_reference,     dump::h264_words};

dump::Header header_of(Input &input) {
    dump::Header header{};
    header.width = 1 + input.byte() % 176;
    header.height = 1 + input.byte() % 176;
    header.bit_depth = 8 + input.byte() % 7;
    header.chroma = input.byte() % 5;
    const bool narrow = header.chroma == V3DOFF_CHROMA_420 || header.chroma == V3DOFF_CHROMA_422;
    const bool low = header.chroma == V3DOFF_CHROMA_420 || header.chroma == V3DOFF_CHROMA_440;
    for (unsigned p = 0; p < (header.chroma == V3DOFF_CHROMA_400 ? 1 : 3); p++) {
        header.padded_width[p] = (header.width + 63) / 64 * 64 >> (p && narrow);
        header.padded_height[p] = (header.height + 63) / 64 * 64 >> (p && low);
    }
    return header;
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    Input input(bytes, count);
    const dump::Header header = header_of(input);
    size_t samples = 0;
    for (unsigned p = 0; p < 3; p++)
        samples += size_t(header.padded_width[p]) * header.padded_height[p];
    const std::vector<uint8_t> picture(samples * (header.bit_depth > 8 ? 2 : 1), input.byte() & 63);
    Writer writer;
    writer.value(dump::magic);
    writer.value(dump::version);
    writer.value(header);
    writer.chunk(dump::before, picture);
    while (!input.empty()) {
        const uint32_t kind = kinds[input.byte() % std::size(kinds)];
        const size_t size = input.byte() | size_t(input.byte()) << 8;
        writer.chunk(kind, input.take(size));
    }
    writer.chunk(dump::after, picture);
    writer.value(v3doff::file::checksum(writer.data));
    fuzz::replay(writer.data);
    return 0;
}
