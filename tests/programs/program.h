// SPDX-License-Identifier: BSD-2-Clause
// What the test programs share: a clip in memory, decoding it packet by packet, and comparing the
// frames with those of -v3doff off.
#pragma once

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavcodec/avcodec.h>

#include "../ffmpeg/decode_stream.h" // EXPECT

enum { most_packets = 1000, most_frames = 4000 };

// The video packets of a file. A clip that is repeated begins with a key frame.
typedef struct Clip {
    AVCodecParameters *parameters;
    AVRational time_base;
    AVPacket *packet[most_packets];
    int packets;
} Clip;

// The frames that a decoder returned, and the number of packets sent before each.
typedef struct Frames {
    int count;
    uint64_t hash[most_frames];
    int packet[most_frames];
} Frames;

typedef void Prepare(AVCodecContext *context);
typedef void Take(AVFrame *frame, void *opaque);

// One decoder of a clip.
typedef struct Player {
    const Clip *clip;
    AVCodecContext *context;
    AVFrame *frame;
    Take *take; // or null
    void *opaque;
    int sent, errors;
} Player;

// The command line: CELL MODE THREADS FILE [ARGUMENT...]
typedef struct Job {
    const char *cell, *mode;
    int threads;
    const char *path;
    Clip clip;
    Frames expected; // of -v3doff off
    int arguments;
    char **argument;
} Job;
extern Job job;

typedef struct Cell {
    const char *name;
    void (*run)(void);
} Cell;

Clip read_clip(const char *path);
// A decoder with this mode and job.threads; prepare may be null.
AVCodecContext *open_decoder(const Clip *clip, const char *mode, Prepare *prepare);

Player start_playing(const Clip *clip, const char *mode, Prepare *prepare, Take *take,
                     void *opaque);
// Sends the next packet of the repeated clip, and takes all frames.
void play_packet(Player *player);
void play_packets(Player *player, int count);
void take_frames(Player *player);
void drain(Player *player);
void stop_playing(Player *player);

// Decodes the clip: its frames go to *frames. Returns the number of errors.
int decode_clip(const Clip *clip, const char *mode, Prepare *prepare, Frames *frames);
uint64_t frame_hash(const AVFrame *frame);
void note_frame(AVFrame *frame, void *frames);
// The first frames may be all that there are.
void expect_first_frames(const Frames *frames, const Frames *expected, const char *what);
void expect_frames(const Frames *frames, const Frames *expected, const char *what);

long argument(int index, long otherwise);
double seconds(void);
// Reads the command line, decodes the clip with -v3doff off and runs the cell.
int run_cell(int count, char **arguments, const Cell *cells, size_t cell_count);
