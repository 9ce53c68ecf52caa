// SPDX-License-Identifier: BSD-2-Clause
// What a picture that was recorded as words leaves in a dump (h264/dump_format.hpp), but for the
// words, which are in their lanes until the picture is done.
#pragma once

#include <memory>
#include <vector>

#include "picture/dump.hpp"
#include "picture/surface.hpp"

namespace v3doff::h264 {

struct WordsFrame;

class WordsDump {
  public:
    // Keeps what is the decoder's after the call. used: bits of references.
    void keep(const WordsFrame &frame, uint32_t used);
    void clear();
    // Waits for the references. The chunk of the words is left open.
    void begin_save(DumpWriter &writer) const;

  private:
    DumpWriter kept_;
    std::vector<std::shared_ptr<Surface>> references_;
};

} // namespace v3doff::h264
