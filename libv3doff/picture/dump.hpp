// SPDX-License-Identifier: BSD-2-Clause
// Writes a picture's input and result into a file, for `v3doff replay`.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "picture/dump_format.hpp"
#include "picture/stage.hpp"

namespace v3doff {

class DumpWriter {
  public:
    void begin_chunk(uint32_t name);
    void end_chunk();
    void bytes(const void *data, size_t count);
    template <typename T>
    void value(const T &plain) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes(&plain, sizeof plain);
    }
    // The samples' rows, without a chunk around them.
    void samples(const PictureView &picture, bool padded);
    void samples(uint32_t name, const PictureView &picture);
    std::vector<uint8_t> &data() { return data_; }
    const std::vector<uint8_t> &data() const { return data_; }

    uint32_t references = 0; // for stages that save pictures and name them by their number

  private:
    std::vector<uint8_t> data_;
    size_t chunk_ = 0;
};

// One picture's dump, from its submit to its end.
class Dump {
  public:
    // Whether this process may write dumps: then stages keep arguments that they do not need
    // otherwise.
    static bool wanted();

    // Null unless the environment's V3DOFF_DUMP names a folder and fewer pictures than
    // V3DOFF_DEBUG's dump_pictures (100 where it is not set) have been written.
    static std::unique_ptr<Dump> begin(const PictureView &picture);

    DumpWriter &writer() { return writer_; }
    void finish(const PictureView &picture) noexcept;

  private:
    DumpWriter writer_;
    std::string path_;
};

} // namespace v3doff
