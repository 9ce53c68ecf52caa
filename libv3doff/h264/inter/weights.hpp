// SPDX-License-Identifier: BSD-2-Clause
// The weights of a slice's predictions.
#pragma once

#include "h264/inter/reference.hpp"
#include "records/h264_inter.h"
#include "v3doff/h264_words.h"

namespace v3doff::h264 {

// Throws INVALID_ARGUMENT for what a slice cannot have.
void check_weights(const v3doff_h264_prediction &of);

// How predictions by these indices, which are in their lists, are combined; negative: the list is
// not used. False: as by default. Throws INVALID_ARGUMENT for a weight that a slice cannot have.
bool pair_weights(const v3doff_h264_prediction &from, const int (&index)[2], InterWeights &to);

// Of predictions from list 0, from list 1, from both: what the weights make of them. False: the
// same as the default.
bool pack_weights(const InterWeights &weights, unsigned use, const PictureFormat &format,
                  InterWeightRecord &record);

} // namespace v3doff::h264
