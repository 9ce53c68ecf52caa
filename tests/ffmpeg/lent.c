// SPDX-License-Identifier: BSD-2-Clause
// lent FILE: the program lends the decoder its Vulkan device, and meanwhile uploads every frame
// through the same queue. Frames must equal those of -v3doff off. The device must be used under its
// locks, and returned. An unsuitable device must not be used.
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/hwcontext.h>
#include <libavutil/hwcontext_vulkan.h>

#include "decode_stream.h"
#include "frame_hash.h"

enum { most_frames = 400 };

static AVBufferRef *device, *uploads;
static AVFrame *kept; // after its decoder
static uint64_t hashes[most_frames], expected[most_frames];
static int frames, threads;
static const char *mode;
static atomic_int lent, refused, locks, unlocks;

static void note_line(void *who, int level, const char *format, va_list arguments) {
    char line[600];
    (void)who;
    if (level > AV_LOG_VERBOSE) return;
    vsnprintf(line, sizeof line, format, arguments);
    if (!strstr(line, "libv3doff: ")) return;
    fputs(line, stderr);
    lent += strstr(line, ", the program's Vulkan device,") != NULL;
    refused += strstr(line, "not on the program's Vulkan device: ") != NULL;
}

static void (*lock_before)(AVHWDeviceContext *, uint32_t, uint32_t);
static void (*unlock_before)(AVHWDeviceContext *, uint32_t, uint32_t);
static void lock_queue(AVHWDeviceContext *of, uint32_t family, uint32_t index) {
    lock_before(of, family, index);
    locks++;
}
static void unlock_queue(AVHWDeviceContext *of, uint32_t family, uint32_t index) {
    unlocks++;
    unlock_before(of, family, index);
}

static AVVulkanDeviceContext *make_device(void) {
    EXPECT(av_hwdevice_ctx_create(&device, AV_HWDEVICE_TYPE_VULKAN, NULL, NULL, 0) >= 0);
    AVVulkanDeviceContext *vulkan = ((AVHWDeviceContext *)device->data)->hwctx;
    lock_before = vulkan->lock_queue;
    unlock_before = vulkan->unlock_queue;
    vulkan->lock_queue = lock_queue;
    vulkan->unlock_queue = unlock_queue;
    locks = unlocks = lent = refused = 0;
    return vulkan;
}

static void prepare(AVCodecContext *context) {
    context->thread_count = threads;
    if (device) context->hw_device_ctx = av_buffer_ref(device);
    av_opt_set(context->priv_data, "v3doff", mode, 0);
}

// What a player does with a frame.
static void upload(const AVFrame *frame, uint64_t hash) {
    AVFrame *there = av_frame_alloc(), *back = av_frame_alloc();
    if (!uploads) {
        uploads = av_hwframe_ctx_alloc(device);
        AVHWFramesContext *context = (AVHWFramesContext *)uploads->data;
        context->format = AV_PIX_FMT_VULKAN;
        context->sw_format = frame->format;
        context->width = frame->width;
        context->height = frame->height;
        EXPECT(av_hwframe_ctx_init(uploads) >= 0);
    }
    EXPECT(av_hwframe_get_buffer(uploads, there, 0) >= 0);
    EXPECT(av_hwframe_transfer_data(there, frame, 0) >= 0);
    EXPECT(av_hwframe_transfer_data(back, there, 0) >= 0);
    EXPECT(hash_frame(back) == hash);
    av_frame_free(&there);
    av_frame_free(&back);
}

static void take(const AVFrame *frame) {
    EXPECT(frames < most_frames);
    const uint64_t hash = hash_frame(frame);
    hashes[frames++] = hash;
    if (!device) return;
    upload(frame, hash);
    if (!kept) kept = av_frame_clone(frame);
}

static void decode(const char *path, const char *with) {
    DecodeStream stream;
    mode = with;
    frames = 0;
    EXPECT(decode_open(&stream, path, NULL, prepare));
    while (decode_packet(&stream, take)) {
    }
    decode_close(&stream);
}

static void let_go(void) {
    av_buffer_unref(&uploads);
    av_frame_free(&kept);
}

static void decode_and_compare(const char *path, const char *what, int due) {
    // The number of submits for the uploads alone, and FFmpeg's references to the device after
    // them.
    decode(path, "off");
    let_go();
    const int left_over = av_buffer_get_ref_count(device) - 1, uploading = locks;
    decode(path, "force");
    EXPECT(frames == due && !memcmp(hashes, expected, due * sizeof expected[0]));
    EXPECT(kept && hash_frame(kept) == expected[0]);
    let_go();
    EXPECT(av_buffer_get_ref_count(device) == 1 + 2 * left_over);
    EXPECT(locks == unlocks);
    const int submits = locks - 2 * uploading;
    EXPECT(lent ? submits > 0 : !submits);
    printf("ok: %s, threads %d: %d frames, %d submits under the program's lock\n", what, threads,
           frames, submits);
    av_buffer_unref(&device);
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    av_log_set_callback(note_line);
    for (threads = 1; threads <= 4; threads += 3) {
        decode(arguments[1], "off");
        const int due = frames;
        memcpy(expected, hashes, sizeof expected);
        make_device();
        decode_and_compare(arguments[1], "lent", due);
        EXPECT(lent == 1 && !refused);

        // The program reports that it has not enabled these features.
        make_device()->device_features.pNext = NULL;
        decode_and_compare(arguments[1], "without timeline semaphores", due);
        EXPECT(!lent && refused == 1);

        AVVulkanDeviceContext *vulkan = make_device();
        for (int i = 0; i < vulkan->nb_qf; i++)
            vulkan->qf[i].flags &= ~VK_QUEUE_COMPUTE_BIT;
        decode_and_compare(arguments[1], "without a queue that computes", due);
        EXPECT(!lent && refused == 1);
    }
    return 0;
}
