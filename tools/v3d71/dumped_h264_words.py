# SPDX-License-Identifier: BSD-2-Clause
"""Counts the work in an H.264 picture that was recorded as words (v3doff/h264_words.h, docs/dumps.md)."""

import collections
import struct

import dumped

HEADER = struct.Struct("<8I16i")
LANE = struct.Struct("<3I")
PREDICTION_BYTES, WEIGHTING = 2884, 64  # v3doff_h264_prediction, and where it says how it weights
DEFAULT, EXPLICIT, IMPLICIT = range(3)
FRAME, TOP, BOTTOM = range(3)  # v3doff_h264_structure
INTER, BLOCKS_4, BLOCKS_8, WHOLE, PCM = range(5)  # v3doff_h264_kind
T16X16, T16X8, T8X16 = 1 << 3, 1 << 4, 1 << 5
CODED, TRANSFORM = 1 << 24, 1 << 23

# A rectangle predicted from one list. average: it is combined with the prediction from the other list.
Prediction = collections.namedtuple("Prediction", "x y width height reference vector average weighted")
# reads: the neighbours that must be finished first, as in libv3doff/h264/intra_neighbours.hpp.
Intra = collections.namedtuple("Intra", "x y kind reads")

LEFT, ABOVE, CORNER, RIGHT = 1, 2, 4, 8
BLOCK_READS = (ABOVE, LEFT, LEFT | ABOVE, ABOVE | RIGHT, 7, 7, 7, ABOVE | RIGHT, LEFT, LEFT, ABOVE, 0)
WHOLE_READS = (LEFT | ABOVE, LEFT, ABOVE, 7, LEFT, ABOVE, 0)


def reads_4(modes, top_right):
    reads = [BLOCK_READS[mode] for mode in modes]
    found = reads[0] & 7
    for i in (1, 4):
        found |= ABOVE if reads[i] & (ABOVE | CORNER | RIGHT) else 0
    found |= reads[5] & ABOVE
    if top_right >> (15 - 5) & 1:
        found |= reads[5] & RIGHT
    for i in (2, 8, 10):
        found |= LEFT if reads[i] & (LEFT | CORNER) else 0
    return found


def reads_8(modes, top_left, top_right):
    def of(i):
        reads = BLOCK_READS[modes[i]] & ~RIGHT
        if reads and top_left << i & 0x8000:
            reads |= CORNER
        if reads & ABOVE and top_right << i & 0x4000:
            reads |= RIGHT
        return reads
    second = of(4)
    return (of(0) & 7 | second & RIGHT | (ABOVE if second & (ABOVE | CORNER) else 0)
            | (LEFT if of(8) & (LEFT | CORNER) else 0))


class Picture:
    def __init__(self, dump, data):
        if dump.depth != 8 or dump.chroma != 1:
            raise dumped.DumpError("words have an estimate for 8 bit 4:2:0 only")
        self.structure, _, self.width, self.height, slices, has_predictions, *rest = HEADER.unpack_from(data)
        lists, self.references = rest[:2], rest[2:]
        self.data, self.at = data, HEADER.size
        count = self.width * self.height
        self.types, self.slices = self._take("I", count), self._take("H", count)
        self.motion, self.reference = [None, None], [None, None]
        for n, there in enumerate(lists):
            if there:
                self.motion[n] = self._take("i", count * 16)  # a vector in a word
                self.reference[n] = self._take("b", count * 4)
        self.predictions_of = []
        for _ in range(slices if has_predictions else 0):
            self.predictions_of.append(data[self.at:self.at + PREDICTION_BYTES])
            self.at += PREDICTION_BYTES
        self.predictions, self.intra = [], []
        # By mode and reference: macroblocks of one part, and 8x8 blocks of others.
        self.parts = collections.defaultdict(lambda: [0, 0])
        self.coded = []  # of each macroblock with residuals: its blocks of 4x4
        # Blocks of 4x4 and 8x8: those of inter macroblocks, those of intra ones.
        self.blocks = {False: collections.Counter(), True: collections.Counter()}
        while self.at < len(data):
            _, *counts = LANE.unpack_from(data, self.at)
            self.at += LANE.size
            macroblocks = self._take("I", counts[0])
            coefficients = self.at
            self.at += 4 * counts[1]
            self._lane(macroblocks, coefficients)

    def _take(self, form, count):
        values = struct.unpack_from(f"<{count}{form}", self.data, self.at)
        self.at += count * struct.calcsize(form)
        return values

    def _lane(self, words, coefficients):
        at = 0
        while at < len(words):
            place = words[at]
            at += 1
            x, y, kind = place & 0x3ff, place >> 10 & 0x3ff, place >> 20 & 7
            if kind == INTER:
                self._inter(x, y)
            elif kind == PCM:
                self.intra.append(Intra(x, y, kind, 0))
                coefficients += 384
                continue
            if not place & CODED:
                continue
            coefficients = self._residual(place, words[at] | words[at + 1] << 32, coefficients)
            at += 2
            if kind != INTER:
                self._intra(x, y, kind, *words[at:at + 4])
                at += 4

    def _residual(self, place, coded, coefficients):
        blocks = self.blocks[place >> 20 & 7 != INTER]
        luma = coded & 0xffff
        if place & TRANSFORM:
            for i in range(0, 16, 4):
                if luma >> i & 1:
                    values = struct.unpack_from("<64h", self.data, coefficients)
                    corner = dumped.corner(values, 8)
                    blocks["residual_8_4" if corner <= 4 else "residual_8"] += 1
                    coefficients += 128
        else:
            blocks["residual_4"] += luma.bit_count()
            coefficients += 32 * luma.bit_count()
        chroma = (coded >> 16).bit_count()
        self.coded.append(chroma + (0 if place & TRANSFORM else luma.bit_count()))
        blocks["residual_4"] += chroma
        return coefficients + 32 * chroma

    def _intra(self, x, y, kind, low, high, available, chroma):
        modes = [(low | high << 32) >> 4 * i & 15 for i in range(16)]
        top_left, top_right = available & 0xffff, available >> 16
        reads = WHOLE_READS[chroma]
        if kind == BLOCKS_4:
            reads |= reads_4(modes, top_right)
        elif kind == BLOCKS_8:
            reads |= reads_8(modes, top_left, top_right)
        else:
            reads |= WHOLE_READS[modes[0]]
        self.intra.append(Intra(x, y, kind, reads))

    def _quarter(self, mb, n, quarter):
        """What list n predicts an 8x8 block from, and its vectors; None if it does not."""
        index = self._index(mb, n, quarter)
        if index is None:
            return None
        prediction = self.predictions_of[self.slices[mb]]
        other = self._index(mb, 1 - n, quarter)
        second = n == 1 and other is not None
        weighting = prediction[WEIGHTING]
        weighted = (weighting == EXPLICIT or weighting == IMPLICIT) and (second or other is None)
        if weighting == IMPLICIT and other is None:
            weighted = False
        x, y = mb % self.width * 4 + quarter % 2 * 2, mb // self.width * 4 + quarter // 2 * 2
        vectors = tuple(self.motion[n][(y + i // 2) * self.width * 4 + x + i % 2] for i in range(4))
        return (prediction[n * 32 + index], second, other if weighted else -1, weighted), vectors

    def _index(self, mb, n, quarter):
        if self.motion[n] is None or not self.types[mb] >> (12 + 2 * n) & 3:
            return None
        index = self.reference[n][mb * 4 + quarter]
        return index if index >= 0 else None

    def _inter(self, x, y):
        """Each list by itself, in rectangles as shaders/h264/motion.comp makes them."""
        mb = y * self.width + x
        whole = self.types[mb] & T16X16
        for n in range(2):
            quarters = [self._quarter(mb, n, q) for q in range(4)]
            if whole:
                quarters = quarters[:1] * 4
            for use, _ in filter(None, quarters[:1] if whole else quarters):
                self.parts[use[1], use[3], use[0]][0 if whole else 1] += 1

            def alike(a, b):
                return (quarters[a] is not None and quarters[a] == quarters[b]
                        and (whole or len(set(quarters[a][1])) == 1))
            rows, columns = alike(0, 1) and alike(2, 3), alike(0, 2) and alike(1, 3)
            if rows and columns:
                self._append(x * 16, y * 16, 16, 16, quarters[0])
                continue
            for q in range(4):
                if quarters[q] is None or rows and q % 2 or columns and q > 1:
                    continue
                right, down = x * 16 + q % 2 * 8, y * 16 + q // 2 * 8
                if rows or columns or len(set(quarters[q][1])) == 1:
                    self._append(right, down, 16 if rows else 8, 16 if columns else 8, quarters[q])
                    continue
                for i in range(4):
                    self._append(right + i % 2 * 4, down + i // 2 * 4, 4, 4, quarters[q], i)

    def _append(self, x, y, width, height, quarter, block=0):
        (reference, second, _, weighted), vectors = quarter
        vector = vectors[block] & 0xffffffff
        vector = tuple(v - 65536 if v >= 32768 else v for v in (vector & 0xffff, vector >> 16))
        self.predictions.append(Prediction(x, y, width, height, reference, vector, second, weighted))
