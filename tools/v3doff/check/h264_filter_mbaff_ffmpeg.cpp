// SPDX-License-Identifier: BSD-2-Clause
// MBAFF frames by FFmpeg's edge functions: the order and the neighbours of ITU-T H.264 8.7.
#include "check/h264_filter_ffmpeg_edge.hpp"

namespace tool {

namespace {

using MbaffMacroblock = v3doff_h264_deblock_mbaff_mb;

// A plane of a frame, and where its macroblocks are in it.
struct Frame {
    const FilterPlanes &planes;
    const std::vector<MbaffMacroblock> &macroblocks;
    const FfdspH264 &functions;

    const MbaffMacroblock &mb(uint32_t x, uint32_t y) const {
        return macroblocks[size_t(y) * planes.mb_width + x];
    }
    bool field(uint32_t x, uint32_t y) const { return mb(x, y).mb.flags & V3DOFF_H264_FIELD_MB; }
};

class Filter {
  public:
    Filter(const Frame &frame, unsigned p, uint32_t x, uint32_t y)
        : frame_(frame), p_(p), x_(x), y_(y), mb_(frame.mb(x, y)), field_(frame.field(x, y)) {
        const PictureShape &shape = frame.planes.shape;
        luma_style_ = p == 0 || shape.chroma == V3DOFF_CHROMA_444;
        width_ = luma_style_ ? 16 : 8;
        height_ = luma_style_ || shape.chroma == V3DOFF_CHROMA_422 ? 16 : 8;
        stride_ = frame.planes.stride[p];
        line_ = field_ ? stride_ * 2 : stride_;
        const ptrdiff_t row =
            field_ ? ptrdiff_t(y / 2) * 2 * height_ + y % 2 : ptrdiff_t(y) * height_;
        at_ = frame.planes.plane[p] + row * stride_ +
              ptrdiff_t(x) * width_ * ptrdiff_t(shape.sample_bytes());
    }

    void run() const {
        if (!(mb_.mb.flags & V3DOFF_H264_DEBLOCK)) return;
        if (x_ && mb_.mb.flags & V3DOFF_H264_DEBLOCK_LEFT) left();
        inner(0, width_, ptrdiff_t(frame_.planes.shape.sample_bytes()), EdgeKind::vertical);
        if (mb_.mb.flags & V3DOFF_H264_DEBLOCK_TOP) upper();
        inner(1, height_, line_, EdgeKind::horizontal);
    }

  private:
    void edge(uint8_t *at, ptrdiff_t stride, EdgeKind kind, const uint8_t strength[4],
              const MbaffMacroblock &other) const {
        filter_edge_by_ffmpeg(frame_.functions, {at, stride, kind, luma_style_}, strength,
                              (mb_.mb.qp[p_] + other.mb.qp[p_] + 1) >> 1, mb_.mb);
    }

    void left() const {
        const uint32_t pair = y_ / 2 * 2;
        if (frame_.field(x_ - 1, pair) == field_)
            return edge(at_, line_, EdgeKind::vertical, mb_.mb.strength[0][0],
                        frame_.mb(x_ - 1, y_));
        for (unsigned i = 0; i < 2; i++) {
            uint8_t strength[4];
            for (unsigned k = 0; k < 4; k++)
                strength[k] = mb_.left[field_ ? i * 4 + k : k * 2 + i];
            if (field_)
                edge(at_ + ptrdiff_t(i) * (height_ / 2) * line_, line_, EdgeKind::mixed, strength,
                     frame_.mb(x_ - 1, pair + i));
            else
                edge(at_ + ptrdiff_t(i) * line_, line_ * 2, EdgeKind::mixed, strength,
                     frame_.mb(x_ - 1, pair + i));
        }
    }

    void upper() const {
        const uint32_t pair = y_ / 2 * 2;
        if (!field_ && y_ % 2) // inside the pair
            return edge(at_, stride_, EdgeKind::horizontal, mb_.mb.strength[1][0],
                        frame_.mb(x_, y_ - 1));
        if (!pair) return;
        const bool under_field = frame_.field(x_, pair - 2);
        if (!field_ && under_field) {
            for (unsigned i = 0; i < 2; i++)
                edge(at_ + ptrdiff_t(i) * stride_, stride_ * 2, EdgeKind::horizontal, mb_.top[i],
                     frame_.mb(x_, pair - 2 + i));
            return;
        }
        edge(at_, line_, EdgeKind::horizontal, mb_.mb.strength[1][0],
             frame_.mb(x_, under_field ? y_ - 2 : pair - 1));
    }

    void inner(unsigned direction, ptrdiff_t extent, ptrdiff_t step, EdgeKind kind) const {
        for (ptrdiff_t position = 4; position < extent; position += 4) {
            const ptrdiff_t number = position * 4 / extent;
            if (number % 2 && luma_style_ && mb_.mb.flags & V3DOFF_H264_TRANSFORM_8X8) continue;
            edge(at_ + position * step, line_, kind, mb_.mb.strength[direction][number], mb_);
        }
    }

    const Frame &frame_;
    unsigned p_;
    uint32_t x_, y_;
    const MbaffMacroblock &mb_;
    bool field_, luma_style_;
    ptrdiff_t width_, height_, stride_, line_;
    uint8_t *at_;
};

} // namespace

void filter_mbaff_by_table(const FfdspH264 &functions, const FilterPlanes &planes,
                           const std::vector<MbaffMacroblock> &macroblocks) {
    const Frame frame{planes, macroblocks, functions};
    for (uint32_t pair = 0; pair < planes.mb_height / 2; pair++)
        for (uint32_t x = 0; x < planes.mb_width; x++)
            for (uint32_t m = 0; m < 2; m++)
                for (unsigned p = 0; p < planes.shape.planes(); p++)
                    Filter(frame, p, x, pair * 2 + m).run();
}

} // namespace tool
