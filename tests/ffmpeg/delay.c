// SPDX-License-Identifier: BSD-2-Clause
// delay FILE: a decoder without frame threads returns each frame one packet later if the program
// asked for that, from the first one on, and at once if it did not. It returns the same frames with
// the same times, all of them when drained, and none from before a seek. There is no delay with
// frame threads or with low_delay.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/dict.h>
#include <libavutil/frame.h>

#include "frame_hash.h"

enum { most = 400 };

typedef struct {
    const char *name;
    const char *mode, *scope; // of -v3doff and -v3doff_scope
    int threads, type, flags;
    int flush_after; // so many packets, then from the beginning again
    int delay;       // of -v3doff_delay
} Setting;

// The result of a stream: after which packet each frame came, and a text that describes it.
typedef struct {
    int frames, packets;
    int packet[most];
    char text[most][160];
} Result;

static int failed;

static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("FAILED: ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    failed = 1;
}

static void take_frames(AVCodecContext *context, AVFrame *frame, Result *result) {
    while (avcodec_receive_frame(context, frame) >= 0) {
        if (result->frames == most) return;
        result->packet[result->frames] = result->packets;
        snprintf(result->text[result->frames++], sizeof result->text[0],
                 "%dx%d type %d flags %x pts %" PRId64 " dts %" PRId64 " time %" PRId64
                 " duration %" PRId64 " %016" PRIx64,
                 frame->width, frame->height, frame->pict_type, (unsigned)frame->flags, frame->pts,
                 frame->pkt_dts, frame->best_effort_timestamp, frame->duration, hash_frame(frame));
        av_frame_unref(frame);
    }
}

static AVCodecContext *open_decoder(const Setting *setting, const AVStream *stream) {
    const AVCodec *codec = avcodec_find_decoder(stream->codecpar->codec_id);
    AVCodecContext *context = avcodec_alloc_context3(codec);
    AVDictionary *options = NULL;
    avcodec_parameters_to_context(context, stream->codecpar);
    context->pkt_timebase = stream->time_base;
    context->thread_count = setting->threads;
    context->thread_type = setting->type;
    context->flags |= setting->flags;
    av_dict_set(&options, "v3doff", setting->mode, 0);
    av_dict_set_int(&options, "v3doff_delay", setting->delay, 0);
    av_dict_set(&options, "v3doff_scope", setting->scope, 0);
    if (avcodec_open2(context, codec, &options) < 0 || av_dict_count(options)) {
        printf("FAILED: the decoder does not open with these options\n");
        exit(2);
    }
    return context;
}

static Result *decode(const Setting *setting, const char *path) {
    static Result results[2];
    static int turn;
    Result *result = &results[turn ^= 1];
    AVFormatContext *file = NULL;
    if (avformat_open_input(&file, path, NULL, NULL) < 0 ||
        avformat_find_stream_info(file, NULL) < 0) {
        printf("FAILED: no such stream: %s\n", path);
        exit(2);
    }
    int index = av_find_best_stream(file, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    AVCodecContext *context = open_decoder(setting, file->streams[index]);
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    memset(result, 0, sizeof *result);
    int flush_after = setting->flush_after;
    while (av_read_frame(file, packet) >= 0) {
        if (packet->stream_index == index) {
            // A decoder accepts the next packet once all its frames were taken.
            if (avcodec_send_packet(context, packet) < 0)
                fail("%s: packet %d is not taken", setting->name, result->packets);
            result->packets++;
            take_frames(context, frame, result);
        }
        av_packet_unref(packet);
        if (flush_after && result->packets == flush_after) {
            flush_after = 0;
            avcodec_flush_buffers(context);
            if (av_seek_frame(file, index, file->streams[index]->start_time, AVSEEK_FLAG_BACKWARD) <
                0)
                fail("%s: no seeking", setting->name);
            memset(result, 0, sizeof *result);
        }
    }
    avcodec_send_packet(context, NULL);
    take_frames(context, frame, result);
    if (avcodec_receive_frame(context, frame) != AVERROR_EOF)
        fail("%s: no end after the end", setting->name);
    av_frame_free(&frame);
    av_packet_free(&packet);
    avcodec_free_context(&context);
    avformat_close_input(&file);
    return result;
}

// The frames of the second are those of the first, so many frames later.
static void compare(const Setting *plain, const Setting *delayed, int later, const char *path) {
    const Result *first = decode(plain, path), *second = decode(delayed, path);
    if (first->frames < 8 || first->frames != second->frames) {
        fail("%s: %d frames instead of %d", delayed->name, second->frames, first->frames);
        return;
    }
    for (int i = 0; i < first->frames; i++) {
        int source = i + later < first->frames ? i + later : first->frames - 1;
        if (strcmp(first->text[i], second->text[i])) {
            fail("%s: frame %d is\n  %s, not\n  %s", delayed->name, i, second->text[i],
                 first->text[i]);
            return;
        }
        if (second->packet[i] != first->packet[source]) {
            fail("%s: frame %d came with packet %d, not %d", delayed->name, i, second->packet[i],
                 first->packet[source]);
            return;
        }
    }
    printf("ok: %s: %d frames, each %d later\n", delayed->name, first->frames, later);
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    const char *path = arguments[1];
    const int slices = FF_THREAD_SLICE, frames = FF_THREAD_FRAME, low = AV_CODEC_FLAG_LOW_DELAY;
    const char *whole = "reconstruction";
    const Setting off = {"off", "off", whole, 1, slices, 0, 0, 1};
    const Setting off_low = {"off, low_delay", "off", whole, 1, slices, low, 0, 1};
    const Setting off_frames = {"off, frame threads", "off", whole, 3, frames, 0, 0, 1};
    compare(&off, &(Setting){"one thread", "force", whole, 1, slices, 0, 0, 1}, 1, path);
    compare(&off, &(Setting){"slice threads", "force", whole, 3, slices, 0, 0, 1}, 1, path);
    compare(&off, &(Setting){"after a seek", "force", whole, 1, slices, 0, 7, 1}, 1, path);
    compare(&off, &(Setting){"filters", "force", "filters", 1, slices, 0, 0, 1}, 1, path);
    compare(&off, &(Setting){"no device yet", "auto", whole, 1, slices, 0, 0, 1}, 1, path);
    compare(&off, &(Setting){"not asked for", "force", whole, 1, slices, 0, 0, 0}, 0, path);
    compare(&off, &(Setting){"not asked for, slices", "force", whole, 3, slices, 0, 7, 0}, 0, path);
    compare(&off_low, &(Setting){"low_delay", "force", whole, 1, slices, low, 0, 1}, 0, path);
    compare(&off_frames, &(Setting){"frame threads", "force", whole, 3, frames, 0, 0, 1}, 0, path);
    return failed;
}
