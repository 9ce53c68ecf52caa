/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Frames that libv3doff reconstructs on a GPU, while libvpx only parses them.
 *
 * The decoder's frame buffers are in memory that the GPU shares. Once the headers of a frame are read,
 * libv3doff's policy says who reconstructs it. If that is the GPU, decode_block() does not reconstruct
 * blocks but appends them and their coefficients to lists of 32-bit words. Each column of tiles has such
 * a list, a "lane", so that no two threads append to one. When all tiles are parsed, the frame is
 * submitted. If that is refused, libvpx parses them again and reconstructs the frame itself.
 */
#ifndef VPX_VP9_DECODER_VP9_V3DOFF_H_
#define VPX_VP9_DECODER_VP9_V3DOFF_H_

#include "vp9/decoder/vp9_decoder.h"

typedef struct Vp9V3doff Vp9V3doff;

/* wanted: the value of VP9D_SET_V3DOFF plus 1, or 0 if the program has not set it. libv3doff is then
 * off unless the environment has V3DOFF. Returns NULL if it is off, or if there is no memory. */
Vp9V3doff *vp9_v3doff_create(int wanted, int threads);

/* Waits for all frames, and frees everything. */
void vp9_v3doff_destroy(BufferPool *pool);

/* Allocates the new frame buffer in shared memory. Returns 0 if libvpx or the program has to allocate
 * it. */
int vp9_v3doff_get_frame_buffer(VP9_COMMON *cm);

/* To be called when the new frame buffer has memory. If that is the program's, shared memory takes its
 * place until the frame is given out. */
void vp9_v3doff_got_frame_buffer(VP9_COMMON *cm);

/* Decides who reconstructs the frame whose headers have been read. If that is the CPU, this waits for
 * the frame's references. If it is the GPU, this sets pbi->v3doff_whole, and turns libvpx's loop filter
 * and row-based threading off until the frame ends. */
void vp9_v3doff_begin(VP9Decoder *pbi);

/* Parses the coefficients of a block whose modes have been read, and appends modes and coefficients. */
void vp9_v3doff_block(TileWorkerData *twd, VP9Decoder *pbi, int mi_row, int mi_col);

/* Submits the frame that was parsed. Returns 1 if it was refused: it must be parsed again. */
int vp9_v3doff_end(VP9Decoder *pbi);

/* To be called after an error in a frame, when its decoder threads have ended. */
void vp9_v3doff_abort(VP9Decoder *pbi);

/* Waits until the samples of a frame buffer are final. Returns 0 on failure. */
int vp9_v3doff_wait(BufferPool *pool, int idx);
void vp9_v3doff_wait_all(BufferPool *pool);

/* To be called before a frame buffer is changed that is not the new one. Returns 0 if that is not possible:
 * a program that lets frames come one later would get the changed frame. */
int vp9_v3doff_may_write(BufferPool *pool, int idx);

/* Waits for a frame that is given out. If its buffer is the program's, copies it there. Returns 0 on
 * failure. */
int vp9_v3doff_output(BufferPool *pool, int idx, YV12_BUFFER_CONFIG *sd);

/* Holds a frame back, and its user_priv. Returns the one that was held, with its own. idx: INVALID_IDX if
 * no frame was decoded; then the held one is only returned if the program has flushed the decoder. */
int vp9_v3doff_delay(BufferPool *pool, int idx, int flushed, void **priv);

int vp9_v3doff_holds(const BufferPool *pool, int idx);

/* To be called when the program decodes again: it has no more use for frames that it was given. */
void vp9_v3doff_take_back(BufferPool *pool);

#endif  // VPX_VP9_DECODER_VP9_V3DOFF_H_
