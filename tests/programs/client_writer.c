// SPDX-License-Identifier: BSD-2-Clause
// Programs that write into frames, keep them, and free them late or on another thread.
#include <pthread.h>

#include "client.h"

enum { most_kept = 64 };

static struct {
    Frames frames;
    AVFrame *kept[most_kept];
    int first, next; // of kept, modulo its size
    int written;
} state;

// Everything that the frame's buffers hold.
static void overwrite(AVFrame *frame) {
    for (int i = 0; i < AV_NUM_DATA_POINTERS && frame->buf[i]; i++)
        memset(frame->buf[i]->data, 0xa5 + state.written, frame->buf[i]->size);
    state.written++;
}

static void write_when_writable(void) {
    for (int i = state.first; i < state.next; i++) {
        AVFrame **frame = &state.kept[i % most_kept];
        if (!*frame || !av_frame_is_writable(*frame)) continue;
        overwrite(*frame);
        av_frame_free(frame);
    }
    while (state.first < state.next && !state.kept[state.first % most_kept])
        state.first++;
}

// Writes at once, or keeps the frame until the decoder no longer has it.
static void write_or_keep(AVFrame *frame, void *opaque) {
    (void)opaque;
    note_frame(frame, &state.frames);
    if (av_frame_is_writable(frame)) {
        overwrite(frame);
        return;
    }
    EXPECT(state.next - state.first < most_kept);
    AVFrame *kept = av_frame_alloc();
    av_frame_move_ref(kept, frame);
    state.kept[state.next++ % most_kept] = kept;
}

static void write_into_frames(Take *take) {
    for (int round = 0; round < 2; round++) { // the second time with memory that was written
        state.frames.count = 0;
        Player player = start_playing(&job.clip, job.mode, NULL, take, NULL);
        for (int i = 0; i < job.clip.packets; i++) {
            play_packet(&player);
            write_when_writable();
        }
        avcodec_send_packet(player.context, NULL);
        while (avcodec_receive_frame(player.context, player.frame) >= 0) {
            take(player.frame, NULL);
            av_frame_unref(player.frame);
            write_when_writable();
        }
        stop_playing(&player);
        write_when_writable();
        EXPECT(state.first == state.next);
        expect_frames(&state.frames, &job.expected, "frames");
    }
    printf("%d frames were overwritten\n", state.written);
    EXPECT(state.written > 0);
}

void writer(void) {
    write_into_frames(write_or_keep);
}

// As drawtext and overlay do.
static void filter_frame(AVFrame *frame, void *opaque) {
    (void)opaque;
    AVFrame *drawn = av_frame_clone(frame);
    av_frame_unref(frame);
    EXPECT(av_frame_make_writable(drawn) >= 0);
    note_frame(drawn, &state.frames);
    overwrite(drawn);
    av_frame_free(&drawn);
}

void filter_in_place(void) {
    write_into_frames(filter_frame);
}

static AVFrame *all[most_packets];
static int count_all;
static void keep_frame(AVFrame *frame, void *opaque) {
    note_frame(frame, opaque);
    EXPECT(count_all < most_packets);
    all[count_all++] = av_frame_clone(frame);
}

static void *free_some(void *from) {
    for (int i = (int)(intptr_t)from; i < count_all; i += 2)
        av_frame_free(&all[i]);
    return NULL;
}

// Keeps all frames longer than their decoder; another thread frees half of them, in the end.
void keep_frames(void) {
    static Frames again;
    Player player = start_playing(&job.clip, job.mode, NULL, keep_frame, &state.frames);
    play_packets(&player, job.clip.packets);
    drain(&player);
    stop_playing(&player);
    expect_frames(&state.frames, &job.expected, "frames");
    for (int i = 0; i < count_all; i++)
        note_frame(all[i], &again);
    expect_frames(&again, &job.expected, "frames that were kept");
    pthread_t thread;
    EXPECT(!pthread_create(&thread, NULL, free_some, (void *)1));
    free_some((void *)0);
    pthread_join(thread, NULL);
}
