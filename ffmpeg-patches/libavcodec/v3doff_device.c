/*
 * The process's devices for libv3doff
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

#include "libavutil/thread.h"

#include "v3doff_internal.h"

/* More formats than that at once compile their shaders with their first frames. */
#define MAX_FORMATS 8

/** What a decoder's shaders are made for. */
typedef struct ShaderFormat {
    unsigned families;
    unsigned bit_depth;
    v3doff_chroma chroma;
} ShaderFormat;

static AVMutex device_mutex = AV_MUTEX_INITIALIZER;
static struct {
    v3doff_device *device;
    v3doff_opening *opening; ///< of the device, or of what it lacks for the last format
    unsigned users;
    int failed;             ///< looked for and not found: not looked for again
    ShaderFormat formats[MAX_FORMATS];
    unsigned nb_formats;    ///< whose shaders the device has or will have
} devices[V3DOFF_MODE_FORCE + 1];

static void log_line(void *opaque, v3doff_log_level level, const char *line)
{
    static const int levels[] = { AV_LOG_ERROR, AV_LOG_WARNING, AV_LOG_VERBOSE, AV_LOG_DEBUG };

    /* That there is no GPU is no error where none was asked for. */
    av_log(NULL, opaque ? AV_LOG_VERBOSE :
                 levels[FFMIN((unsigned)level, FF_ARRAY_ELEMS(levels) - 1)],
           "libv3doff: %s\n", line);
}

static void set_log(int quiet)
{
    v3doff_log_set(log_line, quiet ? devices : NULL,
                   av_log_get_level() >= AV_LOG_DEBUG ? V3DOFF_LOG_DEBUG : V3DOFF_LOG_INFO);
}

/* Static functions are called with device_mutex. */

static void fail(AVCodecContext *avctx, v3doff_mode mode, v3doff_result res)
{
    devices[mode].failed = 1;
    av_log(avctx, mode == V3DOFF_MODE_FORCE ? AV_LOG_WARNING : AV_LOG_VERBOSE,
           "libv3doff: decoding on the CPU: %s\n", v3doff_result_text(res));
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
    return format;
}

/* Whether frames of that format can go to it. */
static int is_ready(v3doff_mode mode, const ShaderFormat *format)
{
    const unsigned prepared = devices[mode].nb_formats - !!devices[mode].opening;

    if (!devices[mode].device)
        return 0;
    for (unsigned i = 0; i < prepared; i++)
        if (devices[mode].formats[i].families  == format->families &&
            devices[mode].formats[i].bit_depth == format->bit_depth &&
            devices[mode].formats[i].chroma    == format->chroma)
            return 1;
    return !format->families || devices[mode].nb_formats == MAX_FORMATS;
}

/* Compiling shaders can take seconds, the first time: not while frames wait. */
static void begin_opening(AVCodecContext *avctx, v3doff_mode mode,
                          const ShaderFormat *format)
{
    v3doff_device_info info = { sizeof(info) };
    v3doff_result res;

    set_log(mode != V3DOFF_MODE_FORCE && !devices[mode].device);
    info.mode  = mode;
    info.flags = V3DOFF_DEVICE_KEEP; // streams are looked at before they are decoded
    info.prepare           = format->families;
    info.prepare_bit_depth = format->bit_depth;
    info.prepare_chroma    = format->chroma;
    info.device            = devices[mode].device;
    devices[mode].formats[devices[mode].nb_formats++] = *format;
    res = v3doff_opening_begin(&devices[mode].opening, &info);
    if (res >= 0)
        return;
    set_log(0);
    if (!devices[mode].device)
        fail(avctx, mode, res);
}

static void end_opening(AVCodecContext *avctx, v3doff_mode mode, int wait)
{
    v3doff_device *device;
    v3doff_result res;

    if (!devices[mode].opening)
        return;
    res = v3doff_opening_end(&devices[mode].opening, wait ? UINT64_MAX : 0, &device);
    if (res == V3DOFF_NOT_READY)
        return;
    set_log(0);
    if (devices[mode].device)
        v3doff_device_destroy(&device); // one more handle to the same
    else
        devices[mode].device = device;
    if (!devices[mode].device)
        fail(avctx, mode, res);
}

static void close_device(v3doff_mode mode)
{
    if (devices[mode].opening) {
        v3doff_opening_cancel(&devices[mode].opening);
        set_log(0);
    }
    if (devices[mode].device) {
        /* It calls functions of ours. */
        v3doff_tune_wait();
        v3doff_device_destroy(&devices[mode].device);
    }
    devices[mode].nb_formats = 0;
    /* libv3doff outlives this library where it is loaded and unloaded. */
    if (!devices[V3DOFF_MODE_AUTO].users && !devices[V3DOFF_MODE_FORCE].users)
        v3doff_log_set(NULL, NULL, V3DOFF_LOG_ERROR);
}

/* ---- For decoders -------------------------------------------------------- */

void ff_v3doff_log(int begin)
{
    ff_mutex_lock(&device_mutex);
    if (begin)
        set_log(0);
    else if (!devices[V3DOFF_MODE_AUTO].users && !devices[V3DOFF_MODE_FORCE].users)
        v3doff_log_set(NULL, NULL, V3DOFF_LOG_ERROR);
    ff_mutex_unlock(&device_mutex);
}

int ff_v3doff_device_ref(v3doff_mode mode)
{
    int failed;

    ff_mutex_lock(&device_mutex);
    failed = devices[mode].failed;
    devices[mode].users += !failed;
    ff_mutex_unlock(&device_mutex);
    return !failed;
}

void ff_v3doff_device_unref(v3doff_mode mode)
{
    ff_mutex_lock(&device_mutex);
    if (!--devices[mode].users)
        close_device(mode);
    ff_mutex_unlock(&device_mutex);
}

int ff_v3doff_device_get(AVCodecContext *avctx, v3doff_mode mode, unsigned families, int begin,
                         int wait, v3doff_device **device)
{
    const ShaderFormat format = format_of(avctx, families);
    int state;

    ff_mutex_lock(&device_mutex);
    end_opening(avctx, mode, wait); // what another decoder has begun
    if (begin && !devices[mode].opening && !devices[mode].failed && !is_ready(mode, &format)) {
        begin_opening(avctx, mode, &format);
        end_opening(avctx, mode, wait);
    }
    state = is_ready(mode, &format) ? V3DOFF_READY :
            devices[mode].failed ? V3DOFF_ABSENT : V3DOFF_PENDING;
    *device = state == V3DOFF_READY ? devices[mode].device : NULL;
    ff_mutex_unlock(&device_mutex);
    return state;
}
