/* SPDX-License-Identifier: BSD-2-Clause */
/* Adds a residual block to a picture, on a Vulkan device if there is one. cc add_block.c $(pkg-config --cflags --libs libv3doff) */
#include <stdio.h>
#include <string.h>
#include <v3doff/vp9.h>

int main(void) {
    v3doff_device_info info = {.struct_size = sizeof info, .mode = V3DOFF_MODE_FORCE}; /* software devices, too */
    v3doff_pool_info format = {sizeof format, 64, 64, 8, V3DOFF_CHROMA_420, 0, V3DOFF_MEMORY_AUTO, {0}};
    v3doff_planes planes = {.struct_size = sizeof planes};
    v3doff_picture_report report = {.struct_size = sizeof report};
    v3doff_device *device = NULL;
    v3doff_pool *pool = NULL;
    v3doff_picture *picture = NULL;
    int16_t coefficients[64] = {800}; /* cleared by the call that records them */

    if (v3doff_device_create(&device, &info) < 0) { /* no Vulkan: the same calls, and bits, on the CPU */
        info.mode = V3DOFF_MODE_CPU;
        v3doff_device_create(&device, &info);
    }
    v3doff_pool_create(&pool, device, &format);
    v3doff_picture_open(&picture, pool, NULL);
    v3doff_picture_get_planes(picture, &planes);
    memset(planes.data[0], 100, planes.stride[0] * 64);
    v3doff_vp9_record_itx(picture, 0, 0, 8, 8, V3DOFF_VP9_TX_8X8, V3DOFF_VP9_DCT_DCT, 1, coefficients);
    v3doff_picture_submit(picture, NULL);
    v3doff_result result = v3doff_picture_wait(picture, UINT64_MAX);
    v3doff_picture_get_report(picture, &report);
    const int sample = ((uint8_t *)planes.data[0])[planes.stride[0] * 8 + 8];
    printf("%s: the sample is %d, made by the %s\n", v3doff_result_text(result), sample,
           report.executor == V3DOFF_EXECUTOR_GPU ? "GPU" : "CPU");
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
    return result != V3DOFF_OK || sample != 113;
}
