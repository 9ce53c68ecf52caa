// SPDX-License-Identifier: BSD-2-Clause
#include "scenario.hpp"

extern "C" {
#include <libavcodec/avcodec.h>
}

namespace fuzz {
namespace {

Fork pick_fork(Random &random, const Settings &settings) {
    Fork fork;
    fork.after = 1 + random.below(settings.close_after ? settings.close_after : 12);
    fork.exits = random.chance(60);
    // A child has no threads but the one that forked. FFmpeg's frame threads may have locked
    // anything, so that what they share is of no use to the child.
    if (settings.threads == 1)
        fork.child = random.pick({Fork::nothing, Fork::decode, Fork::decode, Fork::close,
                                  Fork::go_on, Fork::free_frames});
    else
        fork.child = random.pick({Fork::nothing, Fork::decode, Fork::decode});
    return fork;
}

// What a program may do besides sending packets and looking at frames.
void pick_program(Random &random, Settings &settings, bool can_choose_delay) {
    if (random.chance(5)) settings.stop = Stop::reopen;
    settings.delay = random.chance(35) || !can_choose_delay;
    if (random.chance(40)) settings.write = Write::when_writable;
    // A copy has only the first field where a delayed frame has both.
    if (random.chance(15) && !settings.delays()) settings.write = Write::copies;
    if (settings.write != Write::none && !settings.held && random.chance(85))
        // The last picture that is predicted from a frame can be much later.
        settings.held = random.chance(40) ? 24 : random.between(1, 6);
    if (random.chance(25)) settings.receive = random.pick({Receive::before, Receive::one});
    if (random.chance(10)) settings.late_after = 1 + random.below(10);
    if (random.chance(6)) settings.refused_buffer = 1 + random.below(12);
    settings.empty_packets = random.chance(8);
    settings.corrupt = random.chance(8);
    if (random.chance(8)) settings.fork = pick_fork(random, settings);
    // A child that goes on has frames in common with its parent, which may see what it writes.
    if (settings.fork.after && settings.fork.child == Fork::go_on) settings.write = Write::none;
    if (random.chance(7)) settings.exit_after = 1 + random.below(12);
}

} // namespace

Settings pick_settings(Random &random, const Environment &environment, bool can_choose_delay) {
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
    pick_program(random, settings, can_choose_delay);
    // Without libv3doff the frame is looked at then when a delay would give it.
    if (settings.delays() && !settings.held) settings.held = 1;
    return settings;
}

namespace {

std::string describe_program(const Settings &settings) {
    static const char *const stops[] = {"", ", flushed", ", drained", ", opened again"};
    static const char *const written[] = {"", ", frames written as soon as they are writable",
                                          ", copies of frames written"};
    static const char *const received[] = {"", ", received before the next packet",
                                           ", one received for each packet"};
    static const char *const children[] = {"does nothing", "decodes", "closes", "goes on",
                                           "frees frames"};
    std::string text;
    auto add = [&](const std::string &part, size_t number) {
        text += ", " + part + " " + std::to_string(number);
    };
    if (settings.held) add("frames held:", size_t(settings.held));
    if (settings.stop != Stop::none) {
        text += stops[int(settings.stop)];
        text += " after packet " + std::to_string(settings.stop_after) + ", on from " +
                std::to_string(settings.restart_at);
    }
    if (settings.close_after) add("closed after packet", settings.close_after);
    text += written[int(settings.write)];
    text += received[int(settings.receive)];
    if (settings.late_after) add("late from packet", settings.late_after);
    if (settings.refused_buffer) add("no buffer", settings.refused_buffer);
    if (settings.empty_packets) text += ", empty packets";
    if (settings.fork.after) {
        add("forked after packet", settings.fork.after);
        text += std::string(": the child ") + children[settings.fork.child] + ", " +
                (settings.fork.exits ? "exit()" : "_exit()");
    }
    if (settings.exit_after) add("another process: exit() after packet", settings.exit_after);
    return text;
}

} // namespace

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
    if (delay) text += " -v3doff_delay 1";
    if (low_delay) text += " -flags low_delay";
    if (corrupt) text += " -flags output_corrupt";
    if (explode) text += " -err_detect explode";
    if (!conceal) text += " -ec 0";
    if (fast) text += " -flags2 fast";
    if (filter_left_out) text += " -skip_loop_filter " + std::to_string(filter_left_out);
    if (reorder) text += " -has_b_frames 3";
    text += buffer_names[int(buffers)];
    text += packet_names[int(packets)];
    return text + describe_program(*this);
}

} // namespace fuzz
