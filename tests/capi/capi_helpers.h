/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CAPI_HELPERS_H
#define CAPI_HELPERS_H

#include <stdio.h>
#include <stdlib.h>

#include "v3doff/vp9.h"

#ifdef __cplusplus
extern "C" {
#endif

/* If the condition does not hold, ends the test with its location and text. */
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define EXPECT_RESULT(call, expected)                                                              \
    do {                                                                                           \
        v3doff_result result_ = (call);                                                            \
        if (result_ != (expected)) {                                                               \
            fprintf(stderr, "%s:%d: %s: %s, not %s\n", __FILE__, __LINE__, #call,                  \
                    v3doff_result_text(result_), v3doff_result_text(expected));                    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define EXPECT_OK(call) EXPECT_RESULT(call, V3DOFF_OK)

/* Counts lines, keeps the last, and shows all of them. */
extern char last_log_line[1024];
extern int log_lines;
void watch_log(void);

v3doff_device *open_test_device(v3doff_mode mode);
v3doff_pool *open_test_pool(v3doff_device *device, uint32_t width, uint32_t height);
v3doff_pool *open_format_pool(v3doff_device *device, uint32_t width, uint32_t height,
                              uint32_t bit_depth, v3doff_chroma chroma);
v3doff_picture *open_test_picture(v3doff_pool *pool);

/* A new picture of 8 bits with a pattern of tiles, this many samples wide and high. */
v3doff_picture *open_tiled(v3doff_pool *pool, uint32_t side);

/* Fills the picture's samples and records one 8x8 transform at every place, all from seed. */
void record_something(v3doff_picture *picture, unsigned seed);

v3doff_planes planes_of(v3doff_picture *picture);

/* executor: whose it must have been. */
void submit_and_wait(v3doff_picture *picture);
void finish(v3doff_picture *picture, v3doff_executor executor);

/* A sum over the visible samples. checksum_of: of 8 bits. */
uint64_t checksum_of_depth(v3doff_picture *picture, uint32_t bit_depth);
uint64_t checksum_of(v3doff_picture *picture);

/* What checksum_of must be after the work: done by the library's plain CPU code. */
uint64_t cpu_checksum(uint32_t width, uint32_t height, void (*record)(v3doff_picture *, unsigned),
                      unsigned seed);
uint64_t expected_checksum(uint32_t width, uint32_t height, unsigned seed); /* record_something */

v3doff_picture_report report_of(v3doff_picture *picture);

/* A small picture, which the GPU must do correctly. */
void expect_device_works(v3doff_device *device);

#ifdef __cplusplus
}
#endif

#endif
