// SPDX-License-Identifier: BSD-2-Clause
// hwaccel FILE: another hwaccel takes over from libv3doff in mid-stream, and returns control later,
// if get_format chooses so. It decodes nothing, but threads that wait for its pictures, such as
// motion compensation, must continue. Frames before it, and all frames of the next pass through the
// stream, equal those of -v3doff off. No frame is lost because frames are returned one later.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <libavcodec/hwaccel_internal.h>

#include "decode_stream.h"
#include "frame_hash.h"

enum { most_frames = 400 };

static int pictures;

#if LIBAVCODEC_VERSION_MAJOR < 62
static int begin(AVCodecContext *context, const uint8_t *data, uint32_t size) {
#else
static int begin(AVCodecContext *context, const AVBufferRef *buffer, const uint8_t *data,
                 uint32_t size) {
    (void)buffer;
#endif
    (void)context, (void)data, (void)size;
    pictures++;
    return 0;
}

static int slice(AVCodecContext *context, const uint8_t *data, uint32_t size) {
    (void)context, (void)data, (void)size;
    return 0;
}

static int end(AVCodecContext *context) {
    (void)context;
    return 0;
}

static const FFHWAccel nothing = {
    .p.name = "nothing", .start_frame = begin, .decode_slice = slice, .end_frame = end};

static uint64_t expected[most_frames];
static int due, seen, equal;
static const char *mode = "off";
static int delay;                  // of -v3doff_delay
static int frames[8], pass_number; // of each pass without a delay

static void prepare(AVCodecContext *context) {
    context->thread_count = 1;
    av_opt_set(context->priv_data, "v3doff", mode, 0);
    av_opt_set_int(context->priv_data, "v3doff_delay", delay, 0);
}

static void expect_frame(const AVFrame *frame) {
    if (due < most_frames) expected[due++] = hash_frame(frame);
}

static void compare_frame(const AVFrame *frame) {
    if (seen < due) equal += hash_frame(frame) == expected[seen];
    seen++;
}

static bool never(int packet, int packets) {
    (void)packet, (void)packets;
    return false;
}
static bool second_half(int packet, int packets) {
    return packet >= packets / 2;
}
static bool first_half(int packet, int packets) {
    return packet < packets / 2;
}
static bool now_and_then(int packet, int packets) {
    (void)packets;
    return packet % 5 == 3;
}

static int packets;

// One pass. The comparison ends at the hwaccel's first picture.
static int pass(DecodeStream *stream, const char *what, bool (*is_its)(int packet, int packets)) {
    int packet = 0, before = -1;
    seen = equal = pictures = stream->frames = 0;
    for (bool more = true; more; packet++) {
        const bool its = is_its(packet, packets);
        if (its && before < 0) before = seen;
        stream->context->hwaccel = its ? &nothing.p : NULL;
        more = decode_packet(stream, before < 0 ? compare_frame : NULL);
        stream->context->hwaccel = NULL;
    }
    packets = packet - 1;
    if (before < 0) before = due;
    int *const wanted = &frames[pass_number++];
    if (!delay) *wanted = stream->frames;
    const int failed =
        !decode_rewind(stream) || seen != before || equal != before || stream->frames != *wanted;
    printf("%s: delay %d: %s: %d of %d frames before the hwaccel are equal, %d pictures of the "
           "hwaccel, %d of %d frames\n",
           failed ? "FAILED" : "ok", delay, what, equal, before, pictures, stream->frames, *wanted);
    return failed;
}

static int passes(const char *path) {
    DecodeStream stream;
    if (!decode_open(&stream, path, NULL, prepare)) return 2;
    int failed = !due || pass(&stream, "libv3doff", never);
    failed |= pass(&stream, "then the hwaccel", second_half) || !pictures;
    failed |= pass(&stream, "back from it", first_half) || !pictures;
    failed |= pass(&stream, "now and then the hwaccel", now_and_then) || !pictures;
    failed |= pass(&stream, "libv3doff again", never);
    decode_close(&stream);
    return failed;
}

int main(int count, char **arguments) {
    DecodeStream stream;
    if (count != 2 || !decode_open(&stream, arguments[1], NULL, prepare)) return 2;
    alarm(60); // ends the test if a thread waits forever
    while (decode_packet(&stream, expect_frame)) {
    }
    decode_close(&stream);
    mode = "force";
    const int failed = passes(arguments[1]);
    delay = 1, pass_number = 0;
    return passes(arguments[1]) | failed;
}
