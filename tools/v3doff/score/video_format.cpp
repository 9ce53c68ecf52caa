// SPDX-License-Identifier: BSD-2-Clause
// g++ 12 with sanitizers warns of something uninitialised inside <regex>.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include "score/video.hpp"

#include <fmt/format.h>
#include <regex>
#include <stdexcept>

namespace tool::score {
namespace {

bool narrow_chroma(v3doff_chroma chroma) {
    return chroma == V3DOFF_CHROMA_420 || chroma == V3DOFF_CHROMA_422;
}
bool low_chroma(v3doff_chroma chroma) {
    return chroma == V3DOFF_CHROMA_420 || chroma == V3DOFF_CHROMA_440;
}

} // namespace

uint32_t VideoFormat::plane_width(unsigned p) const {
    return p && narrow_chroma(chroma) ? (width + 1) / 2 : width;
}
uint32_t VideoFormat::plane_height(unsigned p) const {
    return p && low_chroma(chroma) ? (height + 1) / 2 : height;
}

size_t VideoFormat::picture_bytes() const {
    size_t samples = 0;
    for (unsigned p = 0; p < planes(); p++)
        samples += size_t(plane_width(p)) * plane_height(p);
    return samples * sample_bytes();
}

std::string VideoFormat::text() const {
    static constexpr const char *names[] = {"4:0:0", "4:2:0", "4:2:2", "4:4:4", "4:4:0"};
    return fmt::format("{}x{}, {}, {} bit", width, height, names[chroma], bit_depth);
}

VideoFormat parse_geometry(const std::string &size, const std::string &format) {
    std::smatch numbers, kind;
    if (!std::regex_match(size, numbers, std::regex("([0-9]{1,5})x([0-9]{1,5})")))
        throw std::runtime_error(fmt::format("--size {}: not WIDTHxHEIGHT", size));
    if (!std::regex_match(
            format, kind,
            std::regex("(?:yuv)?(420|422|444|440|400|gray)p?(9|10|12|14|16)?(?:le)?")))
        throw std::runtime_error(fmt::format(
            "--format {}: must be 420p, 422p, 444p, 440p or gray, followed by 10 or 12 for "
            "more than 8 bits",
            format));
    VideoFormat result;
    result.width = uint32_t(std::stoul(numbers[1]));
    result.height = uint32_t(std::stoul(numbers[2]));
    if (!result.width || !result.height)
        throw std::runtime_error(fmt::format("--size {}: not WIDTHxHEIGHT", size));
    result.bit_depth = kind[2].length() ? uint32_t(std::stoul(kind[2])) : 8;
    const std::string chroma = kind[1];
    result.chroma = chroma == "420"   ? V3DOFF_CHROMA_420
                    : chroma == "422" ? V3DOFF_CHROMA_422
                    : chroma == "444" ? V3DOFF_CHROMA_444
                    : chroma == "440" ? V3DOFF_CHROMA_440
                                      : V3DOFF_CHROMA_400;
    return result;
}

} // namespace tool::score
