// SPDX-License-Identifier: BSD-2-Clause
// Which kernel families pay on this device with this CPU, as measured: plain data, the decision,
// and the file it is kept in. No Vulkan, no clocks.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "v3doff/recipe.h"

namespace v3doff {

enum class Verdict { unknown, cpu, gpu };
const char *verdict_name(Verdict verdict);

// The families' names in files, in the order of v3doff_family (api/families.hpp).
using FamilyNames = std::array<const char *, V3DOFF_FAMILIES>;

// Pictures are classed by their luma samples; one of each class is measured.
struct SizeClass {
    const char *name;
    uint32_t width, height;
};
inline constexpr SizeClass size_classes[] = {
    {"360p", 640, 360}, {"720p", 1280, 720}, {"1080p", 1920, 1080}, {"2160p", 3840, 2160}};
unsigned size_class_of(uint32_t width, uint32_t height);

// Of one picture. CPU times are seconds of CPU, whichever thread spent them.
struct Timing {
    double simd_us = 0;    // the decoder's own functions doing the work on the CPU
    double offload_us = 0; // CPU time of recording, submitting and completing instead
    double device_us = 0;  // from submit to done, by the clock on the wall
};

struct RecipeEntry {
    v3doff_family family{};
    unsigned size = 0; // in size_classes
    Timing timing;
    Verdict verdict = Verdict::unknown;
    std::string reason;                       // in words, with what the other way costs
    Verdict override_with = Verdict::unknown; // set by the user in the file; unknown: not set
};

// What a recipe was measured with; another one is measured anew.
struct RecipeKey {
    std::string device_uuid, device, driver, cpu;
    uint32_t library = 0, cpus = 0;
    bool operator==(const RecipeKey &) const = default;
};

struct Recipe {
    RecipeKey key;
    std::vector<RecipeEntry> entries;

    RecipeEntry *find(v3doff_family family, unsigned size);
    const RecipeEntry *find(v3doff_family family, unsigned size) const;
    void put(const RecipeEntry &entry); // replaces, but keeps the user's override
};

// Least CPU time, as long as the device keeps up with a decoding thread: see the source.
void decide(RecipeEntry &entry);

std::string recipe_to_json(const Recipe &recipe, const FamilyNames &families);
// Nothing, with the problem in words, for anything that is not a whole recipe.
std::optional<Recipe> recipe_from_json(const std::string &text, const FamilyNames &families,
                                       std::string &problem);

} // namespace v3doff
