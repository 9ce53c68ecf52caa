// SPDX-License-Identifier: BSD-2-Clause
// Headers of H.264 and VP9 units as fields, and units made of them again.
#pragma once

#include "stream.hpp"

namespace fuzz {

// A unit of which the header is understood; no fields: it is not.
struct ParsedUnit {
    Header header;
    Bytes rest; // behind the header's last whole byte
};

// The width matters where a VP9 frame takes its size from another one.
ParsedUnit parse_vp9(const Bytes &unit, int width);
Bytes build_vp9(const ParsedUnit &parsed);
int width_of_key_frame(const Bytes &unit); // 0: no key frame

// Sequence and picture parameter sets, and how slices begin.
ParsedUnit parse_h264(const Bytes &unit);
Bytes build_h264(const ParsedUnit &parsed);
int nal_type(const Bytes &unit);

} // namespace fuzz
