# SPDX-License-Identifier: BSD-2-Clause
"""Counts the work in an H.264 picture that was recorded as words (v3doff/h264_words.h, docs/dumps.md)."""

import collections
import struct

import dumped

HEADER = struct.Struct("<7I16i")
LANE = struct.Struct("<3I")
PREDICTION_BYTES, WEIGHTING = 2884, 64  # v3doff_h264_prediction, and where it says how it weights
DEFAULT, EXPLICIT, IMPLICIT = range(3)
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
        _, self.width, self.height, slices, has_predictions, *rest = HEADER.unpack_from(data)
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

    def _part(self, mb, partition, quarter):
        """For each list: (reference index, vector), or None."""
        return tuple(self._of_list(mb, n, quarter, 0) if self.types[mb] >> (12 + partition + 2 * n) & 1
                     else None for n in range(2))

    def _of_list(self, mb, n, quarter, block):
        if self.motion[n] is None:
            return None
        index = self.reference[n][mb * 4 + quarter]
        x, y = quarter % 2 * 2 + block % 2, quarter // 2 * 2 + block // 2
        row = (mb // self.width * 4 + y) * self.width * 4
        return (index, self.motion[n][row + mb % self.width * 4 + x]) if index >= 0 else None

    def _inter(self, x, y):
        """The largest possible rectangles, as in libv3doff/h264/words_motion.cpp."""
        mb = y * self.width + x
        kind = self.types[mb]
        if kind & T16X16:
            return self._append(x, y, 0, 0, 16, 16, self._part(mb, 0, 0))
        if kind & T16X8:
            self._append(x, y, 0, 0, 16, 8, self._part(mb, 0, 0))
            return self._append(x, y, 0, 8, 16, 8, self._part(mb, 1, 2))
        if kind & T8X16:
            self._append(x, y, 0, 0, 8, 16, self._part(mb, 0, 0))
            return self._append(x, y, 8, 0, 8, 16, self._part(mb, 1, 1))
        quarters = [[tuple(self._of_list(mb, n, q, b) if kind >> (12 + 2 * n) & 3 else None
                           for n in range(2)) for b in range(4)] for q in range(4)]
        uniform = all(len(set(q)) == 1 for q in quarters)
        parts = [q[0] for q in quarters]
        if uniform and parts[0] == parts[1] and parts[2] == parts[3]:
            if parts[0] == parts[2]:
                return self._append(x, y, 0, 0, 16, 16, parts[0])
            self._append(x, y, 0, 0, 16, 8, parts[0])
            return self._append(x, y, 0, 8, 16, 8, parts[2])
        if uniform and parts[0] == parts[2] and parts[1] == parts[3]:
            self._append(x, y, 0, 0, 8, 16, parts[0])
            return self._append(x, y, 8, 0, 8, 16, parts[1])
        for n, q in enumerate(quarters):
            width = 8 if q[0] == q[1] and q[2] == q[3] else 4
            height = 8 if q[0] == q[2] and q[1] == q[3] else 4
            for down in range(0, 8, height):
                for right in range(0, 8, width):
                    self._append(x, y, n % 2 * 8 + right, n // 2 * 8 + down, width, height,
                                 q[down // 4 * 2 + right // 4])

    def _append(self, x, y, right, down, width, height, part):
        mb = y * self.width + x
        prediction = self.predictions_of[self.slices[mb]]
        both = part[0] is not None and part[1] is not None
        weighting = prediction[WEIGHTING]
        weighted = weighting == EXPLICIT or weighting == IMPLICIT and both
        first = True
        for n in range(2):
            if part[n] is None:
                continue
            vector = part[n][1] & 0xffffffff
            vector = tuple(v - 65536 if v >= 32768 else v for v in (vector & 0xffff, vector >> 16))
            self.predictions.append(Prediction(
                x * 16 + right, y * 16 + down, width, height, prediction[n * 32 + part[n][0]], vector,
                not first, weighted and (not both or not first)))
            first = False
