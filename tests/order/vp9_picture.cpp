// SPDX-License-Identifier: BSD-2-Clause
#include "vp9_picture.hpp"

namespace v3doff::order::vp9 {
namespace {

struct Block {
    int x, y, width, height; // in luma samples
    int transform;           // 4, 8, 16 or 32
    bool inner_edges;
};

// The width of the filter for an edge at a position, as the masks of a decoder have it: 4x4
// transforms take the 8 wide one on every 32nd sample, and no filter may read over the border.
int filter_width(int transform, int position, int end) {
    if (position % 8) return 4;
    if (transform == 4) return position % 32 ? 4 : 8;
    return transform == 8 || position + 8 > end ? 8 : 16;
}

// Edges of one block in one plane; ss: subsampling of the plane.
void mark_block(Plane &plane, const Block &block, int ss_h, int ss_v) {
    // Subsampled, an 8x8 block at an odd place shares its 4x4 chroma with the one before it.
    if (ss_h && block.width == 8 && block.x % 16) return;
    if (ss_v && block.height == 8 && block.y % 16) return;
    const int x0 = block.x >> ss_h, y0 = block.y >> ss_v;
    const int x1 = std::min(x0 + std::max(block.width >> ss_h, 8), plane.width);
    const int y1 = std::min(y0 + std::max(block.height >> ss_v, 8), plane.height);
    const int transform = std::min({block.transform, block.width >> ss_h, block.height >> ss_v});
    for (int y = y0; y < y1; y += 4)
        for (int x = x0; x < x1; x += 4) {
            const bool on_x = x == x0 || (block.inner_edges && (x - x0) % transform == 0);
            const bool on_y = y == y0 || (block.inner_edges && (y - y0) % transform == 0);
            plane.vertical_at(x, y) =
                static_cast<uint8_t>(on_x && x ? filter_width(transform, x, plane.width) : 0);
            plane.horizontal_at(x, y) =
                static_cast<uint8_t>(on_y && y ? filter_width(transform, y, plane.height) : 0);
        }
}

class Partition {
  public:
    Partition(Random &random, Picture &picture, const Texture &texture)
        : random_(random), picture_(picture), texture_(texture) {}

    void divide(int x, int y, int size) {
        if (x >= picture_.planes[0].width || y >= picture_.planes[0].height) return;
        const int half = size / 2;
        if (size > 8 && random_.percent(texture_.split)) {
            divide(x, y, half);
            divide(x + half, y, half);
            divide(x, y + half, half);
            divide(x + half, y + half, half);
        } else if (size > 8 && random_.percent(20)) {
            const bool side_by_side = random_.percent(50);
            leaf(x, y, side_by_side ? half : size, side_by_side ? size : half);
            leaf(side_by_side ? x + half : x, side_by_side ? y : y + half,
                 side_by_side ? half : size, side_by_side ? size : half);
        } else {
            leaf(x, y, size, size);
        }
    }

  private:
    void leaf(int x, int y, int width, int height) {
        if (x >= picture_.planes[0].width || y >= picture_.planes[0].height) return;
        int transform = std::min({width, height, 32});
        while (transform > 4 && random_.percent(transform == 8 ? texture_.small : 40))
            transform /= 2;
        // A filter level of 0 (segment or reference deltas) leaves a block without any edge.
        if (random_.percent(3)) return;
        const Block block{x, y, width, height, transform, !random_.percent(texture_.skip)};
        mark_block(picture_.planes[0], block, 0, 0);
        for (size_t plane = 1; plane < 3; ++plane)
            mark_block(picture_.planes[plane], block, picture_.ss_h, picture_.ss_v);
    }

    Random &random_;
    Picture &picture_;
    Texture texture_;
};

// Any width on any edge, each four samples their own.
void wild_edges(Random &random, Plane &plane) {
    static constexpr int widths[] = {0, 0, 4, 8, 16, 16};
    const int dense = random.between(20, 100);
    for (int y = 0; y < plane.height; y += 4)
        for (int x = 0; x < plane.width; x += 4) {
            int v = x && random.percent(dense) ? x % 8 ? 4 : widths[random.below(6)] : 0;
            int h = y && random.percent(dense) ? y % 8 ? 4 : widths[random.below(6)] : 0;
            if (v == 16 && x + 8 > plane.width) v = 8;
            if (h == 16 && y + 8 > plane.height) h = 8;
            plane.vertical_at(x, y) = static_cast<uint8_t>(v);
            plane.horizontal_at(x, y) = static_cast<uint8_t>(h);
        }
}

} // namespace

std::string Picture::text() const {
    return std::to_string(width) + "x" + std::to_string(height) +
           (ss_h   ? ss_v ? " 4:2:0" : " 4:2:2"
            : ss_v ? " 4:4:0"
                   : " 4:4:4");
}

Picture empty_picture(int width, int height, int ss_h, int ss_v) {
    Picture picture{width, height, ss_h, ss_v, (width + 63) / 64, (height + 63) / 64, {}};
    const int luma_width = (width + 7) / 8 * 8, luma_height = (height + 7) / 8 * 8;
    for (int i = 0; i < 3; ++i) {
        const int h = i ? ss_h : 0, v = i ? ss_v : 0;
        Plane plane{luma_width >> h, luma_height >> v, 64 >> h, 64 >> v, {}, {}, {}};
        plane.vertical.resize(static_cast<size_t>(plane.width / 4 * (plane.height / 4)));
        plane.horizontal.resize(plane.vertical.size());
        picture.planes.push_back(std::move(plane));
    }
    return picture;
}

Picture random_picture(Random &random, int width, int height, int ss_h, int ss_v,
                       const Texture &texture) {
    Picture picture = empty_picture(width, height, ss_h, ss_v);
    for (Plane &plane : picture.planes) {
        if (texture.wild) wild_edges(random, plane);
        plane.samples.resize(static_cast<size_t>(plane.width) * static_cast<size_t>(plane.height));
        for (Sample &sample : plane.samples)
            sample = static_cast<Sample>(random.next());
    }
    Partition partition(random, picture, texture);
    for (int y = 0; y < height && !texture.wild; y += 64)
        for (int x = 0; x < width; x += 64)
            partition.divide(x, y, 64);
    return picture;
}

} // namespace v3doff::order::vp9
