// SPDX-License-Identifier: BSD-2-Clause
// Settings of a decoder that few programs use. Each decode is compared with one that has the same
// settings and -v3doff off.
#define _GNU_SOURCE
#include <dirent.h>

#include "client.h"

enum { most_formats = 16 };
static int chosen_entry, offered; // of get_format
static int format_calls;

// A text for all that a program may read of a frame beside the samples.
typedef struct Texts {
    int count;
    char text[most_frames][200];
} Texts;

static void note_text(AVFrame *frame, void *opaque) {
    Texts *texts = opaque;
    EXPECT(texts->count < most_frames);
    unsigned side = 0;
    for (int i = 0; i < frame->nb_side_data; i++)
        side = side * 31 + (unsigned)frame->side_data[i]->type * 7 +
               (unsigned)frame->side_data[i]->size;
    snprintf(texts->text[texts->count++], sizeof texts->text[0],
             "%dx%d %016" PRIx64 " pts %" PRId64
             " flags %x ratio %d:%d opaque %p side data %d %x corrupt %d",
             frame->width, frame->height, frame_hash(frame), frame->pts, (unsigned)frame->flags,
             frame->sample_aspect_ratio.num, frame->sample_aspect_ratio.den, frame->opaque,
             frame->nb_side_data, side, frame->decode_error_flags);
}

typedef void Step(Player *player, int packet);

static void decode_texts(const char *mode, Prepare *prepare, Step *step, Texts *texts) {
    Player player = start_playing(&job.clip, mode, prepare, note_text, texts);
    texts->count = 0;
    for (int i = 0; i < job.clip.packets; i++) {
        if (step) step(&player, i);
        play_packet(&player);
    }
    drain(&player);
    stop_playing(&player);
}

static void compare_texts(Prepare *prepare, Step *step) {
    static Texts off, now;
    decode_texts("off", prepare, step, &off);
    decode_texts(job.mode, prepare, step, &now);
    int differ = 0;
    for (int i = 0; i < off.count || i < now.count; i++) {
        if (i < off.count && i < now.count && !strcmp(off.text[i], now.text[i])) continue;
        if (!differ++)
            printf("FAILED: frame %d is\n  %s, not\n  %s\n", i,
                   i < now.count ? now.text[i] : "missing",
                   i < off.count ? off.text[i] : "missing");
    }
    if (!differ) return;
    printf("FAILED: %d frames differ\n", differ);
    exit(1);
}

static enum AVPixelFormat choose_format(AVCodecContext *context,
                                        const enum AVPixelFormat *formats) {
    (void)context;
    format_calls++;
    for (offered = 0; formats[offered] != AV_PIX_FMT_NONE;)
        offered++;
    return chosen_entry < offered ? formats[chosen_entry] : AV_PIX_FMT_NONE;
}
static void use_choice(AVCodecContext *context) {
    context->get_format = choose_format;
}

// The program chooses each entry in turn, and none at all: frames as with off, or none.
void get_format(void) {
    for (chosen_entry = 0; !chosen_entry || chosen_entry <= offered; chosen_entry++)
        compare_texts(use_choice, NULL);
    printf("%d formats were offered, in %d calls\n", offered, format_calls);
    EXPECT(format_calls > 1);
}

static int skip_of(int packet, unsigned salt) {
    static const int values[] = {AVDISCARD_DEFAULT, AVDISCARD_NONREF,  AVDISCARD_NONE,
                                 AVDISCARD_BIDIR,   AVDISCARD_DEFAULT, AVDISCARD_NONKEY,
                                 AVDISCARD_ALL};
    return values[((unsigned)packet * 2654435761u + salt) >> 8 & 7 ? ((unsigned)packet + salt) % 7
                                                                   : 0];
}
static void skip_filters(Player *player, int packet) {
    player->context->skip_loop_filter = skip_of(packet, (unsigned)argument(0, 1));
}
static void skip_frames(Player *player, int packet) {
    player->context->skip_frame = skip_of(packet, (unsigned)argument(0, 1));
}
static void skip_transforms(Player *player, int packet) {
    player->context->skip_idct = skip_of(packet, (unsigned)argument(0, 1));
}
void skip_loop_filter(void) {
    compare_texts(NULL, skip_filters);
}
void skip_frame(void) {
    compare_texts(NULL, skip_frames);
}
void skip_idct(void) {
    compare_texts(NULL, skip_transforms);
}

static void mark_packet(Player *player, int packet) {
    job.clip.packet[packet]->opaque = (void *)(intptr_t)(packet + 1);
    (void)player;
}
static void copy_opaque(AVCodecContext *context) {
    context->flags |= AV_CODEC_FLAG_COPY_OPAQUE;
}
void opaque_copied(void) {
    compare_texts(copy_opaque, mark_packet);
}

static void export_all(AVCodecContext *context) {
    context->export_side_data = AV_CODEC_EXPORT_DATA_MVS | AV_CODEC_EXPORT_DATA_PRFT |
                                AV_CODEC_EXPORT_DATA_VIDEO_ENC_PARAMS |
                                AV_CODEC_EXPORT_DATA_FILM_GRAIN;
}
void export_side_data(void) {
    compare_texts(export_all, NULL);
}

// What damage leaves out keeps what was in the buffer before.
static int get_filled_buffer(AVCodecContext *context, AVFrame *frame, int flags) {
    const int result = avcodec_default_get_buffer2(context, frame, flags);
    for (int i = 0; result >= 0 && i < AV_NUM_DATA_POINTERS && frame->data[i]; i++) {
        const AVBufferRef *buffer = av_frame_get_plane_buffer(frame, i);
        memset(frame->data[i], 0x5a, (size_t)(buffer->data + buffer->size - frame->data[i]));
    }
    return result;
}

static void corrupt_is_returned(AVCodecContext *context) {
    context->get_buffer2 = get_filled_buffer;
    context->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
    context->flags2 |= AV_CODEC_FLAG2_SHOW_ALL;
}
// The clip begins in the middle of a group of pictures, and one packet is lost.
void output_corrupt(void) {
    for (int i = 0; i + 1 < job.clip.packets; i++)
        if (i >= 9) job.clip.packet[i] = job.clip.packet[i + 1];
    job.clip.packets--;
    compare_texts(corrupt_is_returned, NULL);
}

// The container's ratio changes in mid-stream, and frames have none of their own: a frame has what
// was set when it was returned, if nothing was set when it was decoded.
static void change_ratio(Player *player, int packet) {
    player->context->sample_aspect_ratio =
        packet % 2 ? (AVRational){packet, 7} : (AVRational){0, 1};
}
void aspect_ratio(void) {
    compare_texts(NULL, change_ratio);
}

// A packet without data: what the decoder answers must be what off answers.
static int answers[2], answering;
static void send_empty(Player *player, int packet) {
    static uint8_t nothing[AV_INPUT_BUFFER_PADDING_SIZE];
    if (packet % 5 != 3) return;
    AVPacket *empty = av_packet_alloc();
    empty->data = nothing;
    empty->size = 0;
    const int sent = avcodec_send_packet(player->context, empty);
    const int received = avcodec_receive_frame(player->context, player->frame);
    answers[answering] = (answers[answering] * 31 + sent) * 31 + received;
    if (received >= 0) note_text(player->frame, player->opaque);
    av_frame_unref(player->frame);
    av_packet_free(&empty);
}
void empty_packets(void) {
    static Texts texts[2];
    for (answering = 0; answering < 2; answering++)
        decode_texts(answering ? job.mode : "off", NULL, send_empty, &texts[answering]);
    printf("answers %d, off %d; frames %d, off %d\n", answers[1], answers[0], texts[1].count,
           texts[0].count);
    EXPECT(answers[1] == answers[0] && texts[1].count == texts[0].count);
    for (int i = 0; i < texts[0].count; i++)
        EXPECT(!strcmp(texts[0].text[i], texts[1].text[i]));
}

static int threads_now(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/task");
    while (folder && readdir(folder))
        count++;
    closedir(folder);
    return count - 2;
}

// A program that asks for one thread may count on it, as long as the CPU decodes: with auto, at
// least as many pictures as a look at the stream decodes.
void one_thread(void) {
    Player player = start_playing(&job.clip, job.mode, NULL, NULL, NULL);
    for (int i = 0; i < 20; i++) {
        play_packet(&player);
        EXPECT(threads_now() == 1);
    }
    stop_playing(&player);
    EXPECT(threads_now() == 1);
}
