// SPDX-License-Identifier: BSD-2-Clause
// Many decoders: one after the other, and at once; streams whose size changes.
#include <time.h>

#include "client.h"

enum { rounds = 11, decodes = 50, pictures = 3, at_once = 64, most_kept = 200 };

typedef struct Time {
    double wall, cpu; // milliseconds; the least of all rounds
} Time;

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void time_short_decodes(const char *mode, Time *time) {
    const double from = seconds(), cpu_from = cpu_seconds();
    for (int i = 0; i < decodes; i++) {
        Player player = start_playing(&job.clip, mode, NULL, NULL, NULL);
        play_packets(&player, pictures);
        stop_playing(&player);
    }
    time->wall = FFMIN(time->wall, 1e3 * (seconds() - from));
    time->cpu = FFMIN(time->cpu, 1e3 * (cpu_seconds() - cpu_from));
}

// As thumbnailers and scanners do. Both modes in turns, because other programs disturb some rounds;
// so nothing but waiting is seen in the wall time.
void short_decodes(void) {
    Time off = {1e9, 1e9}, now = off;
    for (int i = 0; i < rounds; i++) {
        time_short_decodes("off", &off);
        time_short_decodes(job.mode, &now);
    }
    printf("%d decodes: %.1f ms of CPU, %.1f ms; off %.1f, %.1f\n", decodes, now.cpu, now.wall,
           off.cpu, off.wall);
    EXPECT(now.cpu <= 1.05 * off.cpu + 3 && now.wall <= 1.3 * off.wall + 20);
}

void many_at_once(void) {
    static Player player[at_once];
    static Frames frames[at_once];
    for (int i = 0; i < at_once; i++)
        player[i] = start_playing(&job.clip, job.mode, NULL, note_frame, &frames[i]);
    for (int n = 0; n < job.clip.packets; n++)
        for (int i = 0; i < at_once; i++)
            play_packet(&player[i]);
    for (int i = 0; i < at_once; i++) {
        drain(&player[i]);
        stop_playing(&player[i]);
        expect_frames(&frames[i], &job.expected, "frames");
    }
}

static AVFrame *kept[most_kept];
static int kept_frames;
static void keep_frame(AVFrame *frame, void *opaque) {
    note_frame(frame, opaque);
    EXPECT(kept_frames < most_kept);
    kept[kept_frames++] = av_frame_clone(frame);
}

// The clip's size changes; all frames are kept.
void size_change(void) {
    static Frames frames, again;
    Player player = start_playing(&job.clip, job.mode, NULL, keep_frame, &frames);
    play_packets(&player, job.clip.packets);
    drain(&player);
    bool changes = false;
    for (int i = 0; i < kept_frames; i++) {
        note_frame(kept[i], &again);
        changes |= kept[i]->width != kept[0]->width;
    }
    stop_playing(&player);
    while (kept_frames)
        av_frame_free(&kept[--kept_frames]);
    expect_frames(&frames, &job.expected, "frames");
    expect_frames(&again, &job.expected, "frames that were kept");
    EXPECT(changes);
}
