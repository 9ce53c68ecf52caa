// SPDX-License-Identifier: BSD-2-Clause
// Passes a dump's chunks to the library, one function for each kind of work. All throw DumpError if
// the bytes are invalid, and Failure if the library refuses the call.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "dump_file.hpp"
#include "v3doff/h264.h"

namespace tool {

// Takes values off the front of some bytes.
class DumpReader {
  public:
    DumpReader(const std::vector<uint8_t> &from, size_t at, size_t end)
        : from_(from), at_(at), end_(end) {}
    explicit DumpReader(const std::vector<uint8_t> &from) : DumpReader(from, 0, from.size()) {}
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
    template <typename T>
    std::vector<T> values(size_t count) {
        if (count > left() / sizeof(T)) throw DumpError("damaged: it ends too early");
        std::vector<T> result(count);
        if (count) std::memcpy(result.data(), take(count * sizeof(T)), count * sizeof(T));
        return result;
    }
    template <typename T>
    std::vector<T> rest() {
        if (left() % sizeof(T)) throw DumpError("damaged: half a record");
        return values<T>(left() / sizeof(T));
    }

  private:
    const std::vector<uint8_t> &from_;
    size_t at_, end_;
};

// What all kinds of records go into.
struct DumpTarget {
    v3doff_device *device;
    v3doff_picture *picture;
    v3doff::dump::Header header;
    // Pictures that are predicted from, in the order of their chunks.
    std::vector<Picture> references;
    uint32_t slices = 0; // of H.264's macroblocks

    // Rows of macroblocks of a frame or a field.
    uint32_t mb_rows(uint32_t structure) const {
        const uint32_t lines = structure == V3DOFF_H264_FRAME ? 16 : 32;
        return (header.height + lines - 1) / lines;
    }
    bool wide() const { return header.bit_depth > 8; }
    v3doff_chroma chroma() const { return v3doff_chroma(header.chroma); }
};

void record_itx(DumpTarget &target, const std::vector<uint8_t> &bytes);
void record_loopfilter(DumpTarget &target, const std::vector<uint8_t> &bytes);
void add_reference(DumpTarget &target, const std::vector<uint8_t> &bytes);
void record_mc(DumpTarget &target, const std::vector<uint8_t> &bytes);
void record_words(DumpTarget &target, const std::vector<uint8_t> &bytes);
void add_h264_reference(DumpTarget &target, const std::vector<uint8_t> &bytes);
void record_h264_words(DumpTarget &target, const std::vector<uint8_t> &bytes);
void record_idct(DumpTarget &target, const std::vector<uint8_t> &bytes);
void record_deblock(DumpTarget &target, const std::vector<uint8_t> &bytes);
void record_deblock_mbaff(DumpTarget &target, const std::vector<uint8_t> &bytes);
void record_arrays(DumpTarget &target, const std::vector<uint8_t> &bytes);
void record_edges(DumpTarget &target, const std::vector<uint8_t> &bytes);

} // namespace tool
