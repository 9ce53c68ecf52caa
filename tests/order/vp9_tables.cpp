// SPDX-License-Identifier: BSD-2-Clause
#include "vp9_tables.hpp"

#include "vp9_cut.hpp"
#include "vp9_runs.hpp"

#include <cstdio>

namespace v3doff::order::vp9 {
namespace {

struct Size {
    const char *name;
    int width, height;
};
constexpr Size sizes[] = {
    {"1280x720", 1280, 720}, {"1920x1080", 1920, 1080}, {"3840x2160", 3840, 2160}};

} // namespace

std::vector<ReachLine> stated_reach(Schedule schedule) {
    std::vector<ReachLine> lines;
    for (int kind = 0; kind < 2 * border; ++kind) {
        const int w = kind & 1 ? 32 : 64, h = kind & 2 ? 32 : 64;
        // Without a neighbour to the right or below there is no strip to leave to it.
        const int right = kind < border ? w - strip_width : w;
        const int bottom = kind < border ? h - strip_width : h;
        const auto add = [&](int pass, int part, bool write, Box box, bool tight = true) {
            lines.push_back({pass, kind, part, write, box, tight});
        };
        if (schedule == Schedule::shifted_units) {
            add(0, buffer_r, false, {-8, w - 1, -8, h - 1});
            add(0, buffer_r, true, {-8, kind < border ? w - 2 : w - 1, -7, h - 1});
            continue;
        }
        if (schedule == Schedule::cut_stored) {
            add(0, buffer_r, false, {0, w - 1, 0, h - 1});
            add(0, buffer_t, false, {-8, -1, 0, h - 1}, false);
            add(0, buffer_t, true, {w - 8, w - 1, h - 8, h - 1});
        } else {
            add(1, part_r_above, false, {0, w - 1, -h, -1}, false);
            add(1, part_t_above_left, false, {-8, -1, -h, -1}, false);
        }
        add(1, buffer_r, false, {0, w - 1, 0, h - 1});
        add(1, part_r_up_right, false, {w, w + 7, -8, -1});
        add(1, buffer_t, false, {-8, -1, 0, h - 1}, false);
        add(1, part_t_above, false, {w - 8, w - 1, -8, -1}, schedule == Schedule::cut_stored);
        add(1, buffer_t, true, {w - 8, w - 1, 0, h - 1});
        add(1, buffer_g, true, {w - 8, w - 1, -8, -1});
        add(2, buffer_r, false, {0, w - 1, 0, h - 1});
        add(2, buffer_t, false, {-8, -1, 0, h - 1});
        add(2, buffer_g, true, {0, right - 1, 0, h - 1});
        add(2, part_g_left, true, {-8, -1, 0, bottom - 1});
    }
    return lines;
}

void print_reach(const Reach &reach, Schedule schedule) {
    static constexpr const char *shapes[] = {"superblock 64x64", "superblock 32x64",
                                             "superblock 64x32", "superblock 32x32"};
    static constexpr const char *items[] = {"tail", "strip", "row", ""};
    static constexpr const char *parts[] = {
        "R", "T", "G", "R above", "R up-right", "T above", "T above-left", "G left"};
    for (int kind = 0; kind < 2 * border; ++kind)
        for (int pass = 0; pass < 3; ++pass)
            for (const bool write : {false, true})
                for (int buffer = 0; buffer < 8; ++buffer) {
                    const Box &box = reach.box(pass, kind, buffer, write);
                    const bool units = schedule == Schedule::shifted_units;
                    if (box.empty()) continue;
                    std::printf("  %s%-20s %-6s %-6s %-12s %s\n", shapes[kind % border],
                                kind < border ? "" : ", last row or column",
                                units ? "unit" : items[pass], write ? "writes" : "reads",
                                units ? "frame" : parts[buffer], box.text().c_str());
                }
}

void print_wavefront_counts() {
    static constexpr Place tiles[] = {{1, 1}, {1, 2}, {2, 2}, {2, 4}, {4, 4}, {4, 8}};
    for (const Size &size : sizes) {
        const Picture picture = empty_picture(size.width, size.height, 1, 1);
        const Grid plain{picture.sb_rows, picture.sb_cols, 1, 1, true};
        std::printf("%-10s %dx%d superblocks: plain %zu dispatches; shifted, by tile:", size.name,
                    picture.sb_cols, picture.sb_rows, dispatches(plain).size());
        for (const Place &tile : tiles) {
            const Grid grid{picture.sb_rows, picture.sb_cols, tile.col, tile.row};
            std::printf(" %dx%d %zu", tile.col, tile.row, dispatches(grid).size());
        }
        std::printf("\n");
    }
    std::printf("one dispatch with flags, a plane: tiles, waits, longest chain, tiles at a time\n");
    for (const Size &size : sizes)
        for (const Place &tile : {Place{1, 1}, Place{2, 4}}) {
            const Picture picture = empty_picture(size.width, size.height, 1, 1);
            const FlagCounts counts =
                flag_counts({picture.sb_rows, picture.sb_cols, tile.col, tile.row});
            std::printf("  %-10s tiles of %dx%d: %d %d %d %d\n", size.name, tile.col, tile.row,
                        counts.tiles, counts.waits, counts.longest_chain, counts.widest);
        }
}

void print_cut_counts(uint64_t seed) {
    static constexpr struct {
        const char *name;
        Texture texture;
    } textures[] = {{"large blocks", {25, 5, 50, false}},
                    {"middling", {50, 15, 40, false}},
                    {"small blocks", {60, 25, 33, false}},
                    {"very small", {75, 40, 20, false}}};
    constexpr int frames = 9;
    std::printf(
        "cut passes on random partitions, 4:2:0: dispatches with tails stored (least, median, "
        "most) and recomputed\n");
    for (const auto &texture : textures)
        for (const Size &size : sizes) {
            std::vector<int> counts[2];
            for (int frame = 0; frame < frames; ++frame) {
                Random random(seed + static_cast<uint64_t>(frame));
                const Picture picture =
                    random_picture(random, size.width, size.height, 1, 1, texture.texture);
                counts[0].push_back(plan(picture, Tails::stored).dispatches());
                counts[1].push_back(plan(picture, Tails::recomputed).dispatches());
            }
            for (auto &list : counts)
                std::sort(list.begin(), list.end());
            std::printf("  %-12s %-10s %2d %2d %2d   %2d %2d %2d\n", texture.name, size.name,
                        counts[0][0], counts[0][frames / 2], counts[0][frames - 1], counts[1][0],
                        counts[1][frames / 2], counts[1][frames - 1]);
        }
}

} // namespace v3doff::order::vp9
