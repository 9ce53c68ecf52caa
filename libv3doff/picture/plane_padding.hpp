// SPDX-License-Identifier: BSD-2-Clause
// How far the padding of the caller's planes may be used. The caller says how much memory there is,
// but other planes may lie in it.
#pragma once

#include "picture/stage.hpp"

namespace v3doff {

// Cuts the padding to whole superblocks, because a copy has no room for more, and to what does not
// reach the visible samples of another plane.
void limit_padding(PictureView &view);

} // namespace v3doff
