// SPDX-License-Identifier: BSD-2-Clause
// hwaccel FILE: another hwaccel takes over for a picture now and then, as get_format may choose it
// in mid-stream. It decodes nothing. Pictures before and after are libv3doff's again, and whoever
// waits for one of the hwaccel's, as motion compensation does, goes on.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <libavcodec/avcodec.h>
#include <libavcodec/hwaccel_internal.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>

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

static int fail(const char *what) {
    printf("FAILED: %s\n", what);
    return 1;
}

static int take_frames(AVCodecContext *context, AVFrame *frame) {
    int taken = 0;
    while (avcodec_receive_frame(context, frame) >= 0) {
        taken++;
        av_frame_unref(frame);
    }
    return taken;
}

int main(int count, char **arguments) {
    AVFormatContext *file = NULL;
    const AVCodec *codec = NULL;
    if (count != 2 || avformat_open_input(&file, arguments[1], NULL, NULL) < 0)
        return fail("no such stream");
    avformat_find_stream_info(file, NULL);
    const int index = av_find_best_stream(file, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
    if (index < 0) return fail("no video");
    AVCodecContext *context = avcodec_alloc_context3(codec);
    avcodec_parameters_to_context(context, file->streams[index]->codecpar);
    context->thread_count = 1;
    av_opt_set(context->priv_data, "v3doff", "force", 0);
    if (avcodec_open2(context, codec, NULL) < 0) return fail("the decoder does not open");
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    int sent = 0, frames = 0;
    alarm(60); // who waits for ever
    while (av_read_frame(file, packet) >= 0) {
        if (packet->stream_index == index) {
            context->hwaccel = sent % 5 == 3 ? &nothing.p : NULL;
            avcodec_send_packet(context, packet);
            context->hwaccel = NULL;
            frames += take_frames(context, frame);
            sent++;
        }
        av_packet_unref(packet);
    }
    avcodec_send_packet(context, NULL);
    frames += take_frames(context, frame);
    av_frame_free(&frame);
    av_packet_free(&packet);
    avcodec_free_context(&context);
    avformat_close_input(&file);
    printf("%d packets, %d frames, %d pictures of the hwaccel\n", sent, frames, pictures);
    // VP9's contexts lack what the hwaccel's pictures would have brought: some frames are errors.
    return frames < sent / 3 || !pictures ? fail("frames are missing") : 0;
}
