// SPDX-License-Identifier: BSD-2-Clause
// When frames come, and decoders that are flushed, drained and used again.
#include <unistd.h>

#include "client.h"

static int pause_us; // between packets

static void note_frame_and_packet(AVFrame *frame, void *opaque) {
    Frames *frames = ((Player *)opaque)->opaque;
    frames->packet[frames->count] = ((Player *)opaque)->sent;
    note_frame(frame, frames);
}

// For each frame the number of packets after which it came.
static void decode_slowly(const char *mode, int packets, Frames *frames) {
    Player player = start_playing(&job.clip, mode, NULL, NULL, NULL), noted = {.opaque = frames};
    player.take = note_frame_and_packet;
    player.opaque = &noted;
    frames->count = 0;
    for (int i = 0; i < packets; i++) {
        noted.sent = i;
        play_packet(&player);
        if (pause_us) usleep((useconds_t)pause_us);
    }
    noted.sent = packets;
    drain(&player);
    stop_playing(&player);
}

static void expect_no_later(const Frames *now, const Frames *off) {
    int late = 0, first = -1;
    for (int i = 0; i < off->count; i++)
        if (now->packet[i] > off->packet[i] && !late++) first = i;
    if (!late) return;
    printf("FAILED: %d of %d frames come later, first %d: after packet %d, not %d\n", late,
           off->count, first, now->packet[first], off->packet[first]);
    exit(1);
}

static void compare_times(int packets) {
    static Frames off, now;
    decode_slowly("off", packets, &off);
    decode_slowly(job.mode, packets, &now);
    expect_frames(&now, &off, "frames");
    expect_no_later(&now, &off);
}

// Remote desktops and thumbnailers send one packet and show the frame that comes at once.
void one_in_one_out(void) {
    compare_times(2 * job.clip.packets);
}

// Argument: milliseconds for each of 150 pictures, during which the device is opened.
void ready_in_mid_stream(void) {
    pause_us = (int)argument(0, 25) * 1000;
    compare_times(150);
}

void receive_first(void) {
    static Frames frames;
    Player player = start_playing(&job.clip, job.mode, NULL, note_frame, &frames);
    for (int i = 0; i < job.clip.packets; i++) {
        EXPECT(avcodec_receive_frame(player.context, player.frame) == AVERROR(EAGAIN));
        play_packet(&player);
    }
    drain(&player);
    stop_playing(&player);
    expect_frames(&frames, &job.expected, "frames");
}

void no_drain(void) {
    static Frames frames, off;
    for (int i = 0; i < 2; i++) {
        Player player =
            start_playing(&job.clip, i ? job.mode : "off", NULL, note_frame, i ? &frames : &off);
        play_packets(&player, job.clip.packets);
        stop_playing(&player);
    }
    expect_frames(&frames, &off, "frames");
}

void drain_and_reuse(void) {
    Player player = start_playing(&job.clip, job.mode, NULL, note_frame, NULL);
    for (int i = 0; i < 3; i++) {
        Frames frames = {0};
        player.opaque = &frames;
        play_packets(&player, job.clip.packets);
        drain(&player);
        avcodec_flush_buffers(player.context);
        expect_frames(&frames, &job.expected, "frames of a decoder that is used again");
    }
    stop_playing(&player);
}

void flush_in_mid_stream(void) {
    static Frames dropped, frames;
    Player player = start_playing(&job.clip, job.mode, NULL, note_frame, NULL);
    for (int after = 1; after <= 8 && after < job.clip.packets; after++) {
        dropped.count = frames.count = 0;
        player.opaque = &dropped;
        player.sent = 0;
        play_packets(&player, after);
        // With this packet's picture in progress.
        avcodec_send_packet(player.context, job.clip.packet[after]);
        avcodec_flush_buffers(player.context);
        expect_first_frames(&dropped, &job.expected, "frames before a flush");
        player.sent = 0;
        player.opaque = &frames;
        play_packets(&player, job.clip.packets);
        drain(&player);
        avcodec_flush_buffers(player.context);
        expect_frames(&frames, &job.expected, "frames after a flush");
    }
    stop_playing(&player);
}

// Argument: a seed. As a player does: flushes, goes on at some key frame, and may leave frames in
// the decoder.
static void jump(const char *mode, Frames *frames) {
    Player player = start_playing(&job.clip, mode, NULL, note_frame, frames);
    int keys[most_packets], count = 0;
    for (int i = 0; i < job.clip.packets; i++)
        if (job.clip.packet[i]->flags & AV_PKT_FLAG_KEY) keys[count++] = i;
    EXPECT(count > 0);
    srand((unsigned)argument(0, 1));
    for (int i = 0; i < 12; i++) {
        player.sent = keys[rand() % count];
        play_packets(&player, 1 + rand() % 9);
        if (rand() % 3 == 0) drain(&player);
        avcodec_flush_buffers(player.context);
    }
    player.sent = 0;
    play_packets(&player, job.clip.packets);
    drain(&player);
    stop_playing(&player);
}

void seek_about(void) {
    static Frames off, now;
    jump("off", &off);
    jump(job.mode, &now);
    expect_frames(&now, &off, "frames");
}
