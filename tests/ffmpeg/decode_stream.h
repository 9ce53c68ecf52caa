// SPDX-License-Identifier: BSD-2-Clause
// The decode loop of the test programs: decodes a file's video with the program's settings.
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("FAILED: %s, line %d\n", #condition, __LINE__);                                 \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

typedef struct DecodeStream {
    AVFormatContext *file;
    AVCodecContext *context;
    AVPacket *packet;
    AVFrame *frame;
    int index, frames; // so many came out
} DecodeStream;

// prepare: what the program sets before the decoder is opened; codec: null, or one of its own.
static inline bool decode_open(DecodeStream *stream, const char *path, const AVCodec *codec,
                               void (*prepare)(AVCodecContext *context)) {
    const AVCodec *found = NULL;
    *stream = (DecodeStream){0};
    if (avformat_open_input(&stream->file, path, NULL, NULL) < 0) return false;
    avformat_find_stream_info(stream->file, NULL);
    stream->index = av_find_best_stream(stream->file, AVMEDIA_TYPE_VIDEO, -1, -1, &found, 0);
    if (stream->index < 0) return false;
    stream->context = avcodec_alloc_context3(codec ? codec : found);
    avcodec_parameters_to_context(stream->context, stream->file->streams[stream->index]->codecpar);
    prepare(stream->context);
    stream->packet = av_packet_alloc();
    stream->frame = av_frame_alloc();
    return avcodec_open2(stream->context, NULL, NULL) >= 0;
}

// One packet, or the end; false at the end. A damaged or refused packet has no frames.
static inline bool decode_packet(DecodeStream *stream, void (*take)(const AVFrame *frame)) {
    const bool ended = av_read_frame(stream->file, stream->packet) < 0;
    if (ended || stream->packet->stream_index == stream->index)
        avcodec_send_packet(stream->context, ended ? NULL : stream->packet);
    av_packet_unref(stream->packet);
    while (avcodec_receive_frame(stream->context, stream->frame) >= 0) {
        stream->frames++;
        if (take) take(stream->frame);
        av_frame_unref(stream->frame);
    }
    return !ended;
}

static inline bool decode_rewind(DecodeStream *stream) {
    avcodec_flush_buffers(stream->context);
    return av_seek_frame(stream->file, stream->index, 0, AVSEEK_FLAG_BACKWARD) >= 0;
}

static inline void decode_close(DecodeStream *stream) {
    av_frame_free(&stream->frame);
    av_packet_free(&stream->packet);
    avcodec_free_context(&stream->context);
    avformat_close_input(&stream->file);
}
