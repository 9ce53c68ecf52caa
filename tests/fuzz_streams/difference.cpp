// SPDX-License-Identifier: BSD-2-Clause
#include "decode.hpp"

namespace fuzz {
namespace {

std::string how_different(const FrameSeen &a, const FrameSeen &b) {
    if (a.width != b.width || a.height != b.height || a.format != b.format)
        return " has another size or format";
    if (a.time != b.time) return " has another time";
    if (a.hash != b.hash) return " has other samples";
    if (a.later != b.later) return " changed after it was returned";
    if (a.packets != b.packets)
        return " comes after packet " + std::to_string(b.packets) + " instead of " +
               std::to_string(a.packets);
    return " was written to while it was the program's";
}

std::vector<FrameSeen> frames_of(const Decoded &decoded, int part) {
    std::vector<FrameSeen> frames;
    for (const FrameSeen &frame : decoded.frames)
        if (frame.part == part) frames.push_back(frame);
    return frames;
}

} // namespace

std::optional<std::string> difference(const Decoded &without, const Decoded &with, bool delay) {
    // A delay keeps the last frame of a part that was not drained. The others it gives later:
    // FFmpeg may have returned a frame after its first field and decoded the second one into it
    // since.
    std::optional<std::string> text;
    size_t at = 0, different = 0;
    for (int part = 0; part < 2; part++) {
        std::vector<FrameSeen> first = frames_of(without, part), second = frames_of(with, part);
        if (delay && !with.drained[part] && second.size() + 1 == first.size()) first.pop_back();
        for (size_t i = 0; i < first.size() && i < second.size(); i++, at++) {
            FrameSeen a = first[i];
            const FrameSeen &b = second[i];
            if (delay && b.hash == a.later) a.hash = a.later;
            if (delay) a.packets = b.packets;
            if (a == b) continue;
            if (!different++) text = "frame " + std::to_string(at) + how_different(a, b);
        }
        if (!text && first.size() != second.size())
            return std::to_string(second.size()) + " frames instead of " +
                   std::to_string(first.size());
    }
    if (text)
        return *text + ", " + std::to_string(different) + " of " + std::to_string(at) + " differ";
    if (without.errors != with.errors)
        return std::to_string(with.errors) + " errors instead of " + std::to_string(without.errors);
    return std::nullopt;
}

} // namespace fuzz
