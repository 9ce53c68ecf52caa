# SPDX-License-Identifier: BSD-2-Clause
"""The passes of an H.264 picture that was recorded as words, in instructions of a Raspberry Pi 5's GPU."""

import collections
import math

import dumped_h264_words as words
import qpu

QPUS = 12
LANES, GROUP_VECTORS = 128, 8  # in a workgroup of inter prediction

# Inter prediction, with the numbers of libv3doff/h264/inter_kind.cpp, which are from the compiler's
# listings: instructions of a vector for each output row, and the cost of the rows that are read before the
# first, in rows.
KINDS = {"copy": (29, 0), "across": (137, 0), "down": (123, 1), "diagonal": (242, 3), "centre": (261, 2),
         "beside": (183, 1), "narrow copy": (22, 0), "narrow across": (90, 0), "narrow down": (73, 1),
         "narrow diagonal": (150, 3), "narrow centre": (156, 3), "narrow beside": (183, 1),
         "any": (266, 3), "chroma": (100, 1), "narrow chroma": (74, 1), "chroma part": (78, 1),
         "any chroma": (106, 1), "any chroma part": (110, 1)}
START = 190
EMPTY = 28  # of a workgroup without records
SIZES, CLASSES = 5, 8
# Cost of the shaders that combine predictions, as a factor (docs/journal/h264-kernels.md).
AVERAGE, WEIGHTED = 1.05, 1.7

# Intra prediction, instructions of a vector (docs/journal/h264-kernels.md): reading the record and the
# samples around a macroblock; a phase of 4x4 blocks with two modes; filtering and predicting an 8x8 block;
# storing samples in the picture; all three phases of 16x16 and chroma.
BORDER, PHASE_4, BLOCK_8, STORE, WHOLE = 97 + 76, 200, 69 + 121, 46, 108 + 199 + 188
ITEM = {words.BLOCKS_4: BORDER + 10 * PHASE_4 + STORE, words.BLOCKS_8: BORDER + 4 * BLOCK_8 + STORE,
        words.WHOLE: BORDER + WHOLE, words.PCM: BORDER}
SIDE_BY_SIDE, ITEM_VECTORS = 8, 2
TILE_U, TILE_V = 16, 8
STEPS_OF_A_DISPATCH = 2


def luma_kind(run, x, y, inside):
    if not inside:
        return "any"
    if not y:
        kind = "across" if x else "copy"
    elif not x:
        kind = "down"
    elif x % 2 and y % 2:
        kind = "diagonal"
    else:
        kind = "beside" if x % 2 else "centre"
    heavy = run.weighted and kind in ("centre", "down")
    narrow = kind == "beside" or run.width == 4 or run.x % 8 or heavy
    return f"narrow {kind}" if narrow else kind


def chroma_kind(width, x, y, inside):
    if width < 4:
        return "chroma part" if inside else "any chroma part"
    if not inside:
        return "any chroma"
    if not x and not y:
        return "copy" if width > 4 else "narrow copy"
    return "narrow chroma" if width == 4 else "chroma"


def samples_of(kind):
    """Instructions for one row of an invocation."""
    if "part" in kind:
        return 2
    return 8 if kind in ("copy", "across", "down", "diagonal", "centre", "beside", "chroma") else 4


def luma_fractions(run):
    return run.vector[0] & 3, run.vector[1] & 3


def chroma_fractions(picture, run):
    """The vector is longer by a quarter of a line if the reference is a field of the other parity (8.4.1.4)."""
    down = 0 if picture.structure == words.FRAME else \
        2 * ((picture.structure == words.BOTTOM) - run.reference % 2)
    return run.vector[0] & 7, run.vector[1] + down & 7


def is_inside(picture, run):
    """Whether nothing outside of the reference may be read, as shaders/h264/motion.comp sees it."""
    places = ((run.x, run.width, run.vector[0], picture.width), (run.y, run.height, run.vector[1], picture.height))
    return all(0 <= 4 * (at - 2) + vector <= 4 * (end * 16 - size - 5) for at, size, vector, end in places)


def add_prediction(to, paths, picture):
    if not picture.predictions:
        return
    runs = collections.Counter()
    samples = 0
    for run in picture.predictions:
        use = (run.average, run.weighted, run.reference)
        inside = is_inside(picture, run)
        kind = luma_kind(run, *luma_fractions(run), inside)
        runs[use, kind, run.width, run.height] += 1
        kind = chroma_kind(run.width // 2, *chroma_fractions(picture, run), inside)
        runs[use, kind, run.width // 2, run.height // 2] += 2
        samples += run.width * run.height * 1.5 * (1.5 if run.average else 1)
    total = groups = 0
    for ((average, weighted, _), kind, width, height), count in runs.items():
        lanes = max(1, width // samples_of(kind))
        row, more = KINDS[kind]
        cost = (START + row * (height + more)) * (WEIGHTED if weighted else AVERAGE if average else 1)
        here = math.ceil(count / (LANES // lanes))
        groups += here
        total += here * GROUP_VECTORS * cost
    # Each dispatch has as many workgroups as it might need (libv3doff/h264/motion.cpp).
    most = sum((whole * lanes + blocks * 4) // LANES + min(SIZES * CLASSES, whole + 4 * blocks)
               for whole, blocks in picture.parts.values() for lanes in (4, 2, 2))
    to.add("inter prediction", total + max(0, most - groups) * GROUP_VECTORS * EMPTY)
    to.copied += samples
    lists = 2 if any(run.average for run in picture.predictions) else 1
    macroblocks = math.ceil(picture.width * picture.height * lists / 16)
    to.add("sorting of motion", macroblocks * (paths.whole["h264_motion_count"]
                                               + paths.whole["h264_motion_place"])
           + len(picture.parts) * SIZES * CLASSES / 16 * paths.whole["h264_motion_groups"])


# Of h264_residual_blocks: instructions for each 4x4 block more than three, and for the 8x8 blocks that
# the other macroblocks of a vector have.
BLOCK_RECORD, LARGE_RECORDS = 40, 3 * 57


def add_records(to, paths, picture):
    coded = picture.coded
    if coded:
        most = sum(max(coded[i:i + 16]) for i in range(0, len(coded), 16))
        vectors = math.ceil(len(coded) / 16)
        to.add("records of residuals", most * BLOCK_RECORD
               + vectors * (paths.whole["h264_residual_blocks"] + LARGE_RECORDS))


def add_residuals(to, paths, shader, blocks, work, block_vectors):
    total = 0
    for path, count in blocks.items():
        total += math.ceil(count / block_vectors[path]) * paths(shader, path)
        edge = int(path.split("_")[1])
        to.copied += 2 * count * edge * edge  # samples, and coefficients of 16 bits
    if total:
        to.add(work, total)


def levels_of(nodes, neighbours):
    """The depth of each node, from 1, in the order of the picture."""
    level = {}
    for at in nodes:
        level[at] = 1 + max((level[other] for other in neighbours(at) if other in level), default=0)
    return level


def intra_dispatches(picture):
    """The order of libv3doff/h264/intra_order.cpp: dispatches, their workgroups, their steps, and the kinds
    of the macroblocks of each step."""
    node = {(mb.y, mb.x): mb for mb in picture.intra}

    def reads(at):
        y, x = at
        places = ((words.LEFT, (y, x - 1)), (words.ABOVE, (y - 1, x)), (words.CORNER, (y - 1, x - 1)),
                  (words.RIGHT, (y - 1, x + 1)))
        return [place for bit, place in places if node[at].reads & bit and place in node]

    def tile(at):
        return at[0] // TILE_V, (at[1] + 2 * at[0]) // TILE_U
    order = sorted(node)
    level = levels_of(order, reads)
    inside = levels_of(order, lambda at: [o for o in reads(at) if tile(o) == tile(at)])
    of_tile = collections.defaultdict(lambda: collections.defaultdict(list))
    before = collections.defaultdict(set)
    for at in order:
        of_tile[tile(at)][inside[at]].append(at)
        before[tile(at)] |= {tile(o) for o in reads(at)} - {tile(at)}
    tile_level = levels_of(sorted(of_tile), lambda t: before[t])

    def steps_of(members):  # eight side by side
        return [members[i:i + SIDE_BY_SIDE] for i in range(0, len(members), SIDE_BY_SIDE)]
    steps = {t: [s for n in sorted(of_tile[t]) for s in steps_of(of_tile[t][n])] for t in of_tile}
    by_tiles = collections.defaultdict(list)
    for t, n in tile_level.items():
        by_tiles[n].append([[node[at].kind for at in step] for step in steps[t]])
    most = sum(max(len(group) for group in groups) for groups in by_tiles.values())
    deepest = max(level.values())
    if len(by_tiles) * STEPS_OF_A_DISPATCH + most < deepest * (STEPS_OF_A_DISPATCH + 1):
        return [by_tiles[n] for n in sorted(by_tiles)]
    by_levels = collections.defaultdict(lambda: collections.defaultdict(list))
    for at in order:
        by_levels[level[at]][node[at].kind].append(node[at].kind)
    return [[[step] for kinds in by_levels[n].values() for step in steps_of(kinds)]
            for n in sorted(by_levels)]


def add_intra(to, picture):
    if not picture.intra:
        return
    total = 0
    for groups in intra_dispatches(picture):
        issue, longest = 0, 0
        for group in groups:
            chain = 0
            for step in group:
                # A workgroup for luma, and one for both chroma planes.
                issue += ITEM_VECTORS * sum(ITEM[kind] + ITEM[words.WHOLE] for kind in step)
                chain += max(ITEM[kind] for kind in step)
            longest = max(longest, chain)
        # One vector runs on one QPU, and each step waits for the one before it.
        busy = max(issue, longest * QPUS)
        total += busy
        to.longest(busy / qpu.ISSUE_PER_MS)
    to.add("intra macroblocks", total)
    to.copied += 2 * 384 * len(picture.intra)  # samples, and residuals that were transformed before


def add_words(to, paths, dump, data, block_vectors):
    picture = words.Picture(dump, data)
    to.from_nothing()
    add_prediction(to, paths, picture)
    add_records(to, paths, picture)
    add_residuals(to, paths, "h264_residual_8", picture.blocks[False], "residuals of inter blocks",
                  block_vectors)
    add_residuals(to, paths, "h264_residual_alone_8", picture.blocks[True], "residuals of intra blocks",
                  block_vectors)
    add_intra(to, picture)
