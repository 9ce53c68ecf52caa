// SPDX-License-Identifier: BSD-2-Clause
// What the bench times: families of kernels, each one or more pictures full of one kind of work.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "session.hpp"

namespace tool::bench {

using Json = nlohmann::ordered_json;

struct Session {
    v3doff_device *device, *cpu; // the one that is timed, and the one that knows the right bits
    unsigned repeats;
    DeviceChoice choice; // of the device
};

struct Family {
    std::string name, summary;
    std::function<void(const Session &, Json &results)> run;
};
using Families = std::vector<Family>;
void add_metrics(Families &families);
void add_submit(Families &families);
void add_h264_idct(Families &families);
void add_h264_record(Families &families);
void add_vp9_itx(Families &families);
void add_vp9_loopfilter(Families &families);
void add_h264_deblock(Families &families);
void add_vp9_mc(Families &families);
void add_h264_strength(Families &families);

// A picture and what is recorded on it. record sets samples and records; called with the same
// picture geometry on both devices, it must do the same both times.
struct Work {
    std::string name;
    uint32_t width = 1920, height = 1080, bit_depth = 8;
    v3doff_chroma chroma = V3DOFF_CHROMA_420;
    std::function<void(v3doff_picture *)> record;
    // Where record needs more than the picture: called before it for either device. May be empty.
    std::function<void(v3doff_device *)> prepare;
};

// Times the work on the device, compares the samples of every timed picture with the CPU's, and
// says how long each pass took. Throws when bits differ or the GPU did not do it. The session's
// repeats are divided by share; there are at least 5.
Json measure(const Session &session, const Work &work, unsigned share = 20);

// Random samples, the same for every call: least to least + range - 1, in the padding too.
void fill_samples(v3doff_picture *picture, uint32_t bit_depth, uint32_t least, uint32_t range);

Json spread(std::vector<double> values); // min, median, max

} // namespace tool::bench
