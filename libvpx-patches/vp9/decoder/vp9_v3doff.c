/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames that libv3doff reconstructs; vp9_v3doff.h says how. */
#include <stdlib.h>
#include <string.h>

#include <v3doff/stream.h>
#include <v3doff/vp9_words.h>

#include "./vpx_config.h"
#include "vp9/common/vp9_frame_buffers.h"
#include "vp9/common/vp9_idct.h"
#include "vp9/common/vp9_scan.h"
#include "vp9/decoder/vp9_detokenize.h"
#include "vp9/decoder/vp9_v3doff.h"
#include "vpx_mem/vpx_mem.h"

#define MAX_SB_COLS 256  // of libv3doff's pictures

struct Vp9V3doff {
  v3doff_stream *stream;
  unsigned frames;  // number of frames that have begun
  // By frame buffer. NULL: its memory is libvpx's or the program's.
  v3doff_picture *picture[FRAME_BUFFERS];
  int submitted[FRAME_BUFFERS];
  YV12_BUFFER_CONFIG program[FRAME_BUFFERS];  // the program's memory for it

  // With a delay: the frame that is given out next, and those that the program
  // may read until it decodes again.
  int held, given[2], nb_given;
  void *held_priv;

  // The frame that is being parsed.
  int counted;                   // v3doff_stream_done() must follow
  const char *reason;            // why the CPU reconstructs it
  int skip_loop_filter, row_mt;  // the decoder's settings, to be restored
  int lanes;                     // number of columns of tiles
  int no_memory[V3DOFF_LANES];
  v3doff_vp9_words words[V3DOFF_LANES];
  uint8_t lane_of[MAX_SB_COLS];  // by a tile's first column of superblocks
};

// From libvpx's transform types to libv3doff's and back: types 1 and 2 are
// exchanged, because libvpx stores coefficients by rows, libv3doff by columns.
static const uint8_t type_of[TX_TYPES] = { 0, 2, 1, 3 };

/* ---- Beginning and end of a decoder ------------------------------------ */

Vp9V3doff *vp9_v3doff_create(int wanted, int threads) {
  const char *const variable = getenv("V3DOFF");
  v3doff_stream_info info = { .struct_size = sizeof(info) };
  Vp9V3doff *v;

  // Programs use libvpx in sandboxes, where a driver cannot be opened, or would
  // end the process. So libv3doff is off unless somebody asks for it.
  if (wanted ? wanted == 1 : !variable || !*variable) return NULL;
  v = (Vp9V3doff *)vpx_calloc(1, sizeof(*v));
  if (!v) return NULL;
  v->held = INVALID_IDX;
  info.codec = V3DOFF_CODEC_VP9;
  info.mode = wanted == 3 ? V3DOFF_MODE_FORCE : V3DOFF_MODE_AUTO;
  info.threads = 1;
  info.helpers = threads > 1 ? threads - 1 : 0;
  if (v3doff_stream_create(&v->stream, &info) < 0 || !v->stream) {
    vpx_free(v);
    return NULL;
  }
  return v;
}

static void close_picture(Vp9V3doff *v, int idx) {
  v3doff_picture_close(&v->picture[idx]);  // waits for it
  v->submitted[idx] = 0;
}

void vp9_v3doff_destroy(BufferPool *pool) {
  Vp9V3doff *const v = pool->v3doff;
  int i;
  if (!v) return;
  for (i = 0; i < FRAME_BUFFERS; ++i) close_picture(v, i);
  v3doff_stream_end(v->stream, NULL, NULL);
  v3doff_stream_destroy(&v->stream);
  vpx_free(v);
  pool->v3doff = NULL;
}

/* ---- The device and its memory ------------------------------------------ */

static v3doff_chroma chroma_of(int ss_x, int ss_y) {
  return ss_x ? (ss_y ? V3DOFF_CHROMA_420 : V3DOFF_CHROMA_422)
              : (ss_y ? V3DOFF_CHROMA_440 : V3DOFF_CHROMA_444);
}

// Opens the device in the background, from the third frame on: programs that
// only probe a stream decode fewer.
static void open_device(Vp9V3doff *v, const VP9_COMMON *cm) {
  v3doff_stream_open_info info = { .struct_size = sizeof(info),
                                   .bit_depth = cm->bit_depth };
  info.chroma = chroma_of(cm->subsampling_x, cm->subsampling_y);
  info.begin = v->frames++ >= 2;
  v3doff_stream_open(v->stream, &info);
}

// Returns NULL if there is no device, or no memory.
static v3doff_picture *open_picture(Vp9V3doff *v, int width, int height,
                                    int bit_depth, v3doff_chroma chroma) {
  v3doff_picture *picture = NULL;
  const v3doff_pool_info info = { .struct_size = sizeof(info),
                                  .width = width, .height = height,
                                  .bit_depth = bit_depth, .chroma = chroma };
  v3doff_stream_open_picture(v->stream, &picture, &info, NULL);
  return picture;
}

// Makes the frame buffer describe the picture's memory. It needs no border:
// libvpx predicts from copies of blocks that reach out of the reference, and
// what it writes outside the picture stays inside superblocks.
static int describe(VP9_COMMON *cm, int idx, v3doff_picture *picture) {
  YV12_BUFFER_CONFIG *const buf = &cm->buffer_pool->frame_bufs[idx].buf;
  v3doff_planes planes = { .struct_size = sizeof(planes) };
  uint8_t *data[3];
  int i;
  if (v3doff_picture_get_planes(picture, &planes) < 0) {
    v3doff_picture_close(&picture);
    return 0;
  }
  buf->y_stride = (int)planes.stride[0];
  buf->uv_stride = (int)planes.stride[1];
  for (i = 0; i < 3; ++i) data[i] = (uint8_t *)planes.data[i];
#if CONFIG_VP9_HIGHBITDEPTH
  buf->flags = cm->use_highbitdepth ? YV12_FLAG_HIGHBITDEPTH : 0;
  if (cm->use_highbitdepth) {
    buf->y_stride /= 2;
    buf->uv_stride /= 2;
    for (i = 0; i < 3; ++i) data[i] = CONVERT_TO_BYTEPTR(data[i]);
  }
#endif
  buf->y_buffer = data[0];
  buf->u_buffer = data[1];
  buf->v_buffer = data[2];
  buf->border = 0;
  buf->buffer_alloc = (uint8_t *)planes.data[0];
  buf->buffer_alloc_sz = 0;  // libvpx does not free it
  cm->buffer_pool->v3doff->picture[idx] = picture;
  return 1;
}

static int has_buffers(const BufferPool *pool) {
  return pool->get_fb_cb != vp9_get_frame_buffer;
}

static int use_picture(VP9_COMMON *cm) {
  YV12_BUFFER_CONFIG *const buf = get_frame_new_buffer(cm);
  v3doff_picture *picture = open_picture(
      cm->buffer_pool->v3doff, cm->width, cm->height, cm->bit_depth,
      chroma_of(cm->subsampling_x, cm->subsampling_y));
  if (!picture) return 0;
  memset(buf, 0, sizeof(*buf));
  buf->y_crop_width = cm->width;
  buf->y_crop_height = cm->height;
  buf->y_width = (cm->width + 7) & ~7;
  buf->y_height = (cm->height + 7) & ~7;
  buf->uv_crop_width = (cm->width + cm->subsampling_x) >> cm->subsampling_x;
  buf->uv_crop_height = (cm->height + cm->subsampling_y) >> cm->subsampling_y;
  buf->uv_width = buf->y_width >> cm->subsampling_x;
  buf->uv_height = buf->y_height >> cm->subsampling_y;
  buf->subsampling_x = cm->subsampling_x;
  buf->subsampling_y = cm->subsampling_y;
  return describe(cm, cm->new_fb_idx, picture);
}

int vp9_v3doff_get_frame_buffer(VP9_COMMON *cm) {
  BufferPool *const pool = cm->buffer_pool;
  Vp9V3doff *const v = pool->v3doff;
  RefCntBuffer *const frame = &pool->frame_bufs[cm->new_fb_idx];
  if (!v) return 0;
  close_picture(v, cm->new_fb_idx);
  open_device(v, cm);
  if (cm->byte_alignment || has_buffers(pool) || !use_picture(cm)) return 0;
  memset(&frame->raw_frame_buffer, 0, sizeof(frame->raw_frame_buffer));
  return 1;
}

void vp9_v3doff_got_frame_buffer(VP9_COMMON *cm) {
  BufferPool *const pool = cm->buffer_pool;
  Vp9V3doff *const v = pool->v3doff;
  RefCntBuffer *const frame = &pool->frame_bufs[cm->new_fb_idx];
  if (!v) return;
  if (v->picture[cm->new_fb_idx]) {
    frame->released = 1;
  } else if (has_buffers(pool) && !cm->byte_alignment) {
    v->program[cm->new_fb_idx] = frame->buf;
    if (!use_picture(cm)) frame->buf = v->program[cm->new_fb_idx];
  }
}

// Complete 8x8 blocks: programs may show samples behind an odd size.
static void copy_samples(const YV12_BUFFER_CONFIG *from,
                         const YV12_BUFFER_CONFIG *to) {
  const uint8_t *src[3] = { from->y_buffer, from->u_buffer, from->v_buffer };
  uint8_t *dst[3] = { to->y_buffer, to->u_buffer, to->v_buffer };
  int plane, row, high = 0;
  for (plane = 0; plane < 3; ++plane) {
    const int height = plane ? from->uv_height : from->y_height;
    const int width = plane ? from->uv_width : from->y_width;
    const ptrdiff_t stride = plane ? from->uv_stride : from->y_stride;
    const ptrdiff_t to_stride = plane ? to->uv_stride : to->y_stride;
#if CONFIG_VP9_HIGHBITDEPTH
    high = (from->flags & YV12_FLAG_HIGHBITDEPTH) != 0;
    if (high) src[plane] = (const uint8_t *)CONVERT_TO_SHORTPTR(src[plane]);
    if (high) dst[plane] = (uint8_t *)CONVERT_TO_SHORTPTR(dst[plane]);
#endif
    for (row = 0; row < height; ++row)
      memcpy(dst[plane] + row * to_stride * (1 << high),
             src[plane] + row * stride * (1 << high), (size_t)width << high);
  }
}

// Moves a reference that libvpx or the program has allocated into shared
// memory, so that the GPU can begin at any frame. Returns 0 if it cannot.
static int adopt(VP9_COMMON *cm, int idx) {
  BufferPool *const pool = cm->buffer_pool;
  RefCntBuffer *const frame = &pool->frame_bufs[idx];
  const YV12_BUFFER_CONFIG old = frame->buf;
  v3doff_picture *picture = open_picture(
      pool->v3doff, old.y_crop_width, old.y_crop_height, old.bit_depth,
      chroma_of(old.subsampling_x, old.subsampling_y));
  if (!picture || !describe(cm, idx, picture)) return 0;
  copy_samples(&old, &frame->buf);
  if (has_buffers(pool)) {
    pool->v3doff->program[idx] = old;
    return 1;
  }
  if (!frame->released)
    pool->release_fb_cb(pool->cb_priv, &frame->raw_frame_buffer);
  frame->released = 1;
  memset(&frame->raw_frame_buffer, 0, sizeof(frame->raw_frame_buffer));
  return 1;
}

/* ---- A frame ------------------------------------------------------------ */

static int begin_lanes(Vp9V3doff *v, VP9_COMMON *cm) {
  int i;
  v->lanes = 1 << cm->log2_tile_cols;
  memset(v->words, 0, sizeof(v->words));
  memset(v->no_memory, 0, sizeof(v->no_memory));
  for (i = 0; i < v->lanes; ++i) {
    TileInfo tile;
    vp9_tile_set_col(&tile, cm, i);
    if (v3doff_vp9_make_room(v->picture[cm->new_fb_idx], i, &v->words[i]) < 0)
      return 0;
    v->lane_of[tile.mi_col_start >> MI_BLOCK_SIZE_LOG2] = i;
  }
  return 1;
}

static void wait_for_references(VP9_COMMON *cm) {
  int i;
  for (i = 0; i < REFS_PER_FRAME && !frame_is_intra_only(cm); ++i)
    vp9_v3doff_wait(cm->buffer_pool, cm->frame_refs[i].idx);
}

// Returns why libvpx has to reconstruct the frame, or NULL.
static const char *obstacle(VP9_COMMON *cm) {
  Vp9V3doff *const v = cm->buffer_pool->v3doff;
  int i;
  if (v3doff_stream_state(v->stream) != V3DOFF_OK)
    return NULL;  // the policy says why
  if (!v->picture[cm->new_fb_idx])
    return "the frame is not in libv3doff's memory";
  for (i = 0; i < REFS_PER_FRAME && !frame_is_intra_only(cm); ++i) {
    const int idx = cm->frame_refs[i].idx;
    if (!v->picture[idx] && !adopt(cm, idx))
      return "a reference is not in libv3doff's memory";
  }
  return NULL;
}

static int ask(VP9Decoder *pbi) {
  VP9_COMMON *const cm = &pbi->common;
  Vp9V3doff *const v = cm->buffer_pool->v3doff;
  v3doff_policy_question question = { .struct_size = sizeof(question) };
  v3doff_policy_answer answer = { .struct_size = sizeof(answer) };
  question.width = cm->width;
  question.height = cm->height;
  question.bit_depth = cm->bit_depth;
  question.possible = 1u << V3DOFF_FAMILY_VP9_RECONSTRUCTION;
  if (frame_is_intra_only(cm))
    question.possible |= 1u << V3DOFF_FAMILY_VP9_INTRA;
  question.awaited = pbi->refresh_frame_flags;
  question.obstacle = obstacle(cm);
  v->reason = "the policy failed";
  if (v3doff_stream_ask(v->stream, &question, &answer) < 0) return 0;
  v->counted = answer.counted;
  v->reason = answer.reason ? answer.reason : "nothing to do";
  return answer.scope == V3DOFF_SCOPE_RECONSTRUCTION;
}

void vp9_v3doff_begin(VP9Decoder *pbi) {
  VP9_COMMON *const cm = &pbi->common;
  Vp9V3doff *const v = cm->buffer_pool->v3doff;
  if (!v) return;
  if (ask(pbi)) {
    if (begin_lanes(v, cm)) {
      v->skip_loop_filter = cm->skip_loop_filter;
      v->row_mt = pbi->row_mt;
      cm->skip_loop_filter = 1;
      pbi->row_mt = 0;
      pbi->v3doff_whole = v;
      return;
    }
    v3doff_picture_discard(v->picture[cm->new_fb_idx]);
    v->reason = "no memory";
  }
  wait_for_references(cm);
}

static void restore(VP9Decoder *pbi) {
  Vp9V3doff *const v = pbi->v3doff_whole;
  pbi->common.skip_loop_filter = v->skip_loop_filter;
  pbi->row_mt = v->row_mt;
  pbi->v3doff_whole = NULL;
}

// Adds one block with libvpx's functions for 8 bits, or for more.
#define ADD_TRANSFORM(prefix, to, ...)                                   \
  switch (lossless ? TX_SIZES : (int)tx) {                               \
    case TX_4X4: prefix##iht4x4_add(type, rows, to, __VA_ARGS__); break; \
    case TX_8X8: prefix##iht8x8_add(type, rows, to, __VA_ARGS__); break; \
    case TX_16X16:                                                       \
      prefix##iht16x16_add(type, rows, to, __VA_ARGS__);                 \
      break;                                                             \
    case TX_32X32: prefix##idct32x32_add(rows, to, __VA_ARGS__); break;  \
    default: prefix##iwht4x4_add(rows, to, __VA_ARGS__);                 \
  }

// libv3doff calls this for transforms whose coefficients are so large that
// decoders' results differ (only in damaged streams): libvpx's own result.
static void add_residual(void *opaque, uint32_t tx, uint32_t tx_type,
                         uint32_t eob, const int32_t *coefficients, void *dst,
                         ptrdiff_t bytes) {
  DECLARE_ALIGNED(32, tran_low_t, rows[32 * 32]);
  const MACROBLOCKD *const xd = (const MACROBLOCKD *)opaque;
  const TX_TYPE type = (TX_TYPE)type_of[tx_type];
  const int lossless = tx == V3DOFF_VP9_TX_LOSSLESS;
  const int log2 = lossless ? 2 : (int)tx + 2, edge = 1 << log2;
  int i;
  for (i = 0; i < edge * edge; ++i)
    rows[i] = (tran_low_t)coefficients[(i & (edge - 1)) << log2 | i >> log2];
#if CONFIG_VP9_HIGHBITDEPTH
  if (xd->cur_buf->flags & YV12_FLAG_HIGHBITDEPTH) {
    ADD_TRANSFORM(vp9_highbd_, (uint16_t *)dst, (int)bytes / 2, eob, xd->bd)
    return;
  }
#endif
  ADD_TRANSFORM(vp9_, (uint8_t *)dst, (int)bytes, eob)
}

static v3doff_result record(VP9Decoder *pbi, v3doff_picture *picture) {
  VP9_COMMON *const cm = &pbi->common;
  Vp9V3doff *const v = cm->buffer_pool->v3doff;
  v3doff_vp9_picture_info info = { .struct_size = sizeof(info) };
  v3doff_result res = V3DOFF_OK;
  int i, plane;
  for (i = 0; i < v->lanes; ++i) {
    if (v->no_memory[i]) return V3DOFF_ERROR_OUT_OF_MEMORY;
    res = v3doff_vp9_end_lane(picture, i, &v->words[i]);
    if (res < 0) return res;
  }
  for (i = 0; i < REFS_PER_FRAME && !frame_is_intra_only(cm); ++i)
    // Blocks of a reference without a valid scale are refused, and then libvpx
    // reports them.
    if (vp9_is_valid_scale(&cm->frame_refs[i].sf))
      info.reference[i] = v->picture[cm->frame_refs[i].idx];
  info.lossless = pbi->mb.lossless;
  info.add_residual = add_residual;
  info.opaque = &pbi->mb;
  for (i = 0; i < (cm->seg.enabled ? MAX_SEGMENTS : 1); ++i)
    for (plane = 0; plane < 2; ++plane)
      memcpy(info.dequantisation[i][plane],
             plane ? cm->uv_dequant[i] : cm->y_dequant[i],
             sizeof(info.dequantisation[i][plane]));
  if (cm->lf.filter_level && !v->skip_loop_filter) {
    info.filtered_rows =
        mi_cols_aligned_to_sb(cm->mi_rows) >> MI_BLOCK_SIZE_LOG2;
    info.sharpness = cm->lf.sharpness_level;
    memcpy(info.filter_level, cm->lf_info.lvl, sizeof(info.filter_level));
    // libvpx sets only the first level of intra blocks.
    for (i = 0; i < MAX_SEGMENTS; ++i)
      info.filter_level[i][INTRA_FRAME][1] =
          info.filter_level[i][INTRA_FRAME][0];
  }
  return v3doff_vp9_record_picture(picture, &info);
}

static int submit(VP9Decoder *pbi) {
  Vp9V3doff *const v = pbi->common.buffer_pool->v3doff;
  const int idx = pbi->common.new_fb_idx;
  v3doff_picture *const picture = v->picture[idx];
  const v3doff_submit_info info = { .struct_size = sizeof(info), .whole = 1,
                                    .stream = v->stream,
                                    .counted = v->counted };
  if (record(pbi, picture) < 0 || v3doff_picture_submit(picture, &info) < 0) {
    v3doff_picture_discard(picture);
    return 0;
  }
  v->counted = 0;
  v->submitted[idx] = 1;
  return 1;
}

static void end_on_cpu(Vp9V3doff *v) {
  if (v->counted) v3doff_stream_done(v->stream, V3DOFF_EXECUTOR_NONE);
  v->counted = 0;
}

int vp9_v3doff_end(VP9Decoder *pbi) {
  VP9_COMMON *const cm = &pbi->common;
  Vp9V3doff *const v = cm->buffer_pool->v3doff;
  if (!v) return 0;
  if (!pbi->v3doff_whole) {
    end_on_cpu(v);
    v3doff_stream_count(v->stream, V3DOFF_EVENT_CPU, v->reason);
    return 0;
  }
  restore(pbi);
  if (submit(pbi)) return 0;
  v->reason = "the reconstruction was refused";
  if (!cm->frame_parallel_decoding_mode) vp9_zero(cm->counts);
  wait_for_references(cm);
  return 1;
}

void vp9_v3doff_abort(VP9Decoder *pbi) {
  Vp9V3doff *const v = pbi->common.buffer_pool->v3doff;
  if (!v) return;
  end_on_cpu(v);
  if (!pbi->v3doff_whole) return;
  restore(pbi);
  v3doff_picture_discard(v->picture[pbi->common.new_fb_idx]);
}

/* ---- Blocks, on any decoder thread --------------------------------------- */

static void begin_superblock(MACROBLOCKD *xd, VP9Decoder *pbi) {
  Vp9V3doff *const v = pbi->v3doff_whole;
  const int lane = v->lane_of[xd->tile.mi_col_start >> MI_BLOCK_SIZE_LOG2];
  v3doff_vp9_words *const words = &v->words[lane];
  xd->v3doff_words = words;
  if (v3doff_vp9_has_room(words) ||
      v3doff_vp9_make_room(v->picture[pbi->common.new_fb_idx], lane, words) >=
          0)
    return;
  // Superblocks overwrite each other now, and the frame is parsed again.
  v->no_memory[lane] = 1;
  words->block = words->block_end - V3DOFF_VP9_BLOCK_WORDS;
  words->transform = words->first_transform;
  words->coefficient = words->first_coefficient;
}

// Returns whether any transform of the plane has coefficients.
static int parse_plane(TileWorkerData *twd, MODE_INFO *mi, int plane,
                       int mi_row, int mi_col, int intra) {
  MACROBLOCKD *const xd = &twd->xd;
  v3doff_vp9_words *const words = xd->v3doff_words;
  const struct macroblockd_plane *const pd = &xd->plane[plane];
  const TX_SIZE tx_size = plane ? get_uv_tx_size(mi, pd) : mi->tx_size;
  const int x = mi_col * 2 >> pd->subsampling_x;
  const int y = mi_row * 2 >> pd->subsampling_y;
  const int step = 1 << tx_size;
  const int wide = pd->n4_w + VPXMIN(0, xd->mb_to_right_edge >>
                                            (5 + pd->subsampling_x));
  const int high = pd->n4_h + VPXMIN(0, xd->mb_to_bottom_edge >>
                                            (5 + pd->subsampling_y));
  const int typed = intra && !plane && !xd->lossless;
  int row, col, any = 0;

  xd->max_blocks_wide = xd->mb_to_right_edge >= 0 ? 0 : wide;
  xd->max_blocks_high = xd->mb_to_bottom_edge >= 0 ? 0 : high;
  for (row = 0; row < high; row += step) {
    for (col = 0; col < wide; col += step) {
      const uint32_t *const first = words->coefficient;
      TX_TYPE type = DCT_DCT;
      int eob;
      if (typed)
        type = intra_mode_to_tx_type_lookup[mi->sb_type < BLOCK_8X8
                                                ? mi->bmi[row * 2 + col].as_mode
                                                : mi->mode];
      eob = vp9_decode_block_tokens(twd, plane,
                                    typed ? &vp9_scan_orders[tx_size][type]
                                          : &vp9_default_scan_orders[tx_size],
                                    col, row, tx_size, mi->segment_id);
      if (!eob) continue;
      any = 1;
      // A stream may have a transform whose coefficients are all zero.
      if (words->coefficient == first)
        *words->coefficient++ = v3doff_vp9_coefficient(0, 0);
      v3doff_vp9_append_transform(words, plane, x + col, y + row, tx_size,
                                  tx_size == TX_32X32 ? 0 : type_of[type], eob);
    }
  }
  return any;
}

static void append_intra(v3doff_vp9_words *words, const v3doff_vp9_block *block,
                         const MODE_INFO *mi, int tile_begins) {
  static const uint8_t modes[INTRA_MODES] = { 2, 0, 1, 3, 4, 5, 6, 8, 7, 9 };
  uint8_t mode[4];
  int i;
  for (i = 0; i < 4; ++i)
    mode[i] = modes[mi->sb_type < BLOCK_8X8 ? mi->bmi[i].as_mode : mi->mode];
  v3doff_vp9_append_intra(words, block, mode, modes[mi->uv_mode], tile_begins);
}

static void append_inter(v3doff_vp9_words *words, const v3doff_vp9_block *block,
                         const MODE_INFO *mi) {
  static const uint8_t filters[4] = { V3DOFF_VP9_FILTER_REGULAR,
                                      V3DOFF_VP9_FILTER_SMOOTH,
                                      V3DOFF_VP9_FILTER_SHARP,
                                      V3DOFF_VP9_FILTER_BILINEAR };
  const int quarters = mi->sb_type < BLOCK_8X8 ? 4 : 1;
  const int both = has_second_ref(mi);
  const int reference[2] = { mi->ref_frame[0] - LAST_FRAME,
                             both ? mi->ref_frame[1] - LAST_FRAME : -1 };
  int16_t vector[4][2][2];
  int i, ref;
  for (i = 0; i < quarters; ++i) {
    for (ref = 0; ref < 1 + both; ++ref) {
      const MV mv =
          quarters == 4 ? mi->bmi[i].as_mv[ref].as_mv : mi->mv[ref].as_mv;
      vector[i][ref][0] = mv.col;
      vector[i][ref][1] = mv.row;
    }
  }
  v3doff_vp9_append_inter(words, block, reference,
                          (v3doff_vp9_filter)filters[mi->interp_filter],
                          (const int16_t(*)[2][2])vector,
                          (mi->skip ? V3DOFF_VP9_SKIPPED : 0) |
                              (mi->mode == ZEROMV ? V3DOFF_VP9_ZEROMV : 0));
}

void vp9_v3doff_block(TileWorkerData *twd, VP9Decoder *pbi, int mi_row,
                      int mi_col) {
  MACROBLOCKD *const xd = &twd->xd;
  MODE_INFO *const mi = xd->mi[0];
  const int intra = !is_inter_block(mi);
  const v3doff_vp9_block block = { .row = mi_row, .col = mi_col,
                                   .size = BLOCK_64X64 - mi->sb_type,
                                   .segment = mi->segment_id,
                                   .tx = mi->tx_size };
  int plane, any = 0;
  // The block at a superblock's top left corner comes first.
  if (!((mi_row | mi_col) & MI_MASK)) begin_superblock(xd, pbi);
  if (!mi->skip) {
    for (plane = 0; plane < MAX_MB_PLANE; ++plane)
      any |= parse_plane(twd, mi, plane, mi_row, mi_col, intra);
    // As in decode_block(): the contexts of later blocks depend on it.
    if (!intra && !any && mi->sb_type >= BLOCK_8X8) mi->skip = 1;
  }
  if (intra)
    append_intra(xd->v3doff_words, &block, mi, mi_col == xd->tile.mi_col_start);
  else
    append_inter(xd->v3doff_words, &block, mi);
}

/* ---- Frames that are given out ------------------------------------------- */

int vp9_v3doff_wait(BufferPool *pool, int idx) {
  Vp9V3doff *const v = pool->v3doff;
  return !v || idx < 0 || !v->picture[idx] || !v->submitted[idx] ||
         v3doff_picture_wait(v->picture[idx], UINT64_MAX) >= 0;
}

void vp9_v3doff_wait_all(BufferPool *pool) {
  int i;
  for (i = 0; pool && i < FRAME_BUFFERS; ++i) vp9_v3doff_wait(pool, i);
}

int vp9_v3doff_may_write(BufferPool *pool, int idx) {
  Vp9V3doff *const v = pool->v3doff;
  if (!v) return 1;
  if (v->held == idx) return 0;
  vp9_v3doff_wait_all(pool);  // some frames may be predicted from it
  v->submitted[idx] = 0;
  return !v->picture[idx] || v3doff_picture_reopen(v->picture[idx]) >= 0;
}

int vp9_v3doff_output(BufferPool *pool, int idx, YV12_BUFFER_CONFIG *sd) {
  Vp9V3doff *const v = pool->v3doff;
  YV12_BUFFER_CONFIG *program;
  if (!vp9_v3doff_wait(pool, idx)) return 0;
  // Post-processing has buffers of its own.
  if (!v || !v->picture[idx] || !has_buffers(pool) ||
      sd->y_buffer != pool->frame_bufs[idx].buf.y_buffer)
    return 1;
  program = &v->program[idx];
  copy_samples(sd, program);
  program->bit_depth = sd->bit_depth;
  program->color_space = sd->color_space;
  program->color_range = sd->color_range;
  program->render_width = sd->render_width;
  program->render_height = sd->render_height;
  *sd = *program;
  return 1;
}

int vp9_v3doff_delay(BufferPool *pool, int idx, int flushed, void **priv) {
  Vp9V3doff *const v = pool->v3doff;
  const int before = v->held;
  void *const before_priv = v->held_priv;
  if (idx == INVALID_IDX && !flushed) return INVALID_IDX;
  if (idx != INVALID_IDX) ++pool->frame_bufs[idx].ref_count;
  v->held = idx;
  v->held_priv = *priv;
  *priv = before_priv;
  if (before != INVALID_IDX) v->given[v->nb_given++] = before;
  return before;
}

int vp9_v3doff_holds(const BufferPool *pool, int idx) {
  return pool->v3doff && pool->v3doff->held == idx;
}

void vp9_v3doff_take_back(BufferPool *pool) {
  Vp9V3doff *const v = pool ? pool->v3doff : NULL;
  while (v && v->nb_given)
    decrease_ref_count(v->given[--v->nb_given], pool->frame_bufs, pool);
}
