/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Preloaded into a decoder: every third picture's words are refused, and one call in 40 for room
 * has no memory. The decoder must parse such pictures again, and its frames must be the same.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>

#include "v3doff/vp9_words.h"

static atomic_uint pictures, rooms;

v3doff_result v3doff_vp9_record_picture(v3doff_picture *picture,
                                        const v3doff_vp9_picture_info *info) {
    v3doff_result (*next)(v3doff_picture *, const v3doff_vp9_picture_info *) =
        (v3doff_result(*)(v3doff_picture *, const v3doff_vp9_picture_info *))dlsym(
            RTLD_NEXT, "v3doff_vp9_record_picture");
    return atomic_fetch_add(&pictures, 1) % 3 == 2 ? V3DOFF_ERROR_OUT_OF_MEMORY
                                                   : next(picture, info);
}

v3doff_result v3doff_vp9_make_room(v3doff_picture *picture, uint32_t lane,
                                   v3doff_vp9_words *words) {
    v3doff_result (*next)(v3doff_picture *, uint32_t, v3doff_vp9_words *) = (v3doff_result(*)(
        v3doff_picture *, uint32_t, v3doff_vp9_words *))dlsym(RTLD_NEXT, "v3doff_vp9_make_room");
    return atomic_fetch_add(&rooms, 1) % 40 == 39 ? V3DOFF_ERROR_OUT_OF_MEMORY
                                                  : next(picture, lane, words);
}
