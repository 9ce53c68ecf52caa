# SPDX-License-Identifier: BSD-2-Clause
"""Counts the work in a VP9 picture that was recorded as words (v3doff/vp9_words.h, docs/dumps.md)."""

import collections
import struct

import dumped
import intra_order

HEADER = struct.Struct("<II3i32h")
LANE = struct.Struct("<4I")
SIZES = [(6, 6), (6, 5), (5, 6), (5, 5), (5, 4), (4, 5), (4, 4), (4, 3), (3, 4), (3, 3), (3, 3), (3, 3),
         (3, 3)]  # log2 of width and height
LAST_WHOLE = 9

# A run of blocks that one kernel predicts in the same way. across, down: the directions that it filters.
Prediction = collections.namedtuple("Prediction",
                                    "plane reference average across down width height")


class Picture:
    def __init__(self, dump, data):
        if dump.depth != 8 or dump.chroma != 1:
            raise dumped.DumpError("words have an estimate for 8 bit 4:2:0 only")
        self.cols, self.rows = (dump.width + 7) // 8, (dump.height + 7) // 8
        self.predictions = collections.Counter()
        self.inter, self.intra = Transforms(), Transforms()  # residuals
        # For each superblock (row, column) and plane: the sizes of its transform blocks.
        self.intra_blocks = collections.defaultdict(lambda: collections.defaultdict(list))
        self.borders = collections.defaultdict(intra_order.Border)
        at = HEADER.size
        while at < len(data):
            _, *counts = LANE.unpack_from(data, at)
            at += LANE.size
            words = []
            for count in counts:
                words.append(struct.unpack_from(f"<{count}I", data, at))
                at += 4 * count
            self._lane(*words)

    def _lane(self, blocks, transforms, _):
        at = transform = coefficient = 0
        while at < len(blocks):
            place, end, kind = blocks[at:at + 3]
            at += 3
            intra, flag, size = place >> 30 & 1, place >> 31, place >> 26 & 15
            into = self.intra if intra else self.inter
            for transform in range(transform, end):
                word, last, eob = transforms[transform * 3:transform * 3 + 3]
                into.add(word >> 28 & 3, word >> 30, eob, last - coefficient)
                coefficient = last
            transform = end
            if intra:
                self._intra(place, size, kind)
                continue
            vectors = (4 if size > LAST_WHOLE else 1) << flag
            for which in range(1 + flag):
                self._inter(size, kind >> 2 * which & 3, which, blocks[at + which:at + vectors:1 + flag])
            at += vectors

    def _inter(self, size, reference, average, vectors):
        width, height = (1 << n for n in SIZES[size])
        pieces = [(0, vector, 7, width, height) for vector in vectors]
        if size > LAST_WHOLE:
            pieces = [(0, vector, 7, 4, 4) for vector in vectors]
        for plane in (1, 2):
            pieces.append((plane, vectors[0], 15, width // 2, height // 2))
        for plane, vector, mask, w, h in pieces:
            self.predictions[Prediction(plane, reference, average, vector & mask != 0,
                                        vector >> 16 & mask != 0, w, h)] += 1

    def _intra(self, place, size, kind):
        row, col = place & 0x1fff, place >> 13 & 0x1fff
        width, height = (1 << n >> 3 for n in SIZES[size])
        border = self.borders[row // 8, col // 8]
        border.add_block(row % 8, col % 8, height, width, {kind >> shift & 15 for shift in range(0, 20, 4)},
                         place >> 31)
        for plane in range(3):
            half, tx = int(plane > 0), kind >> (22 if plane else 20) & 3
            columns, rows = (1 << n >> 2 for n in SIZES[size])
            across = -(-(min(2 * (self.cols - col), columns) >> half) // (1 << tx))
            down = -(-(min(2 * (self.rows - row), rows) >> half) // (1 << tx))
            self.intra_blocks[row // 8, col // 8][plane] += [4 << tx] * (across * down)
            if not plane:
                border.add_cost(4 << tx, across * down)

    def intra_dispatches(self):
        """The library's order of superblocks: dispatches, their workgroups, the sizes of their blocks."""
        for groups in intra_order.order(self.borders):
            yield [[edge for at in group for edge in self.intra_blocks[at][plane]]
                   for group in groups for plane in range(3)]


class Transforms:
    """How many blocks of each path, and their coefficients."""

    def __init__(self):
        self.blocks, self.coefficients = collections.Counter(), collections.Counter()
        self.samples = 0

    def add(self, tx, kind, eob, coefficients):
        edge = 4 << tx
        if kind and tx < 3:
            path = f"adst_{edge}"
        elif eob == 1:
            path = f"dc_{edge}"
        else:
            smaller = [n for most, n in dumped.CORNERS[edge] if eob <= most]
            path = f"dct_{edge}" + (f"_{smaller[0]}" if smaller else "")
        self.blocks[path] += 1
        self.coefficients[path] += coefficients
        self.samples += edge * edge
