// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/loopfilter_pack.hpp"

#include <array>
#include <cstring>

#include "records/vp9_loopfilter.h"
#include "vp9/loopfilter_schedule.hpp"

namespace v3doff::vp9 {
namespace {

// 8 bits to the lowest bits of 8 nibbles.
constexpr std::array<uint32_t, 256> make_spread() {
    std::array<uint32_t, 256> table{};
    for (uint32_t bits = 0; bits < 256; bits++)
        for (uint32_t bit = 0; bit < 8; bit++)
            table[bits] |= (bits >> bit & 1) << 4 * bit;
    return table;
}
constexpr std::array<uint32_t, 256> spread = make_spread();

// Every second bit, the lower one of each pair, moved together.
constexpr uint32_t even_bits(uint32_t bits) {
    bits &= 0x55;
    bits = (bits | bits >> 1) & 0x33;
    return (bits | bits >> 2) & 0x0f;
}

// Byte n of the result has bit n of each byte: an 8x8 matrix of bits on its other side.
uint64_t transpose_bits(uint64_t m) {
    uint64_t swap = (m ^ m >> 7) & 0x00aa00aa00aa00aa;
    m ^= swap ^ swap << 7;
    swap = (m ^ m >> 14) & 0x0000cccc0000cccc;
    m ^= swap ^ swap << 14;
    swap = (m ^ m >> 28) & 0x00000000f0f0f0f0;
    return m ^ swap ^ swap << 28;
}

// The blocks of level 0, a byte for each row. They are rare: levels are seldom 0.
uint64_t unfiltered_blocks(const uint8_t (&level)[8][8]) {
    uint64_t any = 0, blocks = 0;
    for (const auto &row : level) {
        uint64_t levels;
        std::memcpy(&levels, row, sizeof levels);
        any |= (levels - 0x0101010101010101) & ~levels & 0x8080808080808080;
    }
    if (!any) return 0;
    for (unsigned r = 0; r < 8; r++)
        for (unsigned c = 0; c < 8; c++)
            blocks |= uint64_t(!level[r][c]) << (8 * r + c);
    return blocks;
}

// Marks of one direction: byte n belongs to the n-th line of blocks, bit m to the m-th block on it.
struct Edges {
    uint64_t size[mask_sizes] = {};

    Edges(const uint8_t (&mask)[8][mask_sizes], bool between_rows) {
        for (unsigned row = 0; row < 8; row++)
            for (unsigned at = 0; at < mask_sizes; at++)
                size[at] |= uint64_t(mask[row][at]) << 8 * row;
        if (!between_rows) return;
        for (uint64_t &marks : size)
            marks = transpose_bits(marks);
    }

    // Along a subsampled axis odd bits are the edges through the middle of blocks.
    uint32_t word(unsigned line, bool halved) const {
        const auto marks = [&](EdgeMask at) { return uint32_t(size[at] >> 8 * line & 0xff); };
        uint32_t e16 = marks(mask_16), e8 = marks(mask_8), e4 = marks(mask_4);
        uint32_t inner = marks(mask_inner);
        if (halved) {
            inner = even_bits(e4 >> 1);
            e16 = even_bits(e16), e8 = even_bits(e8), e4 = even_bits(e4);
        }
        const uint32_t low = e16 | (e4 & ~e8), high = e16 | e8;
        return spread[low] | spread[high] << 1 | spread[inner] << 2;
    }
};
static_assert(LOOPFILTER_4 == 1 && LOOPFILTER_8 == 2 && LOOPFILTER_16 == 3);

// Bytes 0, 2, 4 and 6 of 8 moved together.
constexpr uint64_t even_bytes(uint64_t bytes) {
    bytes &= 0x00ff00ff00ff00ff;
    bytes = (bytes | bytes >> 8) & 0x0000ffff0000ffff;
    return (bytes | bytes >> 16) & 0xffffffff;
}

// Levels of one line of blocks, first block lowest.
struct Levels {
    uint64_t line[8] = {};

    Levels(const uint8_t (&level)[8][8], bool between_rows) {
        for (unsigned r = 0; r < 8; r++) {
            uint64_t row = 0;
            for (unsigned c = 0; c < 8; c++) {
                if (between_rows)
                    line[c] |= uint64_t(level[r][c]) << 8 * r;
                else
                    row |= uint64_t(level[r][c]) << 8 * c;
            }
            if (!between_rows) line[r] = row;
        }
    }
};

struct LinesOfSet {
    unsigned set, shift_x, shift_y;
    bool first_row, first_col; // of the picture, whose left and top edge are not filtered
};

// The lines of one mask set, without edges that are never filtered: the picture's own and those of
// level 0 (at halved axes the block at the even place counts). Returns where the next lines go.
LoopfilterLine *pack_set(const LoopfilterSuperblock &sb, const LinesOfSet &of, const Levels *levels,
                         uint64_t unfiltered, LoopfilterLine *out, uint32_t &any) {
    for (unsigned between_rows = 0; between_rows < 2; between_rows++) {
        Edges edges(sb.mask[of.set][between_rows], between_rows);
        const bool halved = between_rows ? of.shift_y : of.shift_x;
        const unsigned along = between_rows ? of.shift_x : of.shift_y;
        if (between_rows ? of.first_row : of.first_col)
            for (unsigned at : {mask_16, mask_8, mask_4})
                edges.size[at] &= ~0x0101010101010101u;
        if (unfiltered) {
            uint64_t blocks = between_rows ? transpose_bits(unfiltered) : unfiltered;
            if (halved) blocks = (blocks & 0x5555555555555555) * 3;
            for (uint64_t &marks : edges.size)
                marks &= ~blocks;
        }
        for (unsigned line = 0; line < 8; line += 1 << along, out++) {
            uint64_t level = levels[between_rows].line[line];
            if (halved) level = even_bytes(level);
            *out = {edges.word(line, halved), uint32_t(level), uint32_t(level >> 32), 0};
            any |= out->marks;
        }
    }
    return out;
}

unsigned lines_of_superblock(const PictureFormat &format) {
    const unsigned last = format.planes() - 1, x = format.shift_x(last), y = format.shift_y(last);
    return 16 + (x | y ? (8 >> x) + (8 >> y) : 0);
}

// True when the superblock has an edge to filter.
bool pack_superblock(const LoopfilterInput &input, uint32_t row, uint32_t col, uint32_t *words) {
    const LoopfilterSuperblock &sb = input.at(row, col);
    const PictureFormat &format = input.format;
    const uint64_t unfiltered = unfiltered_blocks(sb.level);
    const unsigned last = format.planes() - 1, x = format.shift_x(last), y = format.shift_y(last);
    const Levels levels[2] = {{sb.level, false}, {sb.level, true}};
    LoopfilterLine lines[32];
    uint32_t any = 0;
    LoopfilterLine *end = pack_set(sb, {0, 0, 0, !row, !col}, levels, unfiltered, lines, any);
    if (x | y) end = pack_set(sb, {1, x, y, !row, !col}, levels, unfiltered, end, any);
    std::memcpy(words, lines, size_t(end - lines) * sizeof *lines);
    return any;
}

LoopfilterPush push_of(const LoopfilterInput &input, const SampleMap &map, uint32_t lines) {
    const PictureFormat &format = input.format;
    const LoopfilterArea area = loopfilter_area(format, 0);
    const LoopfilterSharpness sharpness(input.sharpness);
    const unsigned last = format.planes() - 1;
    LoopfilterPush push{};
    push.plane_offset_0 = map.offset_words[0];
    push.plane_offset_1 = map.offset_words[1];
    push.plane_offset_2 = map.offset_words[2];
    push.plane_stride_0 = map.stride_words[0];
    push.plane_stride_1 = map.stride_words[1];
    push.plane_stride_2 = map.stride_words[2];
    push.width = area.width;
    push.height = area.height;
    push.cols = input.cols();
    push.rows = input.rows();
    push.lines = lines;
    push.superblock_lines = lines_of_superblock(format);
    if (format.shift_x(last)) push.format |= LOOPFILTER_FORMAT_SHIFT_X;
    if (format.shift_y(last)) push.format |= LOOPFILTER_FORMAT_SHIFT_Y;
    if (push.format) push.format |= LOOPFILTER_FORMAT_OWN_MARKS;
    push.limit_shift = sharpness.shift;
    push.limit_cap = sharpness.cap;
    return push;
}

void plan_wavefront(const LoopfilterInput &input, LoopfilterPush push, uint32_t shader,
                    Plan &plan) {
    const PictureFormat &format = input.format;
    const LoopfilterWave wave = plan_wave(input.rows(), input.cols());
    const unsigned last = format.planes() - 1;
    // Invocations that one chroma plane keeps busy, in its fuller phase.
    const uint32_t lanes =
        wave.group_rows * (16 >> std::min(format.shift_x(last), format.shift_y(last)));
    const bool paired = format.planes() == 3 && 2 * lanes <= LOOPFILTER_LANES;
    if (paired) push.format |= LOOPFILTER_FORMAT_PAIRED;
    push.wave_rows = wave.group_rows;
    push.wave_steps = wave.steps;
    push.wave_lag = wave.lag;
    for (uint32_t dispatch = 0; dispatch < wave.dispatches; dispatch++) {
        push.wave_col = dispatch * wave.steps;
        plan.dispatch(shader, {wave.groups, paired ? 2 : format.planes(), 1}, push);
    }
}

} // namespace

bool loopfilter_fits(const SampleMap &map) {
    uint32_t bits = 0;
    for (unsigned plane = 0; plane < map.format.planes(); plane++)
        bits |= map.offset_words[plane] | map.stride_words[plane];
    const bool three = map.format.planes() == 3;
    return bits % 4 == 0 && (!three || map.stride_words[1] == map.stride_words[2]);
}

void plan_loopfilter(const LoopfilterInput &input, const SampleMap &map,
                     const LoopfilterShaders &shaders, Plan &plan) {
    const size_t first = (plan.arena.size() + 3) & ~size_t(3);
    const size_t words = lines_of_superblock(input.format) * sizeof(LoopfilterLine) / 4;
    plan.arena.resize(first + size_t(input.cols()) * input.rows() * words);
    uint32_t *at = plan.arena.data() + first;
    bool any = false;
    for (uint32_t row = 0; row < input.rows(); row++)
        for (uint32_t col = 0; col < input.cols(); col++, at += words)
            any |= pack_superblock(input, row, col, at);
    if (!any) {
        plan.arena.resize(first);
        return;
    }
    plan_wavefront(input, push_of(input, map, uint32_t(first / 4)), shaders.wave, plan);
    for (unsigned plane = 0; plane < input.format.planes(); plane++)
        plan.rows[plane].add(0, loopfilter_area(input.format, plane).height);
}

} // namespace v3doff::vp9
