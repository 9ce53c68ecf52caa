// SPDX-License-Identifier: BSD-2-Clause
// frames off|force THREADS frame|slice FILE: decodes FILE's video. Prints a line for each frame: its size, a hash of
// its samples, its fields, and its side data.
//
// Samples that a damaged stream leaves out keep the buffer's old content. In ffmpeg this depends on
// when another thread freed the last frame. This program fills every buffer first, so a remaining
// difference is a read of samples that were not final, or a wrong sample.
// In the environment: FRAMES_PLAIN_C: only FFmpeg's C functions. FRAMES_NOT_CONCEALED: errors are
// not concealed. FRAMES_FAST: -flags2 fast, with which slice threads filter each slice separately.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/cpu.h>
#include <libavutil/frame.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>

#include "frame_hash.h"

static int get_filled_buffer(AVCodecContext *context, AVFrame *frame, int flags) {
    int result = avcodec_default_get_buffer2(context, frame, flags);
    const int deep = av_pix_fmt_desc_get(frame->format)->comp[0].depth > 8;
    for (int p = 0; result >= 0 && p < AV_NUM_DATA_POINTERS && frame->data[p]; p++) {
        AVBufferRef *buffer = av_frame_get_plane_buffer(frame, p);
        // With two bytes per sample, this is also a valid 9-bit sample.
        memset(frame->data[p], deep ? 1 : 0x5a + p, buffer->data + buffer->size - frame->data[p]);
    }
    return result;
}

static void print_frame(const AVFrame *frame) {
    printf("%dx%d %016" PRIx64, frame->width, frame->height, hash_frame(frame));
    if (frame->flags & AV_FRAME_FLAG_INTERLACED)
        printf(" %s first", frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST ? "top" : "bottom");
    printf(" %c %d", av_get_picture_type_char(frame->pict_type), frame->repeat_pict);
    for (int i = 0; i < frame->nb_side_data; i++) {
        const AVFrameSideData *data = frame->side_data[i];
        printf(" %s %016" PRIx64, av_frame_side_data_name(data->type), hash_row(0, data->data, data->size));
    }
    printf("\n");
}

static void take_frames(AVCodecContext *context, AVFrame *frame) {
    while (avcodec_receive_frame(context, frame) >= 0) {
        print_frame(frame);
        av_frame_unref(frame);
    }
}

static int fail(const char *what) {
    fprintf(stderr, "frames: %s\n", what);
    return 2;
}

int main(int count, char **arguments) {
    if (count != 5) return fail("off|force THREADS frame|slice FILE");
    if (getenv("FRAMES_PLAIN_C")) av_force_cpu_flags(0);
    AVFormatContext *file = NULL;
    if (avformat_open_input(&file, arguments[4], NULL, NULL) < 0) return fail("no such stream");
    avformat_find_stream_info(file, NULL);
    const AVCodec *codec = NULL;
    int index = av_find_best_stream(file, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
    if (index < 0) return fail("no video");
    AVCodecContext *context = avcodec_alloc_context3(codec);
    avcodec_parameters_to_context(context, file->streams[index]->codecpar);
    context->get_buffer2 = get_filled_buffer;
    if (getenv("FRAMES_NOT_CONCEALED")) context->error_concealment = 0;
    if (getenv("FRAMES_FAST")) context->flags2 |= AV_CODEC_FLAG2_FAST;
    // The decoder waits for a frame that it returns. With this delay, later pictures are predicted
    // from it before that.
    if (codec->id == AV_CODEC_ID_H264) context->has_b_frames = 3;
    context->thread_count = atoi(arguments[2]);
    context->thread_type = strcmp(arguments[3], "slice") ? FF_THREAD_FRAME : FF_THREAD_SLICE;
    if (av_opt_set(context->priv_data, "v3doff", arguments[1], 0) < 0) return fail("no -v3doff");
    if (getenv("FRAMES_LATER")) av_opt_set(context->priv_data, "v3doff_delay", "1", 0);
    if (avcodec_open2(context, codec, NULL) < 0) return fail("the decoder does not open");
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    while (av_read_frame(file, packet) >= 0) {
        if (packet->stream_index == index) {
            while (avcodec_send_packet(context, packet) == AVERROR(EAGAIN))
                take_frames(context, frame);
            take_frames(context, frame);
        }
        av_packet_unref(packet);
    }
    avcodec_send_packet(context, NULL);
    take_frames(context, frame);
    av_frame_free(&frame);
    av_packet_free(&packet);
    avcodec_free_context(&context);
    avformat_close_input(&file);
    return 0;
}
