// SPDX-License-Identifier: BSD-2-Clause
// Which kernel families save CPU time on this device with this CPU, as measured: plain data, the
// decision, and the format of the file. No Vulkan, no clocks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "v3doff/recipe.h"

namespace v3doff {

// Pictures belong to classes by their number of luma samples.
struct SizeClass {
    const char *name;
    uint32_t width, height;
};
inline constexpr SizeClass size_classes[] = {
    {"360p", 640, 360}, {"720p", 1280, 720}, {"1080p", 1920, 1080}, {"2160p", 3840, 2160}};

enum class Verdict { unknown, cpu, gpu };
const char *verdict_name(Verdict verdict);

// An index of size_classes.
unsigned size_class_of(uint32_t width, uint32_t height);

// For one picture. CPU times are those of all threads together.
struct Timing {
    double simd_us = 0;    // the decoder's own functions doing the work on the CPU
    double offload_us = 0; // CPU time to record, submit and complete instead
    double device_us = 0;  // from submit to done, in real time
};

struct RecipeEntry {
    v3doff_family family{};
    unsigned size = 0; // in size_classes
    Timing timing;
    Verdict verdict = Verdict::unknown;
    std::string reason;                       // in words, with the cost of the alternative
    Verdict override_with = Verdict::unknown; // set by the user in the file; unknown: not set
};

// What a recipe was measured with. If any of it changes, the library measures again.
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

std::string recipe_to_json(const Recipe &recipe);
// Returns nothing, and the problem in words, if the text is not a complete recipe.
std::optional<Recipe> recipe_from_json(const std::string &text, std::string &problem);

} // namespace v3doff
