// SPDX-License-Identifier: BSD-2-Clause
#include "generators/h264_intra_ffmpeg.hpp"

#include <cstring>

#include "ffdsp.h"
#include "records/h264_intra.h"

namespace v3doff::check {
namespace {

using namespace h264;

struct Decoder {
    const PictureView &picture;
    const FfdspH264 &functions;
    const ptrdiff_t bytes = ptrdiff_t(picture.format.sample_bytes());

    bool is_whole(unsigned plane) const {
        return !plane || picture.format.chroma == V3DOFF_CHROMA_444;
    }

    // Of a 4x4 block of a macroblock.
    uint8_t *place(unsigned plane, uint32_t mb_x, uint32_t mb_y, int block) const {
        const PlaneView &view = picture.plane[plane];
        const bool whole = is_whole(plane);
        const int x = whole ? (block & 1) + (block >> 2 & 1) * 2 : block & 1;
        const int y = whole ? (block >> 1 & 1) + (block >> 3 & 1) * 2 : block >> 1;
        const auto row = ptrdiff_t(mb_y * (16 >> picture.format.shift_y(plane))) + y * 4;
        const auto column = ptrdiff_t(mb_x * (16 >> picture.format.shift_x(plane))) + x * 4;
        return reinterpret_cast<uint8_t *>(view.data) + row * view.stride + column * bytes;
    }

    void predict_4x4(uint8_t *at, ptrdiff_t stride, uint8_t mode, bool has_top_right) const {
        alignas(8) uint8_t last[8];
        const uint8_t *top_right = at + 4 * bytes - stride;
        if ((mode == INTRA_DOWN_LEFT || mode == INTRA_VERTICAL_LEFT) && !has_top_right) {
            for (ptrdiff_t i = 0; i < 4; i++)
                std::memcpy(last + i * bytes, at + 3 * bytes - stride, size_t(bytes));
            top_right = last;
        }
        functions.pred4x4[mode](at, top_right, stride);
    }

    void predict(const IntraMacroblock &macroblock, unsigned plane, int block) const {
        uint8_t *at = place(plane, macroblock.x, macroblock.y, block);
        const ptrdiff_t stride = picture.plane[plane].stride;
        const unsigned top_left = unsigned(macroblock.top_left_available) << block;
        const unsigned top_right = unsigned(macroblock.top_right_available) << block;
        if (!is_whole(plane)) {
            if (!block) functions.pred8x8[macroblock.chroma_mode](at, stride);
        } else if (macroblock.kind == IntraKind::blocks_4x4) {
            predict_4x4(at, stride, macroblock.mode[block], top_right & 0x8000);
        } else if (macroblock.kind == IntraKind::blocks_8x8) {
            if (block % 4 == 0) // its SIMD counts on these bits
                functions.pred8x8l[macroblock.mode[block]](at, int(top_left & 0x8000),
                                                           int(top_right & 0x4000), stride);
        } else if (!block) {
            functions.pred16x16[macroblock.mode[0]](at, stride);
        }
    }

    // FFmpeg clears what it has transformed.
    const std::byte *add(uint8_t *at, ptrdiff_t stride, const std::byte *from, bool large,
                         bool bypass) const {
        alignas(64) int16_t block[64 * 2];
        const size_t used = (large ? 128 : 32) * size_t(bytes);
        std::memcpy(block, from, used);
        (large    ? functions.idct8_add
         : bypass ? functions.add_pixels4_clear
                  : functions.idct_add)(at, block, int(stride));
        return from + used;
    }

    // Each block's prediction, if there is any, and its residual.
    void reconstruct(uint32_t x, uint32_t y, const IntraMacroblock *intra,
                     const MacroblockResidual &residual) const {
        const auto *from = reinterpret_cast<const std::byte *>(residual.coefficients);
        for (unsigned p = 0; p < picture.format.planes(); p++)
            for (int i = 0; i < (is_whole(p) ? 16 : 8); i++) {
                const bool large = residual.transform_8x8 && is_whole(p);
                if (intra) predict(*intra, p, i);
                if ((residual.coded[p] >> i & 1) && (!large || i % 4 == 0))
                    from = add(place(p, x, y, i), picture.plane[p].stride, from, large,
                               residual.bypass);
            }
    }

    void copy_pcm(const IntraMacroblock &macroblock, const MacroblockResidual &residual) const {
        const auto *from = reinterpret_cast<const std::byte *>(residual.coefficients);
        for (unsigned p = 0; p < picture.format.planes(); p++) {
            const size_t row = size_t(16 >> picture.format.shift_x(p)) * size_t(bytes);
            for (int y = 0; y < 16 >> picture.format.shift_y(p); y++, from += row)
                std::memcpy(place(p, macroblock.x, macroblock.y, 0) + y * picture.plane[p].stride,
                            from, row);
        }
    }
};

} // namespace

bool reconstruct_in_ffmpeg(const H264IntraPicture &from, const PictureView &picture, bool simd) {
    const FfdspH264 *functions =
        ffdsp_h264(int(picture.format.bit_depth), int(picture.format.chroma), simd);
    if (!functions) return false;
    const Decoder decoder{picture, *functions};
    for (const H264IntraPicture::Inter &inter : from.inter())
        decoder.reconstruct(inter.x, inter.y, nullptr, inter.residual);
    for (const H264IntraPicture::Intra &intra : from.intra())
        if (intra.macroblock.kind == IntraKind::pcm)
            decoder.copy_pcm(intra.macroblock, intra.residual);
        else
            decoder.reconstruct(intra.macroblock.x, intra.macroblock.y, &intra.macroblock,
                                intra.residual);
    ffdsp_emms();
    return true;
}

} // namespace v3doff::check
