// SPDX-License-Identifier: BSD-2-Clause
#include "scenario.hpp"

namespace fuzz {
namespace {

std::string numbered(Random &random, const char *point, int most) {
    return std::string(point) + ":" + std::to_string(random.between(1, most));
}

std::string pick_fault(Random &random) {
    switch (random.below(16)) {
    case 0:
    case 1:
    case 2:
        return "late";
    case 3:
        return "order";
    case 4:
        return "uncached";
    case 5:
        return numbered(random, "submit", 40);
    case 6:
        return "submit";
    case 7:
        return numbered(random, "lost", 60);
    case 8:
        return numbered(random, "allocate", 60);
    case 9:
        return "allocate";
    case 10:
        return "host_import";
    case 11:
        return numbered(random, "pipeline", 12);
    case 12:
        return numbered(random, "call", 1500);
    case 13:
        return numbered(random, "call", 200);
    case 14:
        return numbered(random, "create_device", 2);
    default:
        return numbered(random, "hang", 60);
    }
}

void pick_automatic(Random &random, Environment &environment, std::string &faults) {
    environment.automatic = true;
    faults = "kind";
    if (random.chance(50)) faults += random.chance(60) ? ",turns" : ",awaited";
    // A balance needs a device of which nothing is known.
    environment.variables.emplace_back(
        "V3DOFF_RECIPE", faults == "kind" && random.chance(50) ? "gpu" : "/dev/null/none");
}

// Keys of V3DOFF_DEBUG.
std::string pick_keys(Random &random, bool automatic) {
    std::string keys;
    auto set = [&](unsigned percent, const char *key, std::initializer_list<const char *> values) {
        if (!random.chance(percent)) return;
        keys += (keys.empty() ? "" : ",") + std::string(key) + "=" + random.pick(values);
    };
    if (automatic) set(70, "open", {"wait"});
    set(20, "local_memory", {"on"});
    set(10, "piece_bytes", {"4096", "20000"});
    set(20, "vp9_loopfilter", {"wave", "cuts", "cuts-phased"});
    set(40, "vp9_transforms", {"all", "none"});
    set(15, "vp9_passes", {"1", "2"});
    // Small pictures have one band unless asked.
    set(60, "band_rows", {"1", "1", "2", "3", "0"});
    return keys;
}

} // namespace

Environment pick_environment(Random &random) {
    Environment environment;
    auto set = [&](unsigned percent, const char *name, std::initializer_list<const char *> values) {
        if (random.chance(percent)) environment.variables.emplace_back(name, random.pick(values));
    };
    std::string faults;
    if (random.chance(35)) pick_automatic(random, environment, faults);
    if (random.chance(40)) faults += (faults.empty() ? "" : ",") + pick_fault(random);
    if (!faults.empty()) environment.variables.emplace_back("V3DOFF_FAULT", faults);
    if (faults.find("hang") != faults.npos)
        environment.variables.emplace_back("V3DOFF_TIME_LIMIT", "1500");
    set(50, "V3DOFF_MEMORY", {"host-import", "host-cached", "staging"});
    std::string keys = pick_keys(random, environment.automatic);
    if (!keys.empty()) environment.variables.emplace_back("V3DOFF_DEBUG", keys);
    set(8, "V3DOFF_KEEP", {"off"});
    set(30, "LP_NUM_THREADS", {"0", "1", "3"});
    environment.dump = random.chance(8);
    // FFmpeg's x86 functions take a coded 8x8 CAVLC block for one with coefficients, and its C
    // functions do not (docs/ffmpeg.md, Damaged streams): with the former one trial in a thousand
    // of H.264 differs for that alone.
    environment.plain_cpu = true;
    return environment;
}

std::string Environment::describe() const {
    std::string text;
    for (const auto &[name, value] : variables)
        text += name + "=" + value + " ";
    if (dump) text += "V3DOFF_DUMP=... ";
    if (plain_cpu) text += "-cpuflags 0 ";
    return text;
}

} // namespace fuzz
