# SPDX-License-Identifier: BSD-2-Clause
"""The passes of a VP9 picture that was recorded as words, in instructions of a Raspberry Pi 5's GPU."""

import math

import dumped_words
import intra_order
import qpu

QPUS = 12
GROUP_VECTORS = 8  # of 16 invocations, in a workgroup of 128

# Motion compensation, with the numbers of libv3doff/vp9/inter_kind.cpp, which are from the compiler's
# listings: instructions of a vector for each output row, by width in words (2 or 1) and (filtered across,
# filtered down).
ROW = {2: {(0, 0): 22, (1, 0): 122, (0, 1): 115, (1, 1): 250},
       1: {(0, 0): 17, (1, 0): 74, (0, 1): 116, (1, 1): 145}}
START = 120

# Placing coefficients before a transform (shaders/vp9/residual_words.glsl), instructions of a vector: in any
# case, for each word cleared, for each coefficient of a lane.
UNPACK, CLEAR, COEFFICIENT = 40, 6, 36

INTRA_VECTORS = intra_order.LANES // 16  # in a workgroup of shaders/vp9/intra.comp


def add_prediction(to, picture):
    groups = 0
    samples = 0
    for run, count in picture.predictions.items():
        words = 2 if run.width >= 8 else 1
        rows = 16 if run.down else 8
        lanes = run.width // (4 * words) * math.ceil(run.height / rows)
        lanes = 1 << max(lanes - 1, 0).bit_length()
        cost = START + ROW[words][int(run.across), int(run.down)] * (
            min(rows, run.height) + (7 if run.down else 0))
        groups += math.ceil(count / (128 // lanes)) * GROUP_VECTORS * cost
        samples += count * run.width * run.height * (1.5 if run.average else 1)
    to.add("motion compensation", groups)
    to.copied += samples


def lanes_of(path):
    """The invocations of a block, and the words that they clear together."""
    edge = int(path.split("_")[1])
    corner = int(path.split("_")[2]) if path.count("_") == 2 else edge
    lanes = {4: 1, 8: 2, 16: 4, 32: 32}[edge]
    return lanes, (corner * edge // 2 if edge < 32 else corner * 32)


def unpack_cost(path, blocks, coefficients):
    if path.startswith("dc"):
        return 0
    lanes, words = lanes_of(path)
    # The block with the most coefficients determines a vector's time: it has about twice the mean.
    each = UNPACK + CLEAR * words / lanes + COEFFICIENT * max(1, 2 * coefficients / blocks / lanes)
    return math.ceil(blocks * lanes / 16) * each


def add_transforms(to, paths, transforms, work, parts, block_vectors):
    total = 0
    for path, count in transforms.blocks.items():
        if path.startswith("adst"):
            cost, many = paths.whole["vp9_residual_adst_8"], block_vectors["dct_" + path[5:]]
        else:
            cost, many = paths("vp9_residual_8", path), block_vectors[path]
        total += parts * (math.ceil(count / many) * cost +
                          unpack_cost(path, count, transforms.coefficients[path]))
    if total:
        to.add(work, total)
        to.copied += parts * transforms.samples + 2 * sum(transforms.coefficients.values())


def add_intra(to, picture):
    total, samples = 0, 0
    for groups in picture.intra_dispatches():
        issue, longest = 0, 0
        for sizes in groups:
            chain = 0
            for edge in sizes:
                # Every vector reads the block; only some vectors have samples of it.
                each, of_samples = intra_order.block_cost(edge, 16)
                issue += each * INTRA_VECTORS + of_samples
                chain += sum(intra_order.block_cost(edge, intra_order.LANES))
                samples += edge * edge
            longest = max(longest, chain)
        # One vector runs on one QPU, and each block waits for the one before it.
        total += max(issue, longest * QPUS)
        to.longest(max(issue, longest * QPUS) / qpu.ISSUE_PER_MS)
    if total:
        to.add("intra blocks", total)
        to.copied += 2 * samples


def add_words(to, paths, dump, data, block_vectors):
    picture = dumped_words.Picture(dump, data)
    to.from_nothing()
    add_prediction(to, picture)
    add_transforms(to, paths, picture.inter, "residuals of inter blocks", 1, block_vectors)
    add_transforms(to, paths, picture.intra, "residuals of intra blocks", 2, block_vectors)
    add_intra(to, picture)
