// SPDX-License-Identifier: BSD-2-Clause
#include "scenario.hpp"

extern "C" {
#include <libavcodec/avcodec.h>
}

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

Settings pick_settings(Random &random, const Environment &environment) {
    Settings settings;
    settings.mode = environment.automatic && random.chance(85) ? "auto" : "force";
    switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
        break;
    case 3:
    case 4:
        settings.threads = random.pick({2, 4, 4, 3});
        break;
    default:
        settings.slices = true;
        settings.threads = random.pick({1, 2, 2, 4});
    }
    if (random.chance(25))
        settings.buffers = random.pick({Buffers::one_aligned, Buffers::one_aligned,
                                        Buffers::planes_apart, Buffers::misaligned});
    if (random.chance(25)) settings.packets = random.pick({Packets::units, Packets::groups});
    if (random.chance(30)) settings.held = random.between(1, 6);
    if (random.chance(25)) settings.stop = random.pick({Stop::flush, Stop::flush, Stop::drain});
    settings.stop_after = 1 + random.below(14);
    settings.restart_at = random.chance(60) ? 0 : random.below(14);
    if (random.chance(12)) settings.close_after = 1 + random.below(12);
    if (random.chance(6))
        settings.filter_left_out =
            random.pick<int>({AVDISCARD_ALL, AVDISCARD_NONREF, AVDISCARD_BIDIR});
    settings.low_delay = random.chance(6);
    settings.explode = random.chance(6);
    settings.conceal = !random.chance(8);
    settings.fast = random.chance(4);
    settings.reorder = random.chance(50);
    using Scope = Settings::Scope;
    settings.scope = random.pick({Scope::reconstruction, Scope::reconstruction,
                                  Scope::reconstruction, Scope::filters, Scope::automatic});
    // Without libv3doff the frame is looked at then when a delay would give it.
    if (settings.delays() && !settings.held) settings.held = 1;
    return settings;
}

std::string Settings::describe() const {
    static const char *const buffer_names[] = {"", ", caller's buffers", ", caller's planes apart",
                                               ", caller's buffers misaligned"};
    static const char *const packet_names[] = {"", ", a packet for each unit",
                                               ", packets of some units"};
    std::string text = std::string("-v3doff ") + mode + " -threads " + std::to_string(threads) +
                       (threads == 1 ? ""
                        : slices     ? " -thread_type slice"
                                     : " -thread_type frame");
    text += std::string(" -v3doff_scope ") + scope_name();
    if (low_delay) text += " -flags low_delay";
    if (explode) text += " -err_detect explode";
    if (!conceal) text += " -ec 0";
    if (fast) text += " -flags2 fast";
    if (filter_left_out) text += " -skip_loop_filter " + std::to_string(filter_left_out);
    if (reorder) text += " -has_b_frames 3";
    text += buffer_names[int(buffers)];
    text += packet_names[int(packets)];
    if (held) text += ", " + std::to_string(held) + " frames held";
    if (stop != Stop::none)
        text += std::string(stop == Stop::flush ? ", flushed" : ", drained") + " after packet " +
                std::to_string(stop_after) + ", on from " + std::to_string(restart_at);
    if (close_after) text += ", closed after packet " + std::to_string(close_after);
    return text;
}

} // namespace fuzz
