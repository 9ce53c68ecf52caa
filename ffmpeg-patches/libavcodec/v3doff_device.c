/*
 * libv3doff: the devices that the decoders of a process share
 *
 * This file is part of FFmpeg.
 *
 * FFmpeg is free software; you can redistribute it and/or
 * modify it under the terms of the GNU Lesser General Public
 * License as published by the Free Software Foundation; either
 * version 2.1 of the License, or (at your option) any later version.
 *
 * FFmpeg is distributed in the hope that it will be useful,
 * but WITHOUT ANY WARRANTY; without even the implied warranty of
 * MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the GNU
 * Lesser General Public License for more details.
 *
 * You should have received a copy of the GNU Lesser General Public
 * License along with FFmpeg; if not, write to the Free Software
 * Foundation, Inc., 51 Franklin Street, Fifth Floor, Boston, MA 02110-1301 USA
 */

#include <stdatomic.h>
#include <string.h>

#include "libavutil/mem.h"
#include "libavutil/pixdesc.h"
#include "libavutil/thread.h"

#include "h264dec.h"
#include "v3doff_internal.h"

/* A device keeps the shaders of this number of formats. Frames of further formats compile theirs. */
#define MAX_FORMATS 8

/** What shaders are compiled for. */
typedef struct ShaderFormat {
    unsigned families;
    unsigned bit_depth;
    v3doff_chroma chroma;
    int mbaff;
} ShaderFormat;

struct FFV3DoffDevice {
    v3doff_mode mode;
    FFV3DoffLoan loan;       ///< empty if libv3doff opened the device
    v3doff_device *device;   ///< NULL: not open
    v3doff_opening *opening; ///< opens the device, or compiles shaders for the last format; or NULL
    unsigned users;          ///< number of decoders
    int failed;              ///< no device was found; it is not looked for again
    ShaderFormat formats[MAX_FORMATS]; ///< the device has shaders for these, or will have them
    unsigned nb_formats;
    FFV3DoffDevice *next;    ///< in the list of borrowed devices
};

static AVMutex device_mutex = AV_MUTEX_INITIALIZER;
static FFV3DoffDevice own[V3DOFF_MODE_FORCE + 1]; ///< those that libv3doff opens, one for each mode
static FFV3DoffDevice *borrowed; ///< list of the programs' devices

static AVMutex log_mutex = AV_MUTEX_INITIALIZER;
static unsigned nb_logging; ///< number of calls of ff_v3doff_log_begin() without an end
static atomic_int is_quiet; ///< a missing GPU is no error, because nobody asked for one

static void log_line(void *opaque, v3doff_log_level level, const char *line)
{
    static const int levels[] = { AV_LOG_ERROR, AV_LOG_WARNING, AV_LOG_VERBOSE, AV_LOG_DEBUG };

    av_log(NULL, atomic_load(&is_quiet) ? AV_LOG_VERBOSE :
                 levels[FFMIN((unsigned)level, FF_ARRAY_ELEMS(levels) - 1)],
           "libv3doff: %s\n", line);
}

/* Each call sets the level again, because the program may have changed it. */
void ff_v3doff_log_begin(void)
{
    ff_mutex_lock(&log_mutex);
    nb_logging++;
    v3doff_log_add(log_line, NULL,
                   av_log_get_level() >= AV_LOG_DEBUG ? V3DOFF_LOG_DEBUG : V3DOFF_LOG_INFO);
    ff_mutex_unlock(&log_mutex);
}

/* After the last call no thread calls log_line() any more, so that a program can unload libavcodec. */
void ff_v3doff_log_end(void)
{
    ff_mutex_lock(&log_mutex);
    if (!--nb_logging)
        v3doff_log_remove(log_line, NULL);
    ff_mutex_unlock(&log_mutex);
}

int ff_v3doff_fill_format(v3doff_pool_info *info, enum AVPixelFormat format)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(format);
    const uint64_t refused = AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BE |
                             AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_FLOAT |
                             AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_BAYER;
    static const v3doff_chroma chromas[2][2] = {
        { V3DOFF_CHROMA_444, V3DOFF_CHROMA_440 },
        { V3DOFF_CHROMA_422, V3DOFF_CHROMA_420 },
    };

    if (!desc || desc->flags & refused)
        return 0;
    if (desc->nb_components == 1) {
        info->chroma = V3DOFF_CHROMA_400;
    } else if (desc->nb_components == 3 && desc->flags & AV_PIX_FMT_FLAG_PLANAR &&
               av_pix_fmt_count_planes(format) == 3 &&
               desc->log2_chroma_w < 2 && desc->log2_chroma_h < 2) {
        info->chroma = chromas[desc->log2_chroma_w][desc->log2_chroma_h];
    } else
        return 0;
    info->bit_depth = desc->comp[0].depth;
    return 1;
}

/* ---- Called with device_mutex ------------------------------------------------- */

static void fail(AVCodecContext *avctx, FFV3DoffDevice *dev, v3doff_result res)
{
    dev->failed = 1;
    av_log(avctx, dev->mode == V3DOFF_MODE_FORCE ? AV_LOG_WARNING : AV_LOG_VERBOSE,
           "libv3doff: decoding on the CPU: %s\n", v3doff_result_text(res));
}

/* Returns whether the stream may have MBAFF frames. */
static int may_have_mbaff(const AVCodecContext *avctx)
{
    const H264Context *h = avctx->codec_id == AV_CODEC_ID_H264 ? avctx->priv_data : NULL;

    return h && h->ps.sps && h->ps.sps->mb_aff;
}

static ShaderFormat format_of(const AVCodecContext *avctx, unsigned families)
{
    v3doff_pool_info info = { sizeof(info) };
    ShaderFormat format = { 0 };

    if (!ff_v3doff_fill_format(&info, avctx->pix_fmt))
        return format;
    format.families  = families;
    format.bit_depth = info.bit_depth;
    format.chroma    = info.chroma;
    format.mbaff     = may_have_mbaff(avctx);
    return format;
}

/* Returns whether the device can take frames of that format. */
static int is_ready(const FFV3DoffDevice *dev, const ShaderFormat *format)
{
    const unsigned prepared = dev->nb_formats - !!dev->opening;

    if (!dev->device)
        return 0;
    for (unsigned i = 0; i < prepared; i++)
        if (!memcmp(&dev->formats[i], format, sizeof(*format)))
            return 1;
    return !format->families || dev->nb_formats == MAX_FORMATS;
}

/* Compiling shaders for the first time can take seconds, so no frame waits for it. */
static void begin_opening(AVCodecContext *avctx, FFV3DoffDevice *dev, const ShaderFormat *format)
{
    v3doff_device_info info = { sizeof(info) };
    v3doff_result res;

    atomic_store(&is_quiet, dev->mode != V3DOFF_MODE_FORCE && !dev->device);
    info.mode  = dev->mode;
    info.flags = V3DOFF_DEVICE_KEEP; // programs often probe a stream before they decode it
    info.prepare           = format->families;
    info.prepare_bit_depth = format->bit_depth;
    info.prepare_chroma    = format->chroma;
    info.prepare_mbaff     = format->mbaff;
    info.device            = dev->device;
    dev->formats[dev->nb_formats++] = *format;
    res = v3doff_opening_begin(&dev->opening, &info);
    if (res >= 0)
        return;
    atomic_store(&is_quiet, 0);
    if (!dev->device)
        fail(avctx, dev, res);
}

/* Returns whether pictures can only be in the CPU's memory. Then the CPU would do all of them. */
static int is_useless(const FFV3DoffDevice *dev)
{
    v3doff_device_properties properties = { sizeof(properties) };

    return dev->mode == V3DOFF_MODE_AUTO &&
           v3doff_device_get_properties(dev->device, &properties) >= 0 &&
           properties.memory == V3DOFF_MEMORY_CPU;
}

static void end_opening(AVCodecContext *avctx, FFV3DoffDevice *dev, int wait)
{
    v3doff_device *device;
    v3doff_result res;

    if (!dev->opening)
        return;
    res = v3doff_opening_end(&dev->opening, wait ? UINT64_MAX : 0, &device);
    if (res == V3DOFF_NOT_READY)
        return;
    atomic_store(&is_quiet, 0);
    if (dev->device)
        v3doff_device_destroy(&device); // this is one more handle to the same device
    else
        dev->device = device;
    if (dev->device && is_useless(dev)) {
        v3doff_device_destroy(&dev->device);
        res = V3DOFF_ERROR_UNSUPPORTED;
    }
    if (!dev->device)
        fail(avctx, dev, res);
}

/* Returns the program's Vulkan device, or NULL if it gave none that libv3doff can use. */
static FFV3DoffDevice *borrow(AVCodecContext *avctx, v3doff_mode mode, int begin)
{
    FFV3DoffDevice *dev;

    if (!CONFIG_VULKAN || !avctx->hw_device_ctx)
        return NULL;
    for (dev = borrowed; dev; dev = dev->next)
        if (dev->mode == mode && dev->loan.lender->data == avctx->hw_device_ctx->data)
            return dev;
    dev = begin ? av_mallocz(sizeof(*dev)) : NULL;
    if (!dev)
        return NULL;
    dev->mode = mode;
    if (!ff_v3doff_borrow(avctx, avctx->hw_device_ctx, mode, &dev->loan, &dev->device)) {
        av_free(dev);
        return NULL;
    }
    dev->next = borrowed;
    borrowed  = dev;
    return dev;
}

static void forget_borrowed(FFV3DoffDevice *dev)
{
    FFV3DoffDevice **at = &borrowed;

    while (*at != dev)
        at = &(*at)->next;
    *at = dev->next;
}

/* ---- For decoders -------------------------------------------------------- */

FFV3DoffDevice *ff_v3doff_device_ref(AVCodecContext *avctx, v3doff_mode mode, int begin)
{
    FFV3DoffDevice *dev;

    ff_v3doff_log_begin();
    ff_mutex_lock(&device_mutex);
    dev = borrow(avctx, mode, begin);
    if (!dev) {
        own[mode].mode = mode;
        dev = own[mode].failed || (!begin && !own[mode].device) ? NULL : &own[mode];
    }
    if (dev)
        dev->users++;
    ff_mutex_unlock(&device_mutex);
    if (!dev)
        ff_v3doff_log_end();
    return dev;
}

/*
 * The slow part comes after the mutex is unlocked. So neither other decoders nor a program's
 * thread that frees its last frame wait for it.
 */
void ff_v3doff_device_unref(FFV3DoffDevice *dev)
{
    v3doff_opening *opening = NULL;
    v3doff_device *device = NULL;
    int ended_loan = 0;

    ff_mutex_lock(&device_mutex);
    if (!--dev->users) {
        opening = dev->opening;
        device  = dev->device;
        dev->opening    = NULL;
        dev->device     = NULL;
        dev->nb_formats = 0;
        ended_loan      = !!dev->loan.lender;
        if (ended_loan)
            forget_borrowed(dev);
    }
    ff_mutex_unlock(&device_mutex);
    if (opening)
        v3doff_opening_cancel(&opening);
    if (device)
        v3doff_device_destroy(&device);
    if (ended_loan) {
        /* This may free the program's device, which calls functions of the program. */
        av_buffer_unref(&dev->loan.lender);
        av_free(dev);
    }
    ff_v3doff_log_end();
}

int ff_v3doff_device_get(AVCodecContext *avctx, FFV3DoffDevice *dev, unsigned families, int begin,
                         int wait, v3doff_device **device)
{
    const ShaderFormat format = format_of(avctx, families);
    int state;

    ff_mutex_lock(&device_mutex);
    end_opening(avctx, dev, wait); // another decoder may have begun it
    if (begin && !dev->opening && !dev->failed && !is_ready(dev, &format)) {
        begin_opening(avctx, dev, &format);
        end_opening(avctx, dev, wait);
    }
    state = is_ready(dev, &format) ? V3DOFF_READY :
            dev->failed ? V3DOFF_ABSENT : V3DOFF_PENDING;
    *device = state == V3DOFF_READY ? dev->device : NULL;
    ff_mutex_unlock(&device_mutex);
    return state;
}

int ff_v3doff_device_is_lent(const FFV3DoffDevice *dev)
{
    return !!dev->loan.lender;
}
