// SPDX-License-Identifier: BSD-2-Clause
// What a picture that was recorded as words leaves in a dump (h264/dump_format.hpp), but for the
// words, which are in their lanes until the picture is done.
#pragma once

#include <vector>

#include "h264/inter/sources.hpp"
#include "picture/dump.hpp"

namespace v3doff::h264 {

class WordsDump {
  public:
    // Keeps what is the decoder's after the call. used: bits of references.
    void keep(const PictureSources &from, size_t slices, bool partial, uint32_t used);
    void clear();
    // Waits for the references. The chunk of the words is left open.
    void begin_save(DumpWriter &writer) const;

  private:
    DumpWriter kept_;
    std::vector<std::shared_ptr<Surface>> references_;
};

} // namespace v3doff::h264
