// SPDX-License-Identifier: BSD-2-Clause
// buffers FILE: frames in the program's own memory, as mpv has them with --vd-lavc-dr: one buffer
// for all planes of a frame. Each layout, with and without frame threads, must give the frames of
// -v3doff off.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>

#include "decode_stream.h"
#include "frame_hash.h"

enum { most_frames = 400 };

struct layout {
    const char *name;
    int alignment; // of strides
    int offset;    // of the first plane in its allocation
    int apart;     // bytes between planes
};
static const struct layout layouts[] = {
    {"aligned to cache lines", 64, 0, 0},
    {"aligned to pages, planes far apart", 256, 4096, 1 << 20},
    {"behind a header", 64, 64, 64},
    {"planes so far apart that they are copied", 64, 0, 8 << 20},
};

static const struct layout *now;
static int gpu; // pictures

static void note_line(void *who, int level, const char *format, va_list arguments) {
    char line[600], *found;
    int pictures;
    (void)who;
    if (level > AV_LOG_VERBOSE) return;
    vsnprintf(line, sizeof line, format, arguments);
    if ((found = strstr(line, "pictures: GPU ")) &&
        sscanf(found, "pictures: GPU %d", &pictures) == 1)
        gpu += pictures;
}

static int get_buffer(AVCodecContext *context, AVFrame *frame, int flags) {
    int width = frame->width, height = frame->height, unaligned[AV_NUM_DATA_POINTERS], sizes = 0;
    ptrdiff_t lines[4];
    size_t size[4];
    (void)flags;
    avcodec_align_dimensions2(context, &width, &height, unaligned);
    // 4:2:0 needs a luma stride of which chroma's is half, as FFmpeg's own have.
    width = FFALIGN(width, 2 * now->alignment);
    if (av_image_fill_linesizes(frame->linesize, frame->format, width) < 0) return -1;
    for (int p = 0; p < 4; p++)
        lines[p] = frame->linesize[p];
    if (av_image_fill_plane_sizes(size, frame->format, FFALIGN(height, 64) + 2, lines) < 0)
        return -1;
    for (int p = 0; p < 4; p++)
        sizes += size[p] ? (int)size[p] + now->apart : 0;
    // FFmpeg's functions read a little beyond the last plane.
    frame->buf[0] = av_buffer_allocz(now->offset + sizes + 256);
    if (!frame->buf[0]) return AVERROR(ENOMEM);
    uint8_t *at = (uint8_t *)FFALIGN((uintptr_t)frame->buf[0]->data, 64) + now->offset;
    for (int p = 0; p < 4 && size[p]; p++, at += size[p - 1] + now->apart)
        frame->data[p] = at;
    frame->extended_data = frame->data;
    return 0;
}

static const char *mode;
static int threads;
static void prepare(AVCodecContext *context) {
    context->get_buffer2 = get_buffer;
    context->thread_count = threads;
    context->thread_type = FF_THREAD_FRAME;
    av_opt_set(context->priv_data, "v3doff", mode, 0);
}

static uint64_t *hashes;
static int frames;
static void take(const AVFrame *frame) {
    if (frames < most_frames) hashes[frames++] = hash_frame(frame);
}

static int decode(const char *path, const char *with, uint64_t *hash) {
    DecodeStream stream;
    mode = with;
    hashes = hash;
    frames = 0;
    if (!decode_open(&stream, path, NULL, prepare)) return -1;
    while (decode_packet(&stream, take)) {
    }
    decode_close(&stream);
    return frames;
}

int main(int count, char **arguments) {
    static uint64_t expected[most_frames], got[most_frames];
    int failed = 0;
    if (count != 2) return 2;
    av_log_set_callback(note_line);
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        for (threads = 1; threads <= 4; threads += 3) {
            now = &layouts[i];
            const int due = decode(arguments[1], "off", expected);
            gpu = 0;
            decode(arguments[1], "force", got);
            const int equal =
                due > 0 && frames == due && !memcmp(got, expected, due * sizeof expected[0]);
            printf("%s: %s, threads %d: %d frames, %d by the device\n", equal ? "ok" : "FAILED",
                   now->name, threads, frames, gpu);
            failed |= !equal || !gpu;
        }
    return failed;
}
