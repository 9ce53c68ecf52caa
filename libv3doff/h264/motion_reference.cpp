// SPDX-License-Identifier: BSD-2-Clause
// What the GPU sorts, as rectangles for the CPU.
#include "h264/filter_strength_blocks.hpp"
#include "h264/motion.hpp"

namespace v3doff::h264 {

std::vector<InterInput> Motion::blocks() const {
    std::vector<InterInput> blocks;
    for (uint32_t at = 0; at < packed_->count(); at++) {
        const Macroblock mb(*packed_, at);
        const unsigned side = mb.is(STRENGTH_MOTION_4X4) ? 4 : mb.is(STRENGTH_MOTION_8X8) ? 8 : 16;
        for (unsigned i = 0; i < 256 / (side * side); i++) {
            const unsigned x = i * side % 16, y = i * side / 16 * side;
            InterInput block{uint16_t(at % packed_->mb_width * 16 + x),
                             uint16_t(at / packed_->mb_width * 16 + y),
                             uint8_t(side),
                             uint8_t(side),
                             {-1, -1},
                             0,
                             {}};
            int index[2] = {-1, -1};
            for (unsigned list = 0; list < 2; list++) {
                if (mb.reference(list, x / 4, y / 4) == 255) continue;
                index[list] = int(tables_.indices(list)[at] >> (8 * (y / 8 * 2 + x / 8)) & 31);
                const auto vector = mb.motion(list, x / 4, y / 4);
                block.vector[list][0] = int16_t(vector.x);
                block.vector[list][1] = int16_t(vector.y);
                block.reference[list] = int8_t(tables_.source(at, list, index[list]));
            }
            if (index[0] < 0 && index[1] < 0) continue; // intra
            block.weights = tables_.weights(at, index[0], index[1]);
            blocks.push_back(block);
        }
    }
    return blocks;
}

} // namespace v3doff::h264
