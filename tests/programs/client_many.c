// SPDX-License-Identifier: BSD-2-Clause
// Many decoders: one after the other, and at once; streams whose size changes.
#include <sys/resource.h>

#include "client.h"

enum { rounds = 11, decodes = 50, pictures = 3, at_once = 64, most_kept = 200 };

static double short_decodes_of(const char *mode) {
    const double from = seconds();
    for (int i = 0; i < decodes; i++) {
        Player player = start_playing(&job.clip, mode, NULL, NULL, NULL);
        play_packets(&player, pictures);
        stop_playing(&player);
    }
    return seconds() - from;
}

static int compare_times(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

// As thumbnailers and scanners do. Both modes in turns; the quickest of their rounds are compared.
void short_decodes(void) {
    double off[rounds], now[rounds];
    for (int i = 0; i < rounds; i++) {
        off[i] = short_decodes_of("off");
        now[i] = short_decodes_of(job.mode);
    }
    qsort(off, rounds, sizeof off[0], compare_times);
    qsort(now, rounds, sizeof now[0], compare_times);
    printf("%d decodes: %.1f ms, off %.1f ms\n", decodes, 1e3 * now[2], 1e3 * off[2]);
    EXPECT(now[2] <= 1.05 * off[2] + 2e-3);
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
