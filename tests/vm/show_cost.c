// SPDX-License-Identifier: BSD-2-Clause
// show_cost STREAM SCOPE HANDED FIRST LAST: the instructions of decoding each frame from FIRST to
// before LAST and handing it to a player, kernel and all threads together. SCOPE: off, filters,
// reconstruction. HANDED: plain, as the decoder has it; copied, then into a buffer of the player,
// as for an upload; drm, as DRM_PRIME. Run by the guest of show_cost, whose clocks count
// instructions: each nanosecond is one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <libavutil/hwcontext.h>
#include <libavutil/hwcontext_drm.h>
#include <libavutil/imgutils.h>

#include "decode_stream.h"

static const char *scope, *handed;
static int first, last, seen;
static uint8_t *upload;
static AVBufferRef *device;

static int64_t instructions(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void copy(const AVFrame *frame) {
    const int size = av_image_get_buffer_size(frame->format, frame->width, frame->height, 64);
    if (!upload) upload = av_malloc(size);
    uint8_t *planes[4];
    int lines[4];
    EXPECT(av_image_fill_arrays(planes, lines, upload, frame->format, frame->width, frame->height,
                                64) == size);
    av_image_copy(planes, lines, (const uint8_t **)frame->data, frame->linesize, frame->format,
                  frame->width, frame->height);
}

static void take(const AVFrame *frame) {
    static int64_t begin;
    EXPECT((frame->format == AV_PIX_FMT_DRM_PRIME) == !strcmp(handed, "drm"));
    if (!strcmp(handed, "copied")) copy(frame);
    seen++;
    if (seen == first) begin = instructions();
    if (seen != last) return;
    printf("%s, %s: %.3f M instructions a frame\n", scope, handed,
           (double)(instructions() - begin) / 1e6 / (last - first));
    exit(0);
}

static void prepare(AVCodecContext *context) {
    const bool off = !strcmp(scope, "off");
    context->thread_count = 1;
    if (!strcmp(handed, "drm")) context->hw_device_ctx = av_buffer_ref(device);
    av_opt_set(context->priv_data, "v3doff", off ? "off" : "force", 0);
    if (!off) av_opt_set(context->priv_data, "v3doff_scope", scope, 0);
}

int main(int count, char **arguments) {
    EXPECT(count == 6);
    scope = arguments[2];
    handed = arguments[3];
    first = atoi(arguments[4]);
    last = atoi(arguments[5]);
    device = av_hwdevice_ctx_alloc(AV_HWDEVICE_TYPE_DRM);
    EXPECT(device);
    ((AVDRMDeviceContext *)((AVHWDeviceContext *)device->data)->hwctx)->fd = -1;
    EXPECT(av_hwdevice_ctx_init(device) >= 0);
    DecodeStream stream;
    EXPECT(decode_open(&stream, arguments[1], NULL, prepare));
    while (decode_packet(&stream, take)) {
    }
    EXPECT(!"a stream that is long enough");
    return 1;
}
