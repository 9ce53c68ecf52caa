// SPDX-License-Identifier: BSD-2-Clause
// buffers LAYOUT: frames in the program's own memory, as players arrange it. When the decoder is
// closed and all frames are freed, every buffer must be back, and no thread of libv3doff may have
// released one.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>

#include "client.h"

enum { guard = 4096 };

typedef struct Layout {
    const char *name;
    bool separate;  // one buffer for each plane
    bool swapped;   // planes in the order Y, V, U
    bool empty;     // the AVBuffer has neither data nor a size, as GStreamer's
    bool wrapped;   // that of avcodec_default_get_buffer2 in one of the program's, as GStreamer does it
    bool read_only; // after the release nobody may write
    bool early_end; // the AVBuffer ends within the last plane, as Firefox's
    int misaligned; // bytes
} Layout;

static const Layout layouts[] = {
    {.name = "one"},
    {.name = "planes", .separate = true},
    {.name = "swapped", .swapped = true},
    {.name = "empty", .empty = true},
    {.name = "early-end", .early_end = true},
    {.name = "misaligned", .misaligned = 32},
    {.name = "read-only", .read_only = true},
    {.name = "wrapped", .wrapped = true},
};
static const Layout *layout;
static atomic_int given, back, foreign;

typedef struct Memory {
    uint8_t *data;
    size_t size;
} Memory;

static void release(void *opaque, uint8_t *data) {
    Memory *memory = opaque;
    char name[16] = "";
    (void)data;
    pthread_getname_np(pthread_self(), name, sizeof name);
    foreign += !strncmp(name, "v3doff", 6) || !strncmp(name, "llvmpipe", 8);
    back++;
    if (layout->read_only) {
        EXPECT(!mprotect(memory->data, memory->size, PROT_READ));
    } else {
        munmap(memory->data, memory->size);
        free(memory);
    }
}

static uint8_t *give(AVBufferRef **buffer, size_t size) {
    Memory *memory = malloc(sizeof *memory);
    memory->size = FFALIGN(size + 2 * guard, 4096);
    memory->data =
        mmap(NULL, memory->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT(memory->data != MAP_FAILED);
    given++;
    const size_t said = layout->early_end ? guard + size - size / 8 : memory->size;
    *buffer = layout->empty ? av_buffer_create(NULL, 0, release, memory, 0)
                            : av_buffer_create(memory->data, said, release, memory, 0);
    EXPECT(*buffer);
    return memory->data + guard + layout->misaligned;
}

static void release_wrapped(void *opaque, uint8_t *data) {
    AVBufferRef *inner = opaque;
    (void)data;
    back++;
    av_buffer_unref(&inner);
}

static int wrap(AVCodecContext *context, AVFrame *frame, int flags) {
    const int status = avcodec_default_get_buffer2(context, frame, flags);
    AVBufferRef *inner = frame->buf[0];
    if (status < 0) return status;
    given++;
    frame->buf[0] = av_buffer_create(inner->data, inner->size, release_wrapped, inner, 0);
    EXPECT(frame->buf[0]);
    return 0;
}

static int get_buffer(AVCodecContext *context, AVFrame *frame, int flags) {
    int width = frame->width, height = frame->height, unaligned[AV_NUM_DATA_POINTERS];
    ptrdiff_t lines[4];
    size_t size[4], all = 0;
    if (layout->wrapped) return wrap(context, frame, flags);
    avcodec_align_dimensions2(context, &width, &height, unaligned);
    EXPECT(av_image_fill_linesizes(frame->linesize, frame->format, FFALIGN(width, 128)) >= 0);
    for (int p = 0; p < 4; p++)
        lines[p] = frame->linesize[p];
    EXPECT(av_image_fill_plane_sizes(size, frame->format, height, lines) >= 0);
    for (int p = 0; p < 4; p++)
        all += size[p];
    uint8_t *at = layout->separate ? NULL : give(&frame->buf[0], all);
    for (int i = 0; i < 3 && size[i]; i++) {
        const int p = layout->swapped && i ? 3 - i : i;
        frame->data[p] = layout->separate ? give(&frame->buf[p], size[p]) : at;
        at += layout->separate ? 0 : size[p];
    }
    frame->extended_data = frame->data;
    return 0;
}

static void use_layout(AVCodecContext *context) {
    context->get_buffer2 = get_buffer;
    EXPECT(context->codec->capabilities & AV_CODEC_CAP_DR1);
}

void buffers(void) {
    static Frames frames;
    EXPECT(job.arguments == 1);
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        if (!strcmp(layouts[i].name, job.argument[0])) layout = &layouts[i];
    EXPECT(layout);
    for (int round = 0; round < 2; round++) {
        decode_clip(&job.clip, job.mode, use_layout, &frames);
        expect_frames(&frames, &job.expected, layout->name);
        printf("%d buffers, %d of them back, %d by another's thread\n", given, back, foreign);
        EXPECT(given == back && !foreign && given);
    }
}
