// SPDX-License-Identifier: BSD-2-Clause
// kodi_decoder STREAM own-heap|own-udmabuf|drm|none: what Kodi 21's decoder for DRMPRIME does with
// libavcodec (DVDVideoCodecDRMPRIME.cpp). It takes the first decoder that offers DRM_PRIME,
// otherwise the stream's; gives software frames dma-bufs of its own, which it finds again by the
// frame's opaque pointer; sets pix_fmt before it opens the decoder; opens it with one thread,
// closes it, and opens it again with more; and skips pictures while it is late. The frames must be
// those of -v3doff off. Run by guest_init inside the virtual machine.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <libavutil/hwcontext.h>
#include <libavutil/hwcontext_drm.h>
#include <libavutil/imgutils.h>

#include "decode_stream.h"
#include "drm_reader.h"
#include "frame_hash.h"

enum { most_frames = 128 };

typedef struct Seen {
    uint64_t hash;
    int64_t pts;
} Seen;

static const char *buffers; // own-heap, own-udmabuf: of software frames
static const char *mode;
static int threads;
static AVBufferRef *device;
static Seen due[most_frames], now[most_frames];
static int frames, exported, own;

// By the device, which the decoder says when it is closed.
static int by_device;
static void note_line(void *who, int level, const char *format, va_list arguments) {
    static const char word[] = "pictures: GPU ";
    char line[600];
    if (level > AV_LOG_INFO) return;
    vsnprintf(line, sizeof line, format, arguments);
    const char *found = strstr(line, word);
    if (found) by_device += atoi(found + strlen(word));
    (void)who;
}

// One of the program's buffers for a picture.
typedef struct Buffer {
    int fd;
    size_t size;
    uint8_t *data;
} Buffer;
static int open_buffers;

static int heap_buffer(size_t size) {
    struct dma_heap_allocation_data data = {.len = size, .fd_flags = O_RDWR | O_CLOEXEC};
    const int heap = open("/dev/dma_heap/system", O_RDWR | O_CLOEXEC);
    EXPECT(ioctl(heap, DMA_HEAP_IOCTL_ALLOC, &data) == 0);
    close(heap);
    return (int)data.fd;
}

static int udmabuf_buffer(size_t size) {
    const int memory = memfd_create("kodi", MFD_ALLOW_SEALING | MFD_CLOEXEC);
    EXPECT(ftruncate(memory, (off_t)size) == 0 && fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
    struct udmabuf_create create = {
        .memfd = (unsigned)memory, .flags = UDMABUF_FLAGS_CLOEXEC, .size = size};
    const int maker = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
    const int fd = ioctl(maker, UDMABUF_CREATE, &create);
    close(maker);
    close(memory);
    EXPECT(fd >= 0);
    return fd;
}

static void synchronise(const Buffer *buffer, uint64_t flags) {
    struct dma_buf_sync sync = {.flags = flags};
    EXPECT(ioctl(buffer->fd, DMA_BUF_IOCTL_SYNC, &sync) == 0);
}

static void release(void *opaque, uint8_t *data) {
    Buffer *buffer = opaque;
    (void)data;
    synchronise(buffer, DMA_BUF_SYNC_END | DMA_BUF_SYNC_RW);
    munmap(buffer->data, buffer->size);
    close(buffer->fd);
    free(buffer);
    __atomic_sub_fetch(&open_buffers, 1, __ATOMIC_RELAXED);
}

// Kodi has one buffer for all planes of a picture, and may be called by any thread of the decoder.
static int get_buffer(AVCodecContext *context, AVFrame *frame, int flags) {
    int strides[AV_NUM_DATA_POINTERS], width = frame->width, height = frame->height;
    if (frame->format == AV_PIX_FMT_DRM_PRIME || strncmp(buffers, "own", 3))
        return avcodec_default_get_buffer2(context, frame, flags);
    avcodec_align_dimensions2(context, &width, &height, strides);
    EXPECT(av_image_fill_linesizes(strides, frame->format, FFALIGN(width, 64)) >= 0);
    const int size = av_image_fill_pointers(frame->data, frame->format, height, NULL, strides);
    Buffer *buffer = calloc(1, sizeof *buffer);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    buffer->size = ((size_t)size + AV_INPUT_BUFFER_PADDING_SIZE + page - 1) / page * page;
    buffer->fd =
        !strcmp(buffers, "own-heap") ? heap_buffer(buffer->size) : udmabuf_buffer(buffer->size);
    buffer->data = mmap(NULL, buffer->size, PROT_READ | PROT_WRITE, MAP_SHARED, buffer->fd, 0);
    EXPECT(buffer->data != MAP_FAILED);
    synchronise(buffer, DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW);
    av_image_fill_pointers(frame->data, frame->format, height, buffer->data, strides);
    for (int p = 0; p < 4; p++)
        frame->linesize[p] = strides[p];
    frame->extended_data = frame->data;
    frame->buf[0] = av_buffer_create(buffer->data, buffer->size, release, buffer, 0);
    frame->opaque = buffer;
    __atomic_add_fetch(&open_buffers, 1, __ATOMIC_RELAXED);
    return 0;
}

// The first that Kodi can show.
static enum AVPixelFormat choose(AVCodecContext *context, const enum AVPixelFormat *formats) {
    (void)context;
    while (*formats != AV_PIX_FMT_NONE && *formats != AV_PIX_FMT_DRM_PRIME &&
           *formats != AV_PIX_FMT_YUV420P)
        formats++;
    return *formats;
}

static bool offers_drm(const AVCodec *codec) {
    const AVCodecHWConfig *config = NULL;
    for (int i = 0; (config = avcodec_get_hw_config(codec, i)); i++)
        if (config->pix_fmt == AV_PIX_FMT_DRM_PRIME && config->device_type == AV_HWDEVICE_TYPE_DRM)
            return true;
    return false;
}

static const AVCodec *find_decoder(enum AVCodecID id, bool *drm) {
    const AVCodec *codec = NULL;
    void *at = NULL;
    while ((codec = av_codec_iterate(&at)))
        if (codec->id == id && av_codec_is_decoder(codec) && offers_drm(codec)) break;
    *drm = codec != NULL;
    return codec ? codec : avcodec_find_decoder(id);
}

static void prepare(AVCodecContext *context) {
    context->thread_count = threads;
    context->get_buffer2 = get_buffer;
    if (device) {
        context->pix_fmt = AV_PIX_FMT_DRM_PRIME;
        context->get_format = choose;
        context->hw_device_ctx = av_buffer_ref(device);
    }
    av_opt_set(context->priv_data, "v3doff", mode, 0);
}

static void take(const AVFrame *frame) {
    Seen *seen = &now[frames++];
    EXPECT(frames <= most_frames);
    seen->pts = frame->pts;
    if (frame->format == AV_PIX_FMT_DRM_PRIME) {
        AVFrame *map = av_frame_alloc();
        map->format = AV_PIX_FMT_YUV420P;
        EXPECT(av_hwframe_map(map, frame, AV_HWFRAME_MAP_READ) >= 0);
        seen->hash = hash_frame(map);
        av_frame_free(&map);
        exported++;
        return;
    }
    if (!strncmp(buffers, "own", 3)) {
        // It shows the buffer, from where the plane begins in it.
        const Buffer *buffer = frame->opaque;
        EXPECT(buffer && frame->data[0] >= buffer->data &&
               frame->data[2] < buffer->data + buffer->size);
        own++;
    }
    seen->hash = hash_frame(frame);
}

static int decode(const char *path, const AVCodec *codec, int packets) {
    DecodeStream stream;
    frames = exported = own = 0;
    EXPECT(decode_open(&stream, path, codec, prepare));
    for (int i = 0; i != packets; i++) {
        // It is late from the 8th packet to the 12th.
        stream.context->skip_frame = i >= 8 && i < 12 ? AVDISCARD_NONREF : AVDISCARD_DEFAULT;
        if (!decode_packet(&stream, take)) break;
    }
    decode_close(&stream);
    return frames;
}

int main(int count, char **arguments) {
    EXPECT(count == 3);
    alarm(1200); // who waits for ever
    av_log_set_callback(note_line);
    buffers = arguments[2];
    AVFormatContext *file = NULL;
    EXPECT(avformat_open_input(&file, arguments[1], NULL, NULL) >= 0);
    EXPECT(avformat_find_stream_info(file, NULL) >= 0);
    const enum AVCodecID id = file->streams[0]->codecpar->codec_id;
    avformat_close_input(&file);

    bool drm = false;
    const AVCodec *codec = find_decoder(id, &drm);
    EXPECT(drm == !strcmp(buffers, "drm"));
    mode = "off", threads = 1;
    const int expected = decode(arguments[1], codec, -1);
    memcpy(due, now, sizeof due);
    const int descriptors = drm_descriptors();
    device = av_hwdevice_ctx_alloc(AV_HWDEVICE_TYPE_DRM);
    ((AVDRMDeviceContext *)((AVHWDeviceContext *)device->data)->hwctx)->fd = -1;
    EXPECT(av_hwdevice_ctx_init(device) >= 0);
    mode = "force";
    by_device = 0;
    for (threads = 1; threads <= 16; threads += 15) {
        decode(arguments[1], codec, 3); // it is closed while it begins
        EXPECT(decode(arguments[1], codec, -1) == expected && !memcmp(due, now, sizeof due));
        EXPECT(drm ? exported == expected : !exported);
        EXPECT(strncmp(buffers, "own", 3) || own == expected);
    }
    av_buffer_unref(&device);
    printf("%d frames of %s, as DRM_PRIME %d, in Kodi's memory %d; %d by the device; "
           "descriptors: %d before, %d after\n",
           expected, codec->name, exported, own, by_device, descriptors, drm_descriptors());
    EXPECT(by_device >= expected);
    EXPECT(!open_buffers && drm_descriptors() <= descriptors);
    return 0;
}
