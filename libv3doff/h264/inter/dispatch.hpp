// SPDX-License-Identifier: BSD-2-Clause
// The dispatches of inter prediction.
#pragma once

#include "h264/inter/kind.hpp"

namespace v3doff::h264 {

// A picture that is predicted from, or a field of one.
struct InterSource {
    SampleMap map;
    uint32_t reference = 0; // the set of bindings
    int chroma_down = 0;    // InterFrom's
};
inline constexpr uint32_t max_inter_sources = 2 * max_references; // both fields of each

// Numbers of the shaders, by mode.
struct InterShaders {
    uint32_t put, average, weighted;
};

// The dispatch of a mode that predicts from a source, but for its workgroups.
Dispatch inter_dispatch(const SampleMap &map, const InterSource &from, InterMode mode,
                        const InterShaders &shaders);

} // namespace v3doff::h264
