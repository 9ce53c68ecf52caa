// SPDX-License-Identifier: BSD-2-Clause
// A plugin with its own libavcodec, as of a media framework: the program unload loads and unloads
// it.
#include "program.h"

__attribute__((visibility("default"))) int plugin_decode(const char *path, const char *mode);
int plugin_decode(const char *path, const char *mode) {
    static Frames expected, frames;
    job.threads = 2;
    const Clip clip = read_clip(path);
    expected.count = 0;
    decode_clip(&clip, "off", NULL, &expected);
    decode_clip(&clip, mode, NULL, &frames);
    expect_frames(&frames, &expected, "the plugin's frames");
    return frames.count;
}
