// SPDX-License-Identifier: BSD-2-Clause
// In place of FFmpeg's functions where they are not built in: there is no version and no table.
#include "ffdsp.h"
#include "ffdsp_h264_filter.h"

const char *ffdsp_version() {
    return nullptr;
}
const char *ffdsp_cpu_flag_names() {
    return "none";
}
const char *ffdsp_vectors() {
    return "none";
}
void ffdsp_emms() {}

const FfdspVp9 *ffdsp_vp9(int, int) {
    return nullptr;
}
const int16_t *ffdsp_vp9_scan(int, int) {
    return nullptr;
}
FfdspVp9Filter *ffdsp_vp9_filter_open(int, int, int, int, int) {
    return nullptr;
}
void ffdsp_vp9_filter_superblock(FfdspVp9Filter *, uint8_t *const *, const ptrdiff_t *,
                                 const uint8_t *, int, int) {}
void ffdsp_vp9_filter_close(FfdspVp9Filter *) {}

const FfdspH264 *ffdsp_h264(int, int, int) {
    return nullptr;
}
int ffdsp_filter_picture(const FfdspFilter *, int, FfdspFilterRecord, void *) {
    return -1;
}
