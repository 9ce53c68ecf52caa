// SPDX-License-Identifier: BSD-2-Clause
#include "h264_residual_inputs.hpp"

#include <algorithm>
#include <cstring>

namespace tool {
namespace {

// The magnitudes of all coefficients add up to less than `most`. No intermediate value then exceeds
// 16 bits at 8 bit, and FFmpeg's SIMD and C agree.
void fill_transform(int32_t *to, uint32_t edge, int32_t most, Random &random) {
    const uint32_t corner = below(random, 3) ? edge : edge == 8 && below(random, 2) ? 4 : 1;
    const uint32_t count = uint32_t(1 + below(random, below(random, 2) ? corner * corner : 4));
    int32_t left = most;
    for (uint32_t i = 0; i < count && left > 0; i++) {
        int32_t &value = to[below(random, corner) * edge + below(random, corner)];
        if (value) continue;
        const int32_t limit = below(random, 4)   ? std::max(1, most / int32_t(count))
                              : below(random, 2) ? left
                                                 : 3;
        value = int32_t(between(random, -std::min(limit, left), std::min(limit, left)));
        left -= std::abs(value);
    }
}

void fill_wild(int32_t *to, uint32_t count, unsigned bit_depth, Random &random) {
    const unsigned style = unsigned(below(random, 3));
    for (uint32_t i = 0; i < count; i++) {
        const int32_t any = bit_depth == 8 ? int16_t(random()) : int32_t(random());
        const int32_t extreme =
            bit_depth == 8 ? (any < 0 ? INT16_MIN : INT16_MAX) : (any < 0 ? INT32_MIN : INT32_MAX);
        to[i] = style == 0 ? any : style == 1 ? extreme : (below(random, 8) ? 0 : any);
    }
}

class Maker {
  public:
    Maker(const H264Plan &plan, const GuardedPicture &picture, Random &random)
        : plan_(plan), picture_(picture), random_(random), scale_(1 << (plan.bit_depth - 8)) {}

    std::vector<H264Operation> run() {
        const PictureShape &shape = picture_.shape();
        for (uint32_t y = 0; y < shape.height; y += 32)
            for (uint32_t x = 0; x < shape.width; x += 16) {
                const bool field = below(random_, 3) == 0;
                for (uint32_t i = 0; i < 2; i++)
                    macroblock(x, field ? y + i : y + 16 * i, field);
            }
        return std::move(operations_);
    }

  private:
    // x, y: its first luma sample.
    void macroblock(uint32_t x, uint32_t y, bool field) {
        bool both = false; // chroma planes done at once
        for (unsigned plane = 0; plane < picture_.shape().planes() && !both; plane++) {
            std::vector<H264Call> possible;
            for (H264Call call : plan_.calls)
                if (stands_in(call, plane)) possible.push_back(call);
            if (possible.empty() || below(random_, 8) == 0) continue;
            const H264Call call = possible[below(random_, possible.size())];
            both = call == H264Call::add8 || call == H264Call::chroma_dc;
            const uint32_t shift_x = plane && halves_width(), shift_y = plane && halves_height();
            H264Operation first{};
            first.call = call;
            first.plane = plane;
            first.rows = field ? V3DOFF_H264_FIELD_ROWS : V3DOFF_H264_FRAME_ROWS;
            first.x = x >> shift_x;
            first.y = field ? ((y & ~1u) >> shift_y) + (y & 1) : y >> shift_y;
            first.width = 16 >> shift_x;
            first.height = 16 >> shift_y;
            whole_or_blocks(first);
        }
    }

    bool halves_width() const { return plan_.chroma != V3DOFF_CHROMA_444; }
    bool halves_height() const { return plan_.chroma == V3DOFF_CHROMA_420; }

    bool stands_in(H264Call call, unsigned plane) const {
        const bool small = plane && plan_.chroma != V3DOFF_CHROMA_444;
        switch (call) {
        case H264Call::add8:
        case H264Call::chroma_dc:
            return small && plane == 1; // does both
        case H264Call::predict_chroma:
            return small;
        default:
            return !small || (is_block(call) && !is_predicted(call));
        }
    }

    void whole_or_blocks(const H264Operation &macroblock) {
        if (!is_block(macroblock.call)) return finish(macroblock);
        const bool eight = macroblock.call == H264Call::idct8 || macroblock.call == H264Call::dc8 ||
                           macroblock.call == H264Call::bypass8 ||
                           macroblock.call == H264Call::predict8x8 ||
                           macroblock.call == H264Call::predict8x8_filtered;
        const uint32_t edge = eight ? 8 : 4;
        for (uint32_t y = 0; y < macroblock.height; y += edge)
            for (uint32_t x = 0; x < macroblock.width; x += edge) {
                H264Operation block = macroblock;
                block.x += x;
                block.y += y << block.rows;
                block.width = block.height = edge;
                if (below(random_, 4)) finish(block);
            }
    }

    void finish(H264Operation operation) {
        operation.lane = plan_.one_lane ? 3 : uint32_t(below(random_, V3DOFF_LANES));
        const uint32_t samples = operation.width * operation.height;
        switch (operation.call) {
        case H264Call::idct4:
        case H264Call::idct8:
            operation.coefficients.resize(samples);
            fill_block(operation.coefficients.data(), operation.width);
            break;
        case H264Call::dc4:
        case H264Call::dc8:
            operation.coefficients.resize(samples);
            operation.coefficients[0] =
                int32_t(between(random_, -32000 * int64_t(scale_), 32000 * int64_t(scale_)));
            if (plan_.wild) fill_wild(operation.coefficients.data(), 1, plan_.bit_depth, random_);
            break;
        case H264Call::bypass4:
        case H264Call::bypass8:
            fill_differences(operation, samples);
            break;
        case H264Call::add8:
        case H264Call::chroma_dc:
            fill_chroma(operation);
            break;
        default:
            if (!is_predicted(operation.call)) {
                fill_luma(operation);
                break;
            }
            fill_differences(operation, samples);
            if (!choose_direction(operation)) return;
        }
        operations_.push_back(std::move(operation));
    }

    void fill_block(int32_t *to, uint32_t edge) {
        if (plan_.wild)
            fill_wild(to, edge * edge, plan_.bit_depth, random_);
        else
            fill_transform(to, edge, (edge == 8 ? 13000 : 32000) * scale_, random_);
    }

    void fill_differences(H264Operation &operation, uint32_t samples) {
        const int32_t most = (1 << plan_.bit_depth) - 1;
        operation.coefficients.resize(samples);
        for (int32_t &value : operation.coefficients)
            value = int32_t(between(random_, -most, most));
        if (plan_.wild) fill_wild(operation.coefficients.data(), samples, plan_.bit_depth, random_);
    }

    bool choose_direction(H264Operation &operation) {
        const bool above = operation.y >= (1u << operation.rows), left = operation.x > 0;
        if (!above && !left) return false;
        const bool vertical = above && (!left || below(random_, 2));
        operation.direction = vertical ? V3DOFF_H264_VERTICAL : V3DOFF_H264_HORIZONTAL;
        if (operation.call != H264Call::predict8x8_filtered) return true;
        if (above && left && below(random_, 2)) operation.neighbours |= V3DOFF_H264_HAS_TOP_LEFT;
        if (operation.x + 8 < picture_.padded_width(operation.plane) && above && below(random_, 2))
            operation.neighbours |= V3DOFF_H264_HAS_TOP_RIGHT;
        return true;
    }

    // ADD16 and ADD4 count the DC coefficient, ADD16_INTRA does not.
    void fill_luma(H264Operation &operation) {
        const bool intra =
            operation.call == H264Call::add16_intra || operation.call == H264Call::luma_dc;
        const uint32_t edge = operation.call == H264Call::add4 ? 8 : 4;
        operation.coefficients.resize(256);
        operation.nnz.resize(5 * 8);
        for (uint32_t n = 0; n < 16; n += edge * edge / 16)
            fill_counted(&operation.coefficients[n * 16], edge, intra, count(operation, 0, n));
        if (operation.call != H264Call::luma_dc) return;
        operation.qmul = int32_t(between(random_, 1, 1 << between(random_, 4, 14)));
        const int32_t most = std::min(2000, 4000 * 256 / 16 / operation.qmul) * scale_;
        operation.dc.resize(16);
        for (int32_t &value : operation.dc)
            value = int32_t(between(random_, -most, most));
    }

    void fill_chroma(H264Operation &operation) {
        operation.coefficients.resize(48 * 16);
        operation.nnz.resize(15 * 8);
        const uint32_t blocks = plan_.chroma == V3DOFF_CHROMA_422 ? 8 : 4;
        const bool dc = operation.call == H264Call::chroma_dc;
        if (dc) operation.qmul = int32_t(between(random_, 1, 1 << between(random_, 4, 14)));
        for (uint32_t plane = 1; plane <= 2; plane++)
            for (uint32_t n = 0; n < blocks; n++) {
                int32_t *block = &operation.coefficients[(plane * 16 + n) * 16];
                fill_counted(block, 4, true, count(operation, plane, n < 4 ? n : n + 4));
                const int32_t most = std::min(2000, 4000 * 128 / 4 / std::max(1, operation.qmul));
                if (dc) block[0] = int32_t(between(random_, -most, most)) * scale_;
            }
    }

    uint8_t &count(H264Operation &operation, uint32_t plane, uint32_t n) const {
        const uint32_t x = (n & 1) + (n >> 2 & 1) * 2, y = (n >> 1 & 1) + (n >> 3 & 1) * 2;
        return operation.nnz[(plane * 5 + y + 1) * 8 + x + 4];
    }

    // A block and a coefficient count that a decoder could produce. With a separate DC, the
    // coefficients leave room for the result of the DC's transform.
    void fill_counted(int32_t *block, uint32_t edge, bool dc_apart, uint8_t &nnz) {
        const int32_t most = (dc_apart ? 8000 : edge == 8 ? 13000 : 32000) * scale_;
        const unsigned style = unsigned(below(random_, 4));
        if (style == 0) return;
        if (style == 1) { // the first coefficient alone, or another one alone
            const bool dc = below(random_, 3);
            block[dc ? 0 : 1 + below(random_, edge * edge - 1)] =
                int32_t(between(random_, 1, most / 4)) * (below(random_, 2) ? 1 : -1);
            nnz = !dc_apart || !dc;
            return;
        }
        fill_transform(block, edge, most, random_);
        const int first = dc_apart ? 1 : 0;
        nnz = uint8_t(std::count_if(block + first, block + edge * edge,
                                    [](int32_t value) { return value != 0; }));
        // A count of one is right only if the coefficient is the DC.
        if (!dc_apart && nnz == 1 && !block[0]) nnz = 2;
    }

    const H264Plan &plan_;
    const GuardedPicture &picture_;
    Random &random_;
    int32_t scale_;
    std::vector<H264Operation> operations_;
};

} // namespace

const char *h264_call_name(H264Call call) {
    static const char *const names[h264_calls] = {"4x4",
                                                  "8x8",
                                                  "dc_4x4",
                                                  "dc_8x8",
                                                  "bypass_4x4",
                                                  "bypass_8x8",
                                                  "add16",
                                                  "add16_intra",
                                                  "add4",
                                                  "add8",
                                                  "predict4x4",
                                                  "predict8x8l",
                                                  "predict8x8l_filter",
                                                  "predict8x8",
                                                  "predict16x16",
                                                  "luma_dc",
                                                  "chroma_dc"};
    return names[unsigned(call)];
}

bool is_block(H264Call call) {
    return call <= H264Call::bypass8 || (is_predicted(call) && call < H264Call::predict_chroma);
}

bool is_predicted(H264Call call) {
    return call >= H264Call::predict4x4 && call <= H264Call::predict16x16;
}

bool h264_call_exists(H264Call call, v3doff_chroma chroma) {
    const bool small = chroma == V3DOFF_CHROMA_420 || chroma == V3DOFF_CHROMA_422;
    return small || (call != H264Call::add8 && call != H264Call::chroma_dc &&
                     call != H264Call::predict_chroma);
}

std::vector<H264Operation> h264_operations(const H264Plan &plan, const GuardedPicture &picture,
                                           Random &random) {
    return Maker(plan, picture, random).run();
}

} // namespace tool
