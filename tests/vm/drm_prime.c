// SPDX-License-Identifier: BSD-2-Clause
// drm_prime STREAM [--scope S] [--threads N] [--frames N] [--hold N] [--choose always|in-turn]
// [--expect drm|plain|both] [--consumer process|egl]:
// frames that libavcodec hands out as DRM_PRIME have the samples of plain ones: downloaded, mapped,
// and read by another process, or by GL as textures. Held ones keep theirs, and none leaves
// anything behind. in-turn: every other time that it is asked, at each change of size, the program
// chooses plain frames. The decoder says of each picture whether the device reconstructed it. Run
// by guest_init inside the virtual machine.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libavutil/hwcontext.h>
#include <libavutil/hwcontext_drm.h>

#include "decode_stream.h"
#include "drm_reader.h"
#include "egl_reader.h"
#include "frame_hash.h"

enum { most_frames = 64, most_held = 64 };

static struct {
    const char *stream, *scope, *expect, *choose, *consumer;
    int threads, frames, hold;
} options = {.scope = "filters",
             .expect = "drm",
             .choose = "always",
             .consumer = "process",
             .threads = 1,
             .frames = 1};

// By the device, which the decoder says when it is closed.
static int reconstructed;
static void note_line(void *who, int level, const char *format, va_list arguments) {
    static const char word[] = "reconstructed: GPU ";
    char line[600];
    if (level > AV_LOG_INFO) return;
    vsnprintf(line, sizeof line, format, arguments);
    const char *found = strstr(line, word);
    if (found) reconstructed += atoi(found + strlen(word));
    (void)who;
}

// What a frame says beside its samples; plain and exported ones say the same.
typedef struct Said {
    uint64_t hash;
    int64_t pts;
    int width, height, side_data;
    size_t crop_left, crop_top, crop_right, crop_bottom;
    enum AVColorRange range;
    enum AVColorSpace space;
} Said;

static Said expected[most_frames];
static int due, seen, exported, plain;
static struct Held {
    AVFrame *frame;
    uint64_t hash;
} held[most_held];

static Said said_by(const AVFrame *frame, uint64_t hash) {
    Said said;
    memset(&said, 0, sizeof said);
    said.hash = hash;
    said.pts = frame->pts;
    said.width = frame->width;
    said.height = frame->height;
    said.side_data = frame->nb_side_data;
    said.crop_left = frame->crop_left;
    said.crop_top = frame->crop_top;
    said.crop_right = frame->crop_right;
    said.crop_bottom = frame->crop_bottom;
    said.range = frame->color_range;
    said.space = frame->colorspace;
    return said;
}

static void expect_frame(const AVFrame *frame) {
    EXPECT(due < most_frames);
    expected[due++] = said_by(frame, hash_frame(frame));
}

static uint64_t hash_downloaded(const AVFrame *frame) {
    AVFrame *copy = av_frame_alloc();
    EXPECT(av_hwframe_transfer_data(copy, frame, 0) >= 0);
    const uint64_t hash = hash_frame(copy);
    av_frame_free(&copy);
    return hash;
}

static uint64_t hash_mapped(const AVFrame *frame) {
    AVFrame *map = av_frame_alloc();
    map->format = ((AVHWFramesContext *)frame->hw_frames_ctx->data)->sw_format;
    EXPECT(av_hwframe_map(map, frame, AV_HWFRAME_MAP_READ) >= 0);
    const uint64_t hash = hash_frame(map);
    av_frame_free(&map);
    return hash;
}

static uint64_t hash_elsewhere(const AVFrame *frame) {
    const AVDRMFrameDescriptor *descriptor = (const AVDRMFrameDescriptor *)frame->data[0];
    const AVDRMLayerDescriptor *layer = &descriptor->layers[0];
    EXPECT(descriptor->nb_objects == 1 && descriptor->nb_layers == 1 && layer->nb_planes == 3);
    EXPECT(layer->format == MKTAG('Y', 'U', '1', '2'));
    EXPECT(descriptor->objects[0].format_modifier == 0);
    DrmPicture picture = {
        .size = descriptor->objects[0].size, .width = frame->width, .height = frame->height};
    for (int p = 0; p < 3; p++) {
        EXPECT(layer->planes[p].object_index == 0);
        picture.offset[p] = layer->planes[p].offset;
        picture.pitch[p] = layer->planes[p].pitch;
    }
    const int fd = descriptor->objects[0].fd;
    uint64_t hash = 0;
    if (strcmp(options.consumer, "egl")) {
        EXPECT(drm_reader_hash(fd, &picture, &hash));
        return hash;
    }
    int difference = 0;
    EXPECT(egl_reader_hash(fd, &picture, &hash));
    EXPECT(egl_reader_difference(fd, &picture, &difference));
    EXPECT(difference <= 2);
    return hash;
}

static AVCodecContext *decoder; // of the stream that is open

// Whose samples must still be there when it is let go of.
static void hold(const AVFrame *frame, uint64_t hash) {
    struct Held *place = &held[seen % options.hold];
    if (place->frame) EXPECT(hash_mapped(place->frame) == place->hash);
    av_frame_free(&place->frame);
    place->frame = av_frame_clone(frame);
    place->hash = hash;
}

static void compare_frame(const AVFrame *frame) {
    const Said *now = &expected[seen % due];
    uint64_t hash = 0;
    if (frame->format == AV_PIX_FMT_DRM_PRIME) {
        EXPECT(decoder->pix_fmt == AV_PIX_FMT_DRM_PRIME);
        EXPECT(decoder->sw_pix_fmt == AV_PIX_FMT_YUV420P);
        hash = hash_mapped(frame);
        EXPECT(hash_downloaded(frame) == hash);
        EXPECT(hash_elsewhere(frame) == hash);
        exported++;
        if (options.hold) hold(frame, hash);
    } else {
        hash = hash_frame(frame);
        plain++;
    }
    const Said said = said_by(frame, hash);
    if (memcmp(&said, now, sizeof said)) {
        printf("FAILED: frame %d: %dx%d, pts %d, hash %llx; %dx%d, pts %d, hash %llx is due\n",
               seen, said.width, said.height, (int)said.pts, (unsigned long long)said.hash,
               now->width, now->height, (int)now->pts, (unsigned long long)now->hash);
        exit(1);
    }
    seen++;
}

static enum AVPixelFormat choose(AVCodecContext *context, const enum AVPixelFormat *formats) {
    static int asked;
    const bool wanted = !strcmp(options.choose, "always") || asked++ % 2 == 0;
    const enum AVPixelFormat *at = formats;
    while (*at != AV_PIX_FMT_NONE && *at != (wanted ? AV_PIX_FMT_DRM_PRIME : AV_PIX_FMT_YUV420P))
        at++;
    return *at == AV_PIX_FMT_NONE ? avcodec_default_get_format(context, formats) : *at;
}

static AVBufferRef *device; // null: plain frames
static void prepare(AVCodecContext *context) {
    decoder = context;
    context->thread_count = options.threads;
    if (device) {
        context->hw_device_ctx = av_buffer_ref(device);
        context->get_format = choose;
    }
    av_opt_set(context->priv_data, "v3doff", device ? "force" : "off", 0);
    av_opt_set(context->priv_data, "v3doff_scope", options.scope, 0);
}

// Goes through the stream until there were so many frames.
static void decode(int frames, const int *count, void (*take)(const AVFrame *),
                   void (*passed)(void)) {
    DecodeStream stream;
    EXPECT(decode_open(&stream, options.stream, NULL, prepare));
    do {
        while (decode_packet(&stream, take)) {
        }
        EXPECT(decode_rewind(&stream));
        if (passed) passed();
    } while (*count < frames);
    decode_close(&stream);
}

// Once all places for held frames are taken, another pass takes nothing more.
static int most_descriptors;
static void count_descriptors(void) {
    const int now = drm_descriptors();
    if (seen <= 2 * due + options.hold)
        most_descriptors = now;
    else
        EXPECT(now <= most_descriptors);
}

static AVBufferRef *make_device(void) {
    // None is opened: frames that are handed out need no node of a display.
    AVBufferRef *made = av_hwdevice_ctx_alloc(AV_HWDEVICE_TYPE_DRM);
    EXPECT(made);
    ((AVDRMDeviceContext *)((AVHWDeviceContext *)made->data)->hwctx)->fd = -1;
    EXPECT(av_hwdevice_ctx_init(made) >= 0);
    return made;
}

static void parse(int count, char **arguments) {
    EXPECT(count >= 2 && count % 2 == 0);
    options.stream = arguments[1];
    for (int i = 2; i < count; i += 2) {
        const char *name = arguments[i], *value = arguments[i + 1];
        if (!strcmp(name, "--scope"))
            options.scope = value;
        else if (!strcmp(name, "--expect"))
            options.expect = value;
        else if (!strcmp(name, "--choose"))
            options.choose = value;
        else if (!strcmp(name, "--consumer"))
            options.consumer = value;
        else if (!strcmp(name, "--threads"))
            options.threads = atoi(value);
        else if (!strcmp(name, "--frames"))
            options.frames = atoi(value);
        else if (!strcmp(name, "--hold"))
            options.hold = atoi(value);
        else
            EXPECT(!"a known option");
    }
    EXPECT(options.hold <= most_held);
}

int main(int count, char **arguments) {
    parse(count, arguments);
    const bool egl = !strcmp(options.consumer, "egl");
    EXPECT(egl || drm_reader_start());
    alarm(1200); // who waits for ever
    av_log_set_callback(note_line);
    decode(1, &due, expect_frame, NULL);
    const int descriptors = drm_descriptors();
    EXPECT(!egl || egl_reader_start());
    device = make_device();
    decode(options.frames, &seen, compare_frame, count_descriptors);
    int held_now = 0;
    for (int i = 0; i < most_held; i++) {
        if (!held[i].frame) continue;
        held_now++;
        EXPECT(hash_mapped(held[i].frame) == held[i].hash); // the decoder is closed
        av_frame_free(&held[i].frame);
    }
    av_buffer_unref(&device);
    if (egl) egl_reader_end();
    printf("%d frames as DRM_PRIME, %d plain; %d reconstructed; %d held; "
           "descriptors: %d before, %d after\n",
           exported, plain, reconstructed, held_now, descriptors, drm_descriptors());
    EXPECT(seen >= options.frames && seen % due == 0);
    EXPECT(strcmp(options.expect, "drm") || !plain);
    EXPECT(strcmp(options.expect, "plain") || !exported);
    EXPECT(strcmp(options.expect, "both") || (plain && exported));
    EXPECT(strcmp(options.expect, "drm") ||
           (reconstructed > 0) == !strcmp(options.scope, "reconstruction"));
    EXPECT(drm_descriptors() <= descriptors);
    return 0;
}
