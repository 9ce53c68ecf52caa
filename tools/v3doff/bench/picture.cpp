// SPDX-License-Identifier: BSD-2-Clause
// Whole pictures of each size: transforms alone, filter alone, and both in one submit.
#include <fmt/format.h>

#include "bench/pictures.hpp"

namespace tool::bench {
namespace {

void time_pictures(const Session &session, Json &results) {
    for (uint32_t height : session.heights)
        for (const Stage &stage : stages) {
            const Work work = stage.make(width_of(height), height);
            Json result = measure(session, work);
            result["stage"] = stage.name;
            results.push_back(std::move(result));
        }
}

} // namespace

Work chain(const std::string &name, std::vector<Work> works) {
    auto parts = std::make_shared<std::vector<Work>>(std::move(works));
    Work work = parts->front();
    work.name = name;
    work.record_bytes = 0;
    bool all_by_ffmpeg = true;
    for (const Work &part : *parts) {
        work.record_bytes += part.record_bytes;
        all_by_ffmpeg = all_by_ffmpeg && part.ffmpeg;
    }
    work.record = [parts](v3doff_picture *picture) {
        for (const Work &part : *parts)
            part.record(picture);
    };
    work.refill = [parts] {
        for (const Work &part : *parts)
            if (part.refill) part.refill();
    };
    work.ffmpeg = {};
    if (all_by_ffmpeg)
        work.ffmpeg = [parts](const v3doff_planes &planes, bool simd) {
            for (const Work &part : *parts)
                part.ffmpeg(planes, simd);
        };
    work.remake = [parts, name] {
        std::vector<Work> again;
        for (const Work &part : *parts)
            again.push_back(part.remake());
        return chain(name, std::move(again));
    };
    return work;
}

void add_picture(Families &families) {
    families.push_back({"picture", "whole pictures of several sizes: transforms, filter, and both",
                        time_pictures});
}

} // namespace tool::bench
