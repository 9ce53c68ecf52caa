// SPDX-License-Identifier: BSD-2-Clause
#include "h264/inter/dispatch.hpp"

#include "common/push.hpp"

namespace v3doff::h264 {

Dispatch inter_dispatch(const SampleMap &map, const InterSource &from, InterMode mode,
                        const InterShaders &shaders) {
    const InterPlane luma(map.format, 0), chroma(map.format, 1);
    InterPush push{};
    set_planes(push, map);
    set_reference(push, from.map);
    push.last_x_0 = uint(luma.width) - 1;
    push.last_x_1 = uint(chroma.width) - 1;
    push.last_y_0 = uint(luma.height) - 1;
    push.last_y_1 = uint(chroma.height) - 1;
    push.shift_x = chroma.shift_x, push.shift_y = chroma.shift_y;
    push.chroma_down = from.chroma_down;
    const uint32_t shader = mode == InterMode::put       ? shaders.put
                            : mode == InterMode::average ? shaders.average
                                                         : shaders.weighted;
    Dispatch dispatch(shader, {}, push, vk::in_place);
    dispatch.reference = from.reference;
    return dispatch;
}

} // namespace v3doff::h264
