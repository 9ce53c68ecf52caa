/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory_player SMALL LARGE: a player on a machine that has too little memory for libv3doff.
 * Decodes the large stream with the patched libavcodec under limits of the address space
 * (RLIMIT_AS), from less than is in use to plenty. Playback must continue, with the frames of a
 * decode without libv3doff. The small stream is decoded first, so that the driver has compiled its
 * shaders.
 */
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { most_packets = 200, most_frames = 200 };

#define EXPECT(what)                                                                               \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what);                     \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#include "../address_space.h"
#include "frame_hash.h"

struct stream {
    AVCodecParameters *parameters;
    AVPacket *packet[most_packets];
    int packets;
};

struct outcome {
    uint64_t hash[most_frames];
    int frames, gpu, cpu;
    int error; /* of FFmpeg, 0: none */
    int felt;  /* libv3doff said that it lacked memory */
};

static struct outcome *now; /* what the log is about */

static void note_line(void *who, int level, const char *format, va_list arguments) {
    char line[600], *found;
    (void)who;
    if (level > AV_LOG_VERBOSE || !now) return;
    vsnprintf(line, sizeof line, format, arguments);
    if ((found = strstr(line, "pictures: GPU ")))
        EXPECT(sscanf(found, "pictures: GPU %d, CPU %d", &now->gpu, &now->cpu) == 2);
    if (strstr(line, "libv3doff") && (strstr(line, "memory") || strstr(line, "MEMORY")) &&
        (strstr(line, "not taken") || strstr(line, "OUT_OF") || strstr(line, "on the CPU")))
        now->felt = 1;
    if (getenv("MEMORY_PLAYER_LOG")) fputs(line, stderr);
}

static struct stream read_stream(const char *name) {
    struct stream stream = {0};
    AVFormatContext *file = NULL;
    EXPECT(avformat_open_input(&file, name, NULL, NULL) == 0);
    EXPECT(avformat_find_stream_info(file, NULL) >= 0 && file->nb_streams == 1);
    stream.parameters = avcodec_parameters_alloc();
    EXPECT(avcodec_parameters_copy(stream.parameters, file->streams[0]->codecpar) >= 0);
    for (;;) {
        AVPacket *packet = av_packet_alloc();
        EXPECT(packet && stream.packets < most_packets);
        if (av_read_frame(file, packet) < 0) {
            av_packet_free(&packet);
            break;
        }
        stream.packet[stream.packets++] = packet;
    }
    avformat_close_input(&file);
    EXPECT(stream.packets > 0);
    return stream;
}

static AVCodecContext *open_decoder(const struct stream *stream, const char *mode) {
    AVCodecContext *decoder = avcodec_alloc_context3(NULL);
    AVDictionary *options = NULL;
    if (!decoder) return NULL;
    if (avcodec_parameters_to_context(decoder, stream->parameters) < 0 ||
        av_dict_set(&options, "v3doff", mode, 0) < 0 ||
        avcodec_open2(decoder, avcodec_find_decoder(stream->parameters->codec_id), &options) < 0)
        avcodec_free_context(&decoder);
    av_dict_free(&options);
    return decoder;
}

static int take_frames(AVCodecContext *decoder, AVFrame *frame, struct outcome *to) {
    int result;
    while ((result = avcodec_receive_frame(decoder, frame)) >= 0) {
        EXPECT(frame->format == AV_PIX_FMT_YUV420P && to->frames < most_frames);
        to->hash[to->frames++] = hash_frame(frame);
        av_frame_unref(frame);
    }
    return result == AVERROR(EAGAIN) || result == AVERROR_EOF ? 0 : result;
}

/* Stops at the first error, as a player may. */
static void decode_with(AVCodecContext *decoder, const struct stream *stream, struct outcome *to) {
    AVFrame *frame = av_frame_alloc();
    to->error = frame ? 0 : AVERROR(ENOMEM);
    for (int i = 0; i <= stream->packets && !to->error; i++) {
        to->error = avcodec_send_packet(decoder, i < stream->packets ? stream->packet[i] : NULL);
        if (!to->error) to->error = take_frames(decoder, frame, to);
    }
    av_frame_free(&frame);
}

static struct outcome decode(const struct stream *stream, const char *mode) {
    struct outcome outcome = {.error = AVERROR(ENOMEM)};
    now = &outcome;
    AVCodecContext *decoder = open_decoder(stream, mode);
    if (decoder) decode_with(decoder, stream, &outcome);
    avcodec_free_context(&decoder); /* says what it did */
    now = NULL;
    return outcome;
}

static struct outcome decode_within(const struct stream *stream, const char *mode,
                                    ptrdiff_t bytes) {
    struct rlimit limit;
    EXPECT(getrlimit(RLIMIT_AS, &limit) == 0);
    limit.rlim_cur = address_space() + (size_t)bytes;
    EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
    struct outcome outcome = decode(stream, mode);
    limit.rlim_cur = RLIM_INFINITY;
    EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
    return outcome;
}

static void expect_frames(const struct outcome *is, const struct outcome *should) {
    EXPECT(is->frames == should->frames);
    EXPECT(memcmp(is->hash, should->hash, (size_t)is->frames * sizeof is->hash[0]) == 0);
}

int main(int count, char **names) {
    EXPECT(count == 3);
    /* Otherwise earlier decoders would leave their devices open. */
    EXPECT(!setenv("V3DOFF_KEEP", "off", 1));
    setvbuf(stdout, NULL, _IOLBF, 0);
    av_log_set_callback(note_line);
    /*
     * The limit applies to what libv3doff maps and to large blocks; everything else has room in the
     * heap. With less memory lavapipe would crash, not the player: it allocates a workgroup's
     * frames while that runs, and writes to them without a check.
     */
    EXPECT(mallopt(M_MMAP_THRESHOLD, 512 << 10) && mallopt(M_TRIM_THRESHOLD, 1 << 30) &&
           mallopt(M_TOP_PAD, 256 << 20) && mallopt(M_ARENA_MAX, 1));
    struct stream small = read_stream(names[1]), large = read_stream(names[2]);
    const struct outcome expected = decode(&large, "off");
    EXPECT(!expected.error && expected.frames > 5 && !expected.gpu);
    /* The device is open as long as one decoder has it, and opening it takes a driver's memory. */
    AVCodecContext *keeps_device = open_decoder(&small, "force");
    struct outcome first = {0}, whole;
    EXPECT(keeps_device);
    decode_with(keeps_device, &small, &first);
    whole = decode(&large, "force");
    EXPECT(!first.error);
    EXPECT(!whole.error && whole.gpu >= expected.frames / 2 && !whole.cpu);
    expect_frames(&whole, &expected);

    const int megabytes[] = {-64, -8, -4, -2, 0, 1, 2, 4, 8, 16, 64}; /* beyond what is in use */
    int felt = 0;
    for (size_t i = 0; i < sizeof megabytes / sizeof megabytes[0]; i++) {
        const ptrdiff_t bytes = (ptrdiff_t)megabytes[i] * (1 << 20);
        struct outcome off = decode_within(&large, "off", bytes);
        struct outcome force = decode_within(&large, "force", bytes);
        printf("%3d MiB: off %d frames%s; force %d frames%s, GPU %d, CPU %d%s\n", megabytes[i],
               off.frames, off.error ? ", refused" : "", force.frames,
               force.error ? ", refused" : "", force.gpu, force.cpu,
               force.felt ? ", memory refused" : "");
        EXPECT(!off.error && !force.error);
        expect_frames(&force, &expected);
        felt += force.felt;
    }
    whole = decode(&large, "force");
    EXPECT(!whole.error && !whole.cpu);
    expect_frames(&whole, &expected);
    printf("%d limits felt, all frames the same\n", felt);
    EXPECT(felt > 0); /* logged only once in a process */
    avcodec_free_context(&keeps_device);
    return 0;
}
