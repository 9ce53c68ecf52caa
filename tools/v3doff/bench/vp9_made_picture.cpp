// SPDX-License-Identifier: BSD-2-Clause
// Blocks as inter pictures of natural clips have them at a few Mb/s: a third of the blocks is
// coded, one superblock in eight has intra blocks. In intra pictures blocks have 32x32 samples at
// most, and two thirds are coded.
#include "bench/vp9_made_picture.hpp"

#include <algorithm>
#include <random>

namespace tool::bench::vp9 {
namespace {

class Maker {
  public:
    explicit Maker(MadePicture &to) : to_(to), random_(13) {}

    void make() {
        const uint32_t cols = (to_.format.width + 63) / 64, rows = (to_.format.height + 63) / 64;
        for (uint32_t row = 0; row < rows; row++)
            for (uint32_t col = 0; col < cols; col++) {
                has_intra_ = to_.only_intra || one_in(8);
                common_[0] = int16_t(below(33)) - 16, common_[1] = int16_t(below(33)) - 16;
                divide(row * 8, col * 8, 6);
                to_.superblocks.push_back(uint32_t(to_.blocks.size()));
            }
    }

  private:
    uint32_t below(uint32_t end) { return uint32_t(random_() % end); }
    bool one_in(uint32_t n) { return below(n) == 0; }

    // The picture is whole 8x8 blocks, and no block hangs over its border.
    void divide(uint32_t row, uint32_t col, uint32_t edge_log2) {
        const uint32_t edge = 1u << edge_log2;
        if (row * 8 >= to_.format.height || col * 8 >= to_.format.width) return;
        const bool fits = row * 8 + edge <= to_.format.height && col * 8 + edge <= to_.format.width;
        static constexpr uint32_t whole_in_ten[] = {10, 7, 5, 3}; // from 8x8 on
        const bool too_large = to_.only_intra && edge_log2 == 6;
        if (edge_log2 == 3 || (fits && !too_large && below(10) < whole_in_ten[edge_log2 - 3]))
            return add(row, col, edge_log2);
        for (uint32_t i = 0; i < 4; i++)
            divide(row + i / 2 * edge / 16, col + i % 2 * edge / 16, edge_log2 - 1);
    }

    void add(uint32_t row, uint32_t col, uint32_t edge_log2) {
        static constexpr uint8_t modes[] = {0, 1, 2, 9}; // vertical, horizontal, DC, true motion
        MadeBlock block{};
        block.row = uint16_t(row), block.col = uint16_t(col);
        block.edge_log2 = uint8_t(edge_log2);
        // Not at the picture's border, where a decoder takes other functions.
        block.intra = has_intra_ && row && col && edge_log2 < 6 && (to_.only_intra || one_in(4));
        block.mode = modes[below(4)];
        block.compound = !block.intra && one_in(7);
        for (unsigned i = 0; i < (block.intra ? 0u : 1u + block.compound); i++)
            choose_vector(block, block.vector[i]);
        block.first = uint32_t(to_.transforms.size());
        add_transforms(block);
        block.end = uint32_t(to_.transforms.size());
        to_.blocks.push_back(block);
    }

    // Near that of the superblock; in whole samples, or between them in one or both directions.
    void choose_vector(const MadeBlock &block, int16_t (&vector)[2]) {
        const uint32_t kind = below(10);
        for (int i = 0; i < 2; i++) {
            vector[i] = int16_t(common_[i] / 8 * 8);
            if (kind >= 4 + 3u * unsigned(i)) vector[i] = int16_t(vector[i] + 1 + int(below(7)));
        }
        if (!reads_inside(block, vector)) vector[0] = vector[1] = 0;
    }

    // What a decoder would have to copy first is left out.
    bool reads_inside(const MadeBlock &block, const int16_t (&vector)[2]) const {
        for (unsigned p = 0; p < 2; p++) {
            const int edge = 1 << block.edge_log2 >> p;
            const int at[2] = {block.col * 8 >> p, block.row * 8 >> p};
            const int size[2] = {int(to_.format.plane_width(p)), int(to_.format.plane_height(p))};
            for (int i = 0; i < 2; i++) {
                const int from = at[i] + (vector[i] >> (3 + p));
                if (from < 3 || from + edge + 4 > size[i]) return false;
            }
        }
        return true;
    }

    void add_transforms(const MadeBlock &block) {
        const bool coded = block.intra ? !one_in(3) : one_in(3), chroma = coded && one_in(3);
        const uint32_t x = block.col * 2, y = block.row * 2;
        if (!coded) return;
        const uint32_t tx = std::min(block.edge_log2 - 2, 3), step = 1u << tx;
        for (uint32_t i = 0; i < (block.edge_log2 == 6 ? 4u : 1u); i++) // of 64x64
            if (!i || one_in(2)) add_transform(0, tx, x + i % 2 * step, y + i / 2 * step);
        for (unsigned p = 1; chroma && p < to_.format.planes(); p++)
            add_transform(p, uint32_t(block.edge_log2 - 3), x / 2, y / 2);
    }

    void add_transform(unsigned plane, uint32_t tx, uint32_t x, uint32_t y) {
        MadeTransform transform{uint8_t(plane),
                                uint8_t(tx),
                                uint16_t(x),
                                uint16_t(y),
                                uint32_t(to_.coefficients.size()),
                                0};
        const uint32_t edge = 4u << tx;
        const uint32_t places[] = {0, 1, edge, edge + 1};
        const unsigned count = one_in(3) ? 1 : 4;
        for (unsigned i = 0; i < count; i++) {
            const int token = 1 + int(below(i ? 2 : 6));
            to_.coefficients.push_back({uint16_t(places[i]), int16_t(one_in(2) ? token : -token)});
        }
        transform.end = uint32_t(to_.coefficients.size());
        to_.transforms.push_back(transform);
    }

    MadePicture &to_;
    std::mt19937 random_;
    bool has_intra_ = false;
    int16_t common_[2] = {};
};

void append_block(const MadePicture &content, const MadeBlock &block, v3doff_vp9_words &words) {
    for (uint32_t t = block.first; t < block.end; t++) {
        const MadeTransform &transform = content.transforms[t];
        for (uint32_t i = transform.first; i < transform.end; i++)
            *words.coefficient++ = v3doff_vp9_coefficient(content.coefficients[i].place,
                                                          content.coefficients[i].token);
        v3doff_vp9_append_transform(&words, transform.plane, transform.x, transform.y, transform.tx,
                                    0, transform.eob);
    }
    const v3doff_vp9_block head{block.row, block.col, (6u - block.edge_log2) * 3, 0,
                                std::min(3u, block.edge_log2 - 2u)};
    if (block.intra) {
        const uint8_t modes[4] = {block.mode, block.mode, block.mode, block.mode};
        v3doff_vp9_append_intra(&words, &head, modes, block.mode, 0);
    } else {
        const int references[2] = {0, block.compound ? 0 : -1};
        int16_t vectors[4][2][2] = {};
        std::copy_n(&block.vector[0][0], 4, &vectors[0][0][0]);
        v3doff_vp9_append_inter(&words, &head, references, V3DOFF_VP9_FILTER_REGULAR, vectors, 0);
    }
}

// Each 32x32 has blocks of one size, most of them large; where they are 8x8 every fourth one is
// divided. The picture's own border has no edges.
std::vector<FilterSuperblock> made_superblocks(const PictureFormat &format) {
    const uint32_t cols = (format.width + 63) / 64, rows = (format.height + 63) / 64;
    const uint32_t blocks_x = (format.width + 7) / 8, blocks_y = (format.height + 7) / 8;
    std::mt19937 random(5);
    std::vector<uint8_t> edge(size_t(cols) * rows * 4), divided(size_t(cols) * rows * 64);
    for (auto &value : edge) // log2 of 8x8 blocks
        value = uint8_t(std::min<uint32_t>(random() % 5, 2));
    for (auto &value : divided)
        value = random() % 4 == 0;
    std::vector<FilterSuperblock> superblocks(size_t(cols) * rows);
    for (uint32_t y = 0; y < blocks_y; y++)
        for (uint32_t x = 0; x < blocks_x; x++) {
            const size_t number = size_t(y / 8) * cols + x / 8;
            FilterSuperblock &sb = superblocks[number];
            sb.level[y % 8][x % 8] = MadePicture::filter_level;
            const uint32_t log2 = edge[number * 4 + y % 8 / 4 * 2 + x % 8 / 4];
            const uint8_t bit = uint8_t(1u << x % 8);
            for (unsigned between_rows = 0; between_rows < 2; between_rows++) {
                const uint32_t across = between_rows ? y : x, along = between_rows ? x : y;
                const bool starts = across % (1u << log2) == 0;
                if (across && starts)
                    sb.mask[0][between_rows][y % 8][log2 ? mask_16 : mask_8] |= bit;
                if (!log2 && divided[number * 64 + y % 8 * 8 + x % 8])
                    sb.mask[0][between_rows][y % 8][mask_inner] |= bit;
                // Chroma: only even blocks, and no wide filter over half a block at the end
                // (8.8.2).
                const bool half = across + 1 == (between_rows ? blocks_y : blocks_x);
                if (across && starts && across % 2 == 0 && along % 2 == 0)
                    sb.mask[1][between_rows][y % 8][log2 == 2 && !half ? mask_16 : mask_8] |= bit;
            }
        }
    return superblocks;
}

} // namespace

MadePicture::MadePicture(const PictureFormat &of, bool of_intra_alone)
    : format(of), only_intra(of_intra_alone), filter(made_superblocks(of)) {
    Maker(*this).make();
}

void append_made(const MadePicture &content, size_t superblock, v3doff_vp9_words &words) {
    for (uint32_t i = superblock ? content.superblocks[superblock - 1] : 0;
         i < content.superblocks[superblock]; i++)
        append_block(content, content.blocks[i], words);
}

} // namespace tool::bench::vp9
