// SPDX-License-Identifier: BSD-2-Clause
#include "program.h"

#include <stdarg.h>
#include <time.h>
#include <unistd.h>

#include "../ffmpeg/frame_hash.h"

Job job;

// Only the lines of libv3doff: the script that runs the programs reads them. Without stdio's lock
// and buffer, so that a child of fork can write, too.
static void log_line(void *who, int level, const char *format, va_list arguments) {
    char line[600];
    (void)who;
    if (level > AV_LOG_VERBOSE) return;
    const int length = vsnprintf(line, sizeof line, format, arguments);
    if (length > 0 && strstr(line, "libv3doff") &&
        write(2, line, (size_t)(length < (int)sizeof line ? length : (int)sizeof line - 1)) < 0)
        _exit(3);
}

Clip read_clip(const char *path) {
    Clip clip = {0};
    AVFormatContext *file = NULL;
    if (avformat_open_input(&file, path, NULL, NULL) < 0) {
        printf("FAILED: no such stream: %s\n", path);
        exit(2);
    }
    // Reading stream information must not open a device.
    AVDictionary *options[8] = {0};
    for (int i = 0; i < 8; i++)
        av_dict_set(&options[i], "v3doff", "off", 0);
    EXPECT(file->nb_streams <= 8 && avformat_find_stream_info(file, options) >= 0);
    for (int i = 0; i < 8; i++)
        av_dict_free(&options[i]);
    const int index = av_find_best_stream(file, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    EXPECT(index >= 0);
    clip.parameters = avcodec_parameters_alloc();
    EXPECT(avcodec_parameters_copy(clip.parameters, file->streams[index]->codecpar) >= 0);
    clip.time_base = file->streams[index]->time_base;
    AVPacket *packet = av_packet_alloc();
    while (clip.packets < most_packets && av_read_frame(file, packet) >= 0) {
        if (packet->stream_index == index) clip.packet[clip.packets++] = av_packet_clone(packet);
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    avformat_close_input(&file);
    EXPECT(clip.packets > 0);
    return clip;
}

AVCodecContext *open_decoder(const Clip *clip, const char *mode, Prepare *prepare) {
    const AVCodec *codec = avcodec_find_decoder(clip->parameters->codec_id);
    AVCodecContext *context = avcodec_alloc_context3(codec);
    EXPECT(context && avcodec_parameters_to_context(context, clip->parameters) >= 0);
    context->pkt_timebase = clip->time_base;
    context->thread_count = job.threads;
    context->thread_type = FF_THREAD_FRAME;
    if (prepare) prepare(context);
    EXPECT(av_opt_set(context->priv_data, "v3doff", mode, 0) >= 0);
    // Frames one later, where that is possible.
    if (getenv("PROGRAM_DELAY"))
        EXPECT(av_opt_set(context->priv_data, "v3doff_delay", "1", 0) >= 0);
    EXPECT(avcodec_open2(context, codec, NULL) >= 0);
    return context;
}

Player start_playing(const Clip *clip, const char *mode, Prepare *prepare, Take *take,
                     void *opaque) {
    Player player = {.clip = clip, .take = take, .opaque = opaque};
    player.context = open_decoder(clip, mode, prepare);
    player.frame = av_frame_alloc();
    return player;
}

// With frame threads, a packet's error comes in place of its frame.
void take_frames(Player *player) {
    for (int errors = 0; errors < most_packets;) {
        const int result = avcodec_receive_frame(player->context, player->frame);
        if (result == AVERROR(EAGAIN) || result == AVERROR_EOF) return;
        errors += result < 0;
        player->errors += result < 0;
        if (result >= 0 && player->take) player->take(player->frame, player->opaque);
        av_frame_unref(player->frame);
    }
}

void play_packet(Player *player) {
    const AVPacket *packet = player->clip->packet[player->sent % player->clip->packets];
    int result;
    while ((result = avcodec_send_packet(player->context, packet)) == AVERROR(EAGAIN))
        take_frames(player);
    player->errors += result < 0;
    player->sent++;
    take_frames(player);
}

void play_packets(Player *player, int count) {
    for (int i = 0; i < count; i++)
        play_packet(player);
}

void drain(Player *player) {
    avcodec_send_packet(player->context, NULL);
    take_frames(player);
    EXPECT(avcodec_receive_frame(player->context, player->frame) == AVERROR_EOF);
}

void stop_playing(Player *player) {
    av_frame_free(&player->frame);
    avcodec_free_context(&player->context);
}

uint64_t frame_hash(const AVFrame *frame) {
    return hash_frame(frame);
}

void note_frame(AVFrame *frame, void *opaque) {
    Frames *frames = opaque;
    EXPECT(frames->count < most_frames);
    frames->hash[frames->count++] = hash_frame(frame);
}

int decode_clip(const Clip *clip, const char *mode, Prepare *prepare, Frames *frames) {
    frames->count = 0;
    Player player = start_playing(clip, mode, prepare, note_frame, frames);
    play_packets(&player, clip->packets);
    drain(&player);
    stop_playing(&player);
    return player.errors;
}

void expect_first_frames(const Frames *frames, const Frames *expected, const char *what) {
    int wrong = 0, first = -1;
    for (int i = 0; i < frames->count; i++)
        if (i >= expected->count || frames->hash[i] != expected->hash[i]) {
            if (!wrong++) first = i;
        }
    if (!wrong) return;
    printf("FAILED: %s: %d of %d frames are wrong, first %d\n", what, wrong, frames->count, first);
    exit(1);
}

void expect_frames(const Frames *frames, const Frames *expected, const char *what) {
    expect_first_frames(frames, expected, what);
    if (frames->count == expected->count) return;
    printf("FAILED: %s: %d frames instead of %d\n", what, frames->count, expected->count);
    exit(1);
}

long argument(int index, long otherwise) {
    return index < job.arguments ? atol(job.argument[index]) : otherwise;
}

double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int run_cell(int count, char **arguments, const Cell *cells, size_t cell_count) {
    if (count < 5) {
        printf("CELL MODE THREADS FILE [ARGUMENT...]; cells:");
        for (size_t i = 0; i < cell_count; i++)
            printf(" %s", cells[i].name);
        printf("\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    av_log_set_callback(log_line);
    job.cell = arguments[1];
    job.mode = arguments[2];
    job.threads = atoi(arguments[3]);
    job.path = arguments[4];
    job.arguments = count - 5;
    job.argument = arguments + 5;
    job.clip = read_clip(job.path);
    decode_clip(&job.clip, "off", NULL, &job.expected);
    EXPECT(job.expected.count > 0);
    for (size_t i = 0; i < cell_count; i++) {
        if (strcmp(cells[i].name, job.cell)) continue;
        cells[i].run();
        return 0;
    }
    printf("FAILED: no such cell: %s\n", job.cell);
    return 2;
}
