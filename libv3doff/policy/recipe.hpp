// SPDX-License-Identifier: BSD-2-Clause
// What the streams decoded on this machine have taught about pictures of their kind: plain data,
// and the format of the file. No Vulkan, no clocks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "v3doff/stream.h"

namespace v3doff {

enum class Verdict { unknown, cpu, gpu };
const char *verdict_name(Verdict verdict);

// Which pictures the device gets. A larger share takes less CPU time, but a picture on the device
// delays those that wait for its rows. `others` are the pictures that no other is predicted from;
// they delay none.
enum class Share { none, others, all };
const char *share_name(Share share);

// Pictures belong to classes by their number of luma samples.
struct SizeClass {
    const char *name;
    uint32_t width, height;
};
inline constexpr SizeClass size_classes[] = {
    {"360p", 640, 360}, {"720p", 1280, 720}, {"1080p", 1920, 1080}, {"2160p", 3840, 2160}};
// An index of size_classes.
unsigned size_class_of(uint32_t width, uint32_t height);

// Streams of one kind cost about the same.
struct StreamKind {
    v3doff_codec codec = V3DOFF_CODEC_VP9;
    v3doff_scope scope = V3DOFF_SCOPE_RECONSTRUCTION; // what the device does of a picture
    unsigned size = 0;                                // in size_classes
    bool high = false;                                // more than 8 bits
    uint32_t threads = 1;                             // pictures that are decoded at the same time
    uint32_t helpers = 0;                             // further threads that work on each of them
    bool operator==(const StreamKind &) const = default;
};

// What one picture costs. 0: unknown.
struct Cost {
    double ns = 0;     // from one picture to the next
    double cpu_ns = 0; // CPU time of all threads
};

struct Learned {
    Cost cpu, device; // without the device and with it
    // Which share gave most pictures a second while the program took them as fast as they came.
    Share if_crowded = Share::all;
    bool compared = false; // there was such a time
};

struct RecipeEntry {
    StreamKind kind;
    Learned learned;
    Verdict override_with = Verdict::unknown; // set by the user in the file; unknown: not set
};
// By CPU time alone; unknown: it was not measured both ways.
Verdict verdict_of(const Learned &learned);
// For people: what happens to such streams and why, with the cost of the alternative.
std::string reason_of(const RecipeEntry &entry);

// What a recipe was measured with. If any of it changes, the library measures again.
struct RecipeKey {
    std::string device_uuid, device, driver, cpu;
    uint32_t library = 0, cpus = 0;
    bool operator==(const RecipeKey &) const = default;
};

struct Recipe {
    RecipeKey key;
    std::vector<RecipeEntry> entries;
    uint32_t checked = 0; // bits 1 << v3doff_codec: the device's samples were compared once

    const RecipeEntry *find(const StreamKind &kind) const;
    void put(const StreamKind &kind, const Learned &learned); // keeps the user's override
};

std::string recipe_to_json(const Recipe &recipe);
// Returns nothing, and the problem in words, if the text is not a complete recipe.
std::optional<Recipe> recipe_from_json(const std::string &text, std::string &problem);

} // namespace v3doff
