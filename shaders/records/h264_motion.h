// SPDX-License-Identifier: BSD-2-Clause
// How the GPU sorts the motion of a picture: from its macroblocks
// (h264_macroblocks.h) to the records of inter prediction (h264_inter.h). Compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_H264_MOTION_H
#define V3DOFF_RECORDS_H264_MOTION_H

#include "records/record.h"

RECORDS_BEGIN(v3doff::h264)

// One prediction of a rectangle from one list becomes one InterRecord. Those of a key have one
// dispatch: the mode (what becomes of the prediction) and the source are the same. Those of a bucket
// have workgroups together: also the class and the size are the same.
const uint MOTION_SIZES = 5; // 16x16, 16x8, 8x16, 8x8, 4x4
// By the fractions: 0 none, 1 none of luma, 2 across, 3 down, 4 both odd, 5 half across and any
// down, 6 odd across and half down. And what may read outside of the reference.
const uint MOTION_CLASSES = 8;
const uint MOTION_NEAR_EDGE = 7;
const uint MOTION_BUCKETS = MOTION_CLASSES * MOTION_SIZES; // of a key
const uint MOTION_MODES = 4, MOTION_SOURCES = 32;

// What a set of slices predicts from. By list and index: the source, and MOTION_MOVES_CHROMA where
// it is a field of the other parity (8.4.1.4). Field macroblocks of an MBAFF frame look at half of
// their index, because the source is a frame; the lowest bit says which of its fields. Behind that:
// where the weights of pairs are, counted from MotionPush::tables; 0 if all are default. First of
// frame macroblocks, then of upper and of lower field macroblocks.
const uint MOTION_LIST = 32;
const uint MOTION_TABLE_WORDS = 2u * MOTION_LIST + 3u;
const uint MOTION_MOVES_CHROMA = 1u << 16; // above the numbers of keys
// Weights by the index in list 0 plus 1 and the one in list 1 plus 1; 0 stands for no index, and as
// a value for the default. Others are the number of an InterWeightRecord plus 1.
const uint MOTION_PAIRS = MOTION_LIST + 1u;

struct MotionKey {
    uint groups;   // word offset of its WorkGroups, which are 0 beforehand
    uint count;    // how many there are
    uint weighted; // 1: the shader has weights
    uint unused;
};

// Before a record has its place, its last word has the bucket, and how many others of the same list and
// macroblock follow it.
const Bits MOTION_BUCKET = {0, 16}, MOTION_LEFT = {16, 16};

const uint MOTION_LANES = 64;

// Offsets count words of the arena.
struct MotionPush {
    uint macroblocks, vectors; // MacroblockRecords, a multiple of 4; their motion
    uint indices_0, indices_1; // by macroblock: the reference indices of its 8x8 blocks, bytes
    uint slices; // 16 bits for each macroblock: its table; 0: all have the first
    uint tables;
    uint weights; // InterWeightRecords
    uint lookup;  // by mode and source: the number of the key
    uint keys;    // MotionKeys
    uint key_count;
    uint buckets; // of each, how many records, then where the next one goes
    uint placed;  // a word: how many records have a place
    uint records;  // InterRecords, a multiple of 4
    uint unsorted; // the same by list and macroblock: in the order of their vectors
    uint shapes;  // by plane, whether weighted, class and size: WorkGroup::what without a count
    uint count, lists; // macroblocks; lists in use
    uint mb_width, mb_height;
    uint pairs; // 1: an MBAFF frame, whose macroblocks are in pairs, upper ones first
};

RECORD_LAYOUT(sizeof(MotionKey) == 16)
RECORD_LAYOUT(sizeof(MotionPush) == 80)
RECORDS_END

#endif
