/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * delay STREAM.ivf...: with VP9D_SET_V3DOFF_DELAY, each frame comes one packet later, the last one
 * after a flush, with its own user_priv; whatever else the program does, it gets the frames that it
 * gets without libv3doff. A reference that the program replaces (VP8_SET_REFERENCE) is the next
 * frame's for the device, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vpx/vp8dx.h>
#include <vpx/vpx_decoder.h>

enum { most_packets = 64, most_buffers = 32 };

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("FAILED: %s, line %d: %s\n", now, __LINE__, #condition);                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static const char *now = "";

static struct Packet {
    uint8_t *data;
    unsigned size;
} packets[most_packets];
static int nb_packets;

static void read_stream(const char *path) {
    FILE *file = fopen(path, "rb");
    uint8_t head[32];
    EXPECT(file && fread(head, 32, 1, file) == 1 && !memcmp(head, "DKIF", 4));
    for (nb_packets = 0; nb_packets < most_packets && fread(head, 12, 1, file) == 1; nb_packets++) {
        struct Packet *packet = &packets[nb_packets];
        packet->size = head[0] | head[1] << 8 | head[2] << 16 | (unsigned)head[3] << 24;
        packet->data = malloc(packet->size);
        EXPECT(fread(packet->data, packet->size, 1, file) == 1);
    }
    fclose(file);
}

static uint64_t hash_of(const vpx_image_t *image) {
    uint64_t hash = image->d_w * 65536u + image->d_h;
    for (int p = 0; p < 3; p++) {
        const unsigned bytes = image->fmt & VPX_IMG_FMT_HIGHBITDEPTH ? 2 : 1;
        const unsigned width =
            p ? (image->d_w + image->x_chroma_shift) >> image->x_chroma_shift : image->d_w;
        const unsigned height =
            p ? (image->d_h + image->y_chroma_shift) >> image->y_chroma_shift : image->d_h;
        for (unsigned y = 0; y < height; y++)
            for (unsigned x = 0; x < width * bytes; x++)
                hash =
                    (hash ^ image->planes[p][(ptrdiff_t)y * image->stride[p] + x]) * 0x100000001b3;
    }
    return hash;
}

/* The program's frame buffers. */
static struct Buffer {
    uint8_t *data;
    size_t size;
    int used;
} buffers[most_buffers];

static int get_buffer(void *opaque, size_t size, vpx_codec_frame_buffer_t *out) {
    int i = 0;
    (void)opaque;
    while (buffers[i].used)
        i++;
    EXPECT(i < most_buffers);
    if (buffers[i].size < size) {
        free(buffers[i].data);
        buffers[i] = (struct Buffer){calloc(1, size), size, 0};
    }
    buffers[i].used = 1;
    *out = (vpx_codec_frame_buffer_t){buffers[i].data, buffers[i].size, &buffers[i]};
    return 0;
}

static int release_buffer(void *opaque, vpx_codec_frame_buffer_t *out) {
    struct Buffer *buffer = out->priv;
    (void)opaque;
    if (!buffer) return 0; /* of a frame that failed before it had one */
    EXPECT(buffer->used);
    buffer->used = 0;
    return 0;
}

static struct {
    int delayed, own_buffers, threads;
    int skipped;  /* every so many packets, no frame is taken */
    int flushed;  /* after so many packets the decoder is flushed, and goes on */
    int lost;     /* this packet is lost, and the next one is damaged */
    int forsaken; /* the decoder ends after so many packets, and nobody takes what it holds */
    int replaced; /* after this packet the program replaces a reference */
    int at_once;  /* no delay */
} way;

typedef struct Frame {
    uint64_t hash;
    int packet, taken; /* of the packet; when */
} Frame;
static Frame frames[2][most_packets + 1];
static int nb_frames[2];

static vpx_image_t last; /* that was taken; its samples may be gone */

/* Takes all frames there are. Every one is valid until the next packet. */
static void take(vpx_codec_ctx_t *decoder, int at) {
    const vpx_image_t *image, *first = NULL;
    vpx_codec_iter_t iter = NULL;
    vpx_image_t kept;
    Frame *to = frames[way.delayed];
    int *count = &nb_frames[way.delayed];
    const int before = *count;
    while ((image = vpx_codec_get_frame(decoder, &iter))) {
        to[(*count)++] = (Frame){hash_of(image), (int)(intptr_t)image->user_priv, at};
        EXPECT(!way.own_buffers || ((struct Buffer *)image->fb_priv)->used);
        if (!first) kept = *image, first = &kept;
        EXPECT(*count <= most_packets);
    }
    EXPECT(!first || hash_of(first) == to[before].hash);
    if (first) last = kept;
    EXPECT(!vpx_codec_get_frame(decoder, &iter));
}

/* With a delay, that frame has not been given out yet, and must not change. */
static void replace_reference(vpx_codec_ctx_t *decoder, const vpx_image_t *like) {
    const vpx_codec_err_t expected = way.at_once ? VPX_CODEC_OK : VPX_CODEC_ERROR;
    vpx_ref_frame_t reference = {.frame_type = VP8_LAST_FRAME};
    if (!way.delayed && !way.at_once) return;
    EXPECT(vpx_img_alloc(&reference.img, like->fmt, like->w, like->h, 32));
    EXPECT(!vpx_img_set_rect(&reference.img, 0, 0, like->d_w, like->d_h));
    for (int p = 0; p < 3; p++)
        memset(reference.img.planes[p], 1,
               (size_t)reference.img.stride[p] *
                   (reference.img.h >> (p ? like->y_chroma_shift : 0)));
    EXPECT(vpx_codec_control(decoder, VP8_SET_REFERENCE, &reference) == expected);
    vpx_img_free(&reference.img);
}

static void decode(void) {
    const vpx_codec_dec_cfg_t settings = {.threads = (unsigned)way.threads};
    vpx_codec_ctx_t decoder;
    nb_frames[way.delayed] = 0;
    EXPECT(!vpx_codec_dec_init(&decoder, vpx_codec_vp9_dx(), &settings, 0));
    EXPECT(!vpx_codec_control(&decoder, VP9D_SET_V3DOFF, way.delayed ? 2 : 0));
    EXPECT(vpx_codec_control(&decoder, VP9D_SET_V3DOFF_DELAY, 2) == VPX_CODEC_INVALID_PARAM);
    EXPECT(!vpx_codec_control(&decoder, VP9D_SET_V3DOFF_DELAY, way.delayed && !way.at_once));
    if (way.own_buffers)
        EXPECT(!vpx_codec_set_frame_buffer_functions(&decoder, get_buffer, release_buffer, NULL));
    EXPECT(!vpx_codec_decode(&decoder, NULL, 0, NULL, 0)); /* nothing to flush */
    take(&decoder, 0);
    for (int i = 0; i < nb_packets; i++) {
        void *const priv = (void *)(intptr_t)(i + 1);
        const struct Packet *packet = &packets[i];
        if (way.lost && i == way.lost) continue;
        if (way.lost && i == way.lost + 1) { /* too short */
            vpx_codec_decode(&decoder, packet->data, packet->size / 3, priv, 0);
            take(&decoder, i + 1);
            continue;
        }
        const vpx_codec_err_t error =
            vpx_codec_decode(&decoder, packet->data, packet->size, priv, 0);
        EXPECT(way.lost || !error);
        EXPECT(vpx_codec_control(&decoder, VP9D_SET_V3DOFF_DELAY, 0) == VPX_CODEC_ERROR);
        if (way.forsaken && i == way.forsaken) break;
        if (!way.skipped || i % way.skipped) take(&decoder, i + 1);
        if (way.replaced && i == way.replaced) replace_reference(&decoder, &last);
        if (way.flushed && i == way.flushed)
            for (int twice = 0; twice < 2; twice++) {
                EXPECT(!vpx_codec_decode(&decoder, NULL, 0, NULL, 0));
                take(&decoder, i + 1);
            }
    }
    if (!way.forsaken) {
        EXPECT(!vpx_codec_decode(&decoder, NULL, 0, NULL, 0));
        take(&decoder, nb_packets + 1);
    }
    EXPECT(!vpx_codec_destroy(&decoder));
    for (int i = 0; i < most_buffers; i++)
        EXPECT(!buffers[i].used);
}

/* expected_later: all come one packet later. */
static void compare(const char *name, int expected_later) {
    now = name;
    way.delayed = 0;
    decode();
    way.delayed = 1;
    decode();
    const int count = nb_frames[0], missing = way.forsaken != 0;
    EXPECT(count > 1 && nb_frames[1] == count - missing);
    int later = 0;
    for (int i = 0; i < count - missing; i++) {
        EXPECT(frames[0][i].hash == frames[1][i].hash &&
               frames[0][i].packet == frames[1][i].packet);
        later += frames[1][i].taken > frames[0][i].taken;
    }
    EXPECT(!expected_later || later == count - missing);
    printf("ok: %s: %d frames, %d of them later\n", name, nb_frames[1], later);
}

int main(int count, char **arguments) {
    for (int i = 1; i < count; i++) {
        read_stream(arguments[i]);
        for (int own = 0; own < 2; own++) {
            memset(&way, 0, sizeof way);
            way.own_buffers = own;
            way.threads = 1;
            compare(own ? "the program's buffers" : "one thread", 1);
            way.threads = 4;
            compare("threads", 1);
            way.skipped = 3;
            compare("frames that are not taken", 0);
            way.skipped = 0;
            way.flushed = 5;
            compare("a flush, and on", 0);
            way.flushed = 0;
            way.lost = 4;
            compare("lost and damaged packets", 0);
            way.lost = 0;
            way.forsaken = 9;
            compare("an end with a frame that is held", 1);
            way.forsaken = 0;
            way.replaced = 5;
            compare("a reference that must not be replaced yet", 1);
            way.at_once = 1;
            compare("a reference that is replaced", 0);
        }
        for (int j = 0; j < nb_packets; j++)
            free(packets[j].data);
    }
    for (int i = 0; i < most_buffers; i++)
        free(buffers[i].data);
    return 0;
}
