// SPDX-License-Identifier: BSD-2-Clause
// A program's GL that imports dma-bufs as textures, as players and compositors do.
#pragma once

#include "drm_reader.h"

bool egl_reader_start(void);
void egl_reader_end(void);

// Each plane as a texture of its own: the hash that hash_frame() has of a frame with these samples.
bool egl_reader_hash(int fd, const DrmPicture *picture, uint64_t *hash);

// The planes as one texture, which GL converts to RGB (BT.601, limited range): the greatest
// difference of a component from what the samples of those three textures convert to.
bool egl_reader_difference(int fd, const DrmPicture *picture, int *difference);
