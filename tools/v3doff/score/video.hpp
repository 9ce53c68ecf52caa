// SPDX-License-Identifier: BSD-2-Clause
// Pictures from a file, one after the other, as v3doff_metrics_push takes them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "v3doff/v3doff.h"

namespace tool::score {

struct VideoFormat {
    uint32_t width = 0, height = 0, bit_depth = 8;
    v3doff_chroma chroma = V3DOFF_CHROMA_420;
    bool operator==(const VideoFormat &) const = default;

    unsigned planes() const { return chroma == V3DOFF_CHROMA_400 ? 1 : 3; }
    unsigned sample_bytes() const { return bit_depth > 8 ? 2 : 1; }
    uint32_t plane_width(unsigned p) const;
    uint32_t plane_height(unsigned p) const;
    size_t picture_bytes() const;
    std::string text() const; // "1920x1080, 4:2:0, 8 bit"
};

class Video {
  public:
    virtual ~Video() = default;
    const VideoFormat &format() const { return format_; }
    // The number of pictures in the file, if it is known before they are read.
    std::optional<uint64_t> pictures() const { return pictures_; }
    // The next picture, valid until the following call; false at the end. Throws if the file ends
    // within a picture or cannot be decoded.
    virtual bool next(v3doff_planes &planes) = 0;
    // Errors in the file up to now that the decoder went on after. The pictures then depend on how
    // its threads happened to run.
    virtual uint64_t errors() const { return 0; }

  protected:
    VideoFormat format_;
    std::optional<uint64_t> pictures_;
};

// geometry: of raw samples. Without it, the file's header has the format: y4m, or anything that
// libavformat reads, if the tool was built with it. Throws with a text that names the file.
std::unique_ptr<Video> open_video(const std::string &path,
                                  const std::optional<VideoFormat> &geometry);

std::unique_ptr<Video> open_raw(const std::string &path, const VideoFormat &format);
std::unique_ptr<Video> open_y4m(const std::string &path);
// The type of v3doff_open_libav in libv3doff-video.so.
using OpenLibav = Video *(*)(const char *path);

// "1920x1080" and "420p", "422p10", "gray": throws std::runtime_error for anything else.
VideoFormat parse_geometry(const std::string &size, const std::string &format);

} // namespace tool::score
