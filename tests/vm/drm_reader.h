// SPDX-License-Identifier: BSD-2-Clause
// Another process that reads the samples of dma-bufs which it is sent.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// 4:2:0, 8 bits.
typedef struct DrmPicture {
    uint64_t size;
    int width, height;
    int64_t offset[3], pitch[3];
} DrmPicture;

// Before there are threads.
bool drm_reader_start(void);

// The hash that hash_frame() has of a frame with these samples.
bool drm_reader_hash(int fd, const DrmPicture *picture, uint64_t *hash);

// That this process has open.
int drm_descriptors(void);
