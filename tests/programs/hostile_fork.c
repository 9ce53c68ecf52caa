// SPDX-License-Identifier: BSD-2-Clause
// fork PARENT CHILD: what a child may do with what it inherited, and the parent afterwards. A child
// has one thread; locks, and the Vulkan driver, are as the parent's threads left them.
#include <spawn.h>
#include <unistd.h>

#include "hostile.h"

enum { child_limit = 8, most_kept = 64 };

static const char *parent, *child;
static Player player; // of the parent
static Frames frames, again;
static AVFrame *kept[most_kept];
static int kept_frames;

static bool is(const char *name, const char *which) {
    return !strcmp(name, which);
}

static void keep_frame(AVFrame *frame, void *opaque) {
    note_frame(frame, opaque);
    if (kept_frames < most_kept) kept[kept_frames++] = av_frame_clone(frame);
}

static void free_kept(void) {
    while (kept_frames)
        av_frame_free(&kept[--kept_frames]);
}

// Sends packets and takes no frame, until the decoder takes no more.
static void send_only(void) {
    for (int i = 0; i < 4; i++) {
        const AVPacket *packet = player.clip->packet[player.sent % player.clip->packets];
        if (avcodec_send_packet(player.context, packet) < 0) break;
        player.sent++;
    }
}

static void come_to_phase(void) {
    const int half = job.clip.packets / 2;
    player = start_playing(&job.clip, job.mode, NULL, keep_frame, &frames);
    if (is(parent, "opening")) {
        play_packets(&player, 26); // so many make the decoder open a device
        return;
    }
    play_packets(&player, half);
    if (is(parent, "mid")) send_only();
    if (!is(parent, "closed")) return;
    play_packets(&player, job.clip.packets - half);
    drain(&player);
    stop_playing(&player);
    expect_frames(&frames, &job.expected, "the parent's frames");
}

// To the end of the clip, at least of its second round.
static void go_on(void) {
    do
        play_packet(&player);
    while (player.sent < 2 * job.clip.packets || player.sent % job.clip.packets);
    drain(&player);
}

static void expect_repeated(const Frames *got) {
    static Frames all;
    for (int i = 0; i < player.sent / job.clip.packets * job.expected.count; i++)
        all.hash[all.count++] = job.expected.hash[i % job.expected.count];
    expect_frames(got, &all, "the parent's frames after the fork");
}

static void act_as_child(void) {
    if (is(child, "decodes")) {
        decode_clip(&job.clip, job.mode, NULL, &again);
        expect_frames(&again, &job.expected, "the child's frames");
    } else if (is(child, "closes")) {
        stop_playing(&player);
    } else if (is(child, "goes-on")) {
        go_on(); // pictures in progress are lost, and what is predicted from them
        stop_playing(&player);
    } else if (is(child, "frees")) {
        free_kept();
    } else if (is(child, "exits")) {
        exit(0);
    } else {
        EXPECT(is(child, "_exits"));
    }
    _exit(0);
}

void fork_matrix(void) {
    EXPECT(job.arguments == 2);
    parent = job.argument[0];
    child = job.argument[1];
    come_to_phase();
    const pid_t process = fork();
    EXPECT(process >= 0);
    if (!process) act_as_child();
    expect_end(process, 0, child_limit, "the child");
    if (player.context) {
        go_on();
        stop_playing(&player);
        expect_repeated(&frames);
    }
    decode_clip(&job.clip, job.mode, NULL, &again);
    expect_frames(&again, &job.expected, "the parent's next decoder");
    free_kept();
}

// A server that opens its decoder first, then leaves its terminal.
void daemon_after_open(void) {
    parent = "open";
    player = start_playing(&job.clip, job.mode, NULL, keep_frame, &frames);
    if (argument(0, 0)) play_packets(&player, job.clip.packets / 2);
    int said[2];
    EXPECT(!pipe(said));
    const pid_t process = fork(); // daemon() ends the process that calls it
    EXPECT(process >= 0);
    if (!process) {
        EXPECT(!daemon(1, 1));
        alarm(child_limit);
        if (argument(0, 0)) { // pictures before: its decoder goes on as it can, a new one is right
            go_on();
            stop_playing(&player);
            frames.count = 0;
            decode_clip(&job.clip, job.mode, NULL, &frames);
        } else {
            play_packets(&player, job.clip.packets);
            drain(&player);
            stop_playing(&player);
        }
        expect_frames(&frames, &job.expected, "the daemon's frames");
        EXPECT(write(said[1], "k", 1) == 1);
        exit(0);
    }
    expect_end(process, 0, child_limit, "the daemon's parent");
    close(said[1]);
    char text = 0;
    EXPECT(read(said[0], &text, 1) == 1 && text == 'k');
    stop_playing(&player);
    free_kept();
}

extern char **environ;
void spawn_after_open(void) {
    parent = "mid";
    come_to_phase();
    char *again_[] = {"true", NULL};
    pid_t process;
    for (int i = 0; i < 20; i++) {
        EXPECT(!posix_spawn(&process, "/bin/true", NULL, NULL, again_, environ));
        expect_end(process, 0, child_limit, "the spawned program");
    }
    go_on();
    stop_playing(&player);
    expect_repeated(&frames);
    free_kept();
}
