// SPDX-License-Identifier: BSD-2-Clause
#include "h264_residual_ffmpeg.hpp"

#include "ffdsp.h"

namespace tool {
namespace {

// One operation's arguments as FFmpeg's functions take them.
struct Arguments {
    uint8_t *dst[2]; // of Cb and Cr for ADD8
    ptrdiff_t stride;
    int offset[48]; // bytes from dst to each 4x4 block
    int16_t *block, *cb, *cr;

    Arguments(const H264Operation &operation, const PictureShape &shape,
              const v3doff_planes &planes, Coefficients &coefficients) {
        const uint32_t bytes = shape.sample_bytes();
        for (unsigned i = 0; i < 2; i++) {
            const unsigned plane =
                operation.call == H264Call::add8 || operation.call == H264Call::chroma_dc
                    ? i + 1
                    : operation.plane;
            dst[i] = sample_at(planes, shape, plane, operation.x, operation.y);
        }
        stride = planes.stride[operation.plane] << operation.rows;
        for (unsigned n = 0; n < 48; n++) {
            const unsigned x = (n & 1) + (n >> 2 & 1) * 2, y = (n >> 1 & 1) + (n >> 3 & 1) * 2;
            offset[n] = int(x * 4 * bytes) + int(y * 4) * int(stride);
        }
        block = coefficients.words();
        cb = reinterpret_cast<int16_t *>(coefficients.at(16 * 16));
        cr = reinterpret_cast<int16_t *>(coefficients.at(32 * 16));
    }
};

void predict(const FfdspH264 &f, const H264Operation &o, Arguments &a) {
    const bool top_left = o.neighbours & V3DOFF_H264_HAS_TOP_LEFT;
    const bool top_right = o.neighbours & V3DOFF_H264_HAS_TOP_RIGHT;
    const unsigned large = o.direction == V3DOFF_H264_VERTICAL ? 2 : 1;
    switch (o.call) {
    case H264Call::predict4x4:
        return f.pred4x4_add[o.direction](a.dst[0], a.block, a.stride);
    case H264Call::predict8x8:
        return f.pred8x8l_add[o.direction](a.dst[0], a.block, a.stride);
    case H264Call::predict8x8_filtered:
        return f.pred8x8l_filter_add[o.direction](a.dst[0], a.block, top_left, top_right, a.stride);
    case H264Call::predict_chroma:
        return f.pred8x8_add[large](a.dst[0], a.offset, a.block, a.stride);
    default:
        return f.pred16x16_add[large](a.dst[0], a.offset, a.block, a.stride);
    }
}

void one_block(const FfdspH264 &f, const H264Operation &o, Arguments &a) {
    const FfdspH264Idct functions[] = {f.idct_add,     f.idct8_add,         f.idct_dc_add,
                                       f.idct8_dc_add, f.add_pixels4_clear, f.add_pixels8_clear};
    functions[unsigned(o.call)](a.dst[0], a.block, int(a.stride));
}

void macroblock(const FfdspH264 &f, const H264Operation &o, Arguments &a, Coefficients &dc) {
    const int stride = int(a.stride);
    switch (o.call) {
    case H264Call::add16:
        return f.idct_add16(a.dst[0], a.offset, a.block, stride, o.nnz.data());
    case H264Call::add4:
        return f.idct8_add4(a.dst[0], a.offset, a.block, stride, o.nnz.data());
    case H264Call::luma_dc:
        f.luma_dc_dequant_idct(a.block, dc.words(), o.qmul);
        [[fallthrough]];
    case H264Call::add16_intra:
        return f.idct_add16intra(a.dst[0], a.offset, a.block, stride, o.nnz.data());
    case H264Call::chroma_dc:
        f.chroma_dc_dequant_idct(a.cb, o.qmul);
        f.chroma_dc_dequant_idct(a.cr, o.qmul);
        [[fallthrough]];
    default:
        return f.idct_add8(a.dst, a.offset, a.block, stride, o.nnz.data());
    }
}

} // namespace

void call_h264_table(const FfdspH264 &functions, const std::vector<H264Operation> &operations,
                     const PictureShape &shape, const v3doff_planes &planes,
                     std::vector<uint8_t> &left_behind) {
    for (const H264Operation &operation : operations) {
        Coefficients coefficients(operation.coefficients, shape.bit_depth);
        Coefficients dc(operation.dc, shape.bit_depth);
        Arguments arguments(operation, shape, planes, coefficients);
        if (operation.call <= H264Call::bypass8)
            one_block(functions, operation, arguments);
        else if (is_predicted(operation.call))
            predict(functions, operation, arguments);
        else
            macroblock(functions, operation, arguments, dc);
        coefficients.append_to(left_behind);
    }
}

} // namespace tool
