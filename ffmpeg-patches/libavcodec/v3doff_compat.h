/*
 * libv3doff: what differs between FFmpeg 7.1, 8 and 9
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

#ifndef AVCODEC_V3DOFF_COMPAT_H
#define AVCODEC_V3DOFF_COMPAT_H

#include "libavutil/version.h"

#include "version_major.h"

/* 61 is FFmpeg 7, 62 is FFmpeg 8, 63 is FFmpeg 9. */
#if LIBAVCODEC_VERSION_MAJOR < 62
#include "refstruct.h"
#define AVRefStructOpaque              FFRefStructOpaque
#define av_refstruct_alloc_ext         ff_refstruct_alloc_ext
#define av_refstruct_ref               ff_refstruct_ref
#define av_refstruct_replace           ff_refstruct_replace
#define av_refstruct_unref             ff_refstruct_unref
#define V3DOFF_DECODE_DATA(frame)      ((frame)->private_ref ? (FrameDecodeData *)(frame)->private_ref->data : NULL)
#define V3DOFF_H264DSP(c, name)        (c).h264_ ## name
/* Fields with disable_deblocking_filter_idc 2: intra prediction reads a filtered sample above left. */
#define V3DOFF_PREDICTS_FROM_FILTERED  1
#else
#include "libavutil/refstruct.h"
#define V3DOFF_DECODE_DATA(frame)      ((FrameDecodeData *)(frame)->private_ref)
#define V3DOFF_H264DSP(c, name)        (c).name
#define V3DOFF_PREDICTS_FROM_FILTERED  0
#endif

/* Members of FrameDecodeData. */
#if LIBAVCODEC_VERSION_MAJOR < 63
#define V3DOFF_POST_PROCESS            post_process
#define V3DOFF_POST_PROCESS_DATA       post_process_opaque
#define V3DOFF_POST_PROCESS_FREE       post_process_opaque_free
#else
#define V3DOFF_POST_PROCESS            hwaccel_priv_post_process
#define V3DOFF_POST_PROCESS_DATA       hwaccel_priv
#define V3DOFF_POST_PROCESS_FREE       hwaccel_priv_free
#endif

/* Members of AVVulkanDeviceContext. libavutil 59 is FFmpeg 7.1, 61 is FFmpeg 9. */
#if LIBAVUTIL_VERSION_MAJOR < 60 || FF_API_VULKAN_SYNC_QUEUES
#define V3DOFF_QUEUES_ARE_LOCKED       1
#else
#define V3DOFF_QUEUES_ARE_LOCKED       0
#endif
#if LIBAVUTIL_VERSION_MAJOR < 61
#define V3DOFF_QUEUE_FLAGS(vk)         0
#else
#define V3DOFF_QUEUE_FLAGS(vk)         (vk)->queue_flags
#endif

#endif /* AVCODEC_V3DOFF_COMPAT_H */
