// SPDX-License-Identifier: BSD-2-Clause
// end PHASE HOW DELAY: the process ends while the device is opened, while shaders are compiled, or
// in mid-decode, so many microseconds later.
#include <signal.h>
#include <unistd.h>

#include "hostile.h"

void end_in_phase(void) {
    EXPECT(job.arguments == 3);
    const char *how = job.argument[1];
    // With auto, these many pictures make the decoder open a device.
    Player player = start_playing(&job.clip, job.mode, NULL, NULL, NULL);
    play_packets(&player, strcmp(job.argument[0], "decoding") ? 26 : job.clip.packets / 2);
    if (!strcmp(job.argument[0], "decoding"))
        avcodec_send_packet(player.context, job.clip.packet[player.sent]);
    usleep((useconds_t)argument(2, 0));
    if (!strcmp(how, "exit")) exit(0);
    if (!strcmp(how, "_exit")) _exit(0);
    if (!strcmp(how, "quick_exit")) quick_exit(0);
    if (!strcmp(how, "return")) return;
    kill(getpid(), SIGKILL);
}
