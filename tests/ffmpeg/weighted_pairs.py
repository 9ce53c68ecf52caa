#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""weighted_pairs.py FILE: writes a small H.264 stream of MBAFF frames with explicit weights, which no encoder at
hand makes: one I picture of I_PCM macroblocks, then P and B pictures in CAVLC. Frame pairs, field pairs and
skipped ones alternate at random, each with motion vectors of its own. A reference has one pair of weights in
each slice; the first picture is a long-term reference. Names are those of ITU-T H.264, clause 7.3."""
import random
import re
import sys

WIDTH, PAIRS = 5, 3  # in macroblocks, in rows of pairs: 80x96
REFERENCES = 3       # frames: the first picture, and the last two P pictures
PCM, B_L0, B_BI = 25, 1, 3  # mb_type
INTRA = {"I": 0, "P": 5, "B": 23}  # mb_type of intra macroblocks begins here
# FFmpeg's functions for x86 keep 16 bits: two weights of a bidirectional prediction are less than 128 together.
LOG2_DENOM, WEIGHTS, OFFSETS = 5, (14, 60), (-24, 24)


class Bits:
    def __init__(self):
        self.text = ""

    def u(self, count, value):
        self.text += f"{value:0{count}b}"

    def ue(self, *values):
        for value in values:
            self.text += "0" * ((value + 1).bit_length() - 1) + f"{value + 1:b}"

    def se(self, *values):
        self.ue(*(2 * value - 1 if value > 0 else -2 * value for value in values))

    def te(self, largest, value):
        if largest > 1:
            self.ue(value)
        else:
            self.u(1, 1 - value)

    def align(self):
        self.text += "0" * (-len(self.text) % 8)

    def nal_unit(self, header):
        self.text += "1"
        self.align()
        payload = bytes(int(self.text[i:i + 8], 2) for i in range(0, len(self.text), 8))
        return b"\0\0\0\1" + bytes([header]) + re.sub(b"\0\0(?=[\0-\3])", b"\0\0\3", payload)


def sequence_parameters():
    bits = Bits()
    for byte in (77, 0, 30):  # Main profile, level 3
        bits.u(8, byte)
    bits.ue(0, 4, 0, 4)  # 8 bits of frame_num and, by type 0, of pic_order_cnt_lsb
    bits.ue(REFERENCES)
    bits.u(1, 0)
    bits.ue(WIDTH - 1, PAIRS - 1)
    bits.u(5, 0b01101)  # no frame_mbs_only_flag, MBAFF, direct_8x8_inference_flag, no cropping, VUI
    bits.u(9, 1)  # of the VUI only bitstream_restriction_flag
    bits.u(1, 1)
    bits.ue(0, 0, 16, 16, 1, REFERENCES)  # one frame is reordered
    return bits.nal_unit(0x67)


def picture_parameters():
    bits = Bits()
    bits.ue(0, 0)
    bits.u(2, 0b01)  # CAVLC, bottom_field_pic_order_in_frame_present_flag
    bits.ue(0, REFERENCES - 1, 0)
    bits.u(3, 0b101)  # weighted_pred_flag, weighted_bipred_idc 1
    bits.se(0, 0, 0)
    bits.u(3, 0)
    return bits.nal_unit(0x68)


class Picture:
    """of_reference: the numbers of frames in each list of references."""

    def __init__(self, kind, frame_num, order, of_reference, chance):
        self.kind, self.frame_num, self.order, self.chance = kind, frame_num, order, chance
        self.is_reference, self.of_reference = kind != "B", of_reference

    def header(self, bits, first_pair):
        bits.ue(first_pair, {"P": 0, "B": 1, "I": 2}[self.kind], 0)
        bits.u(8, self.frame_num)
        bits.u(1, 0)  # a frame
        if self.kind == "I":
            bits.ue(0)
        bits.u(8, self.order)
        bits.se(1)  # the bottom field is later
        if self.kind == "B":
            bits.u(1, 1)  # spatial direct prediction
        if self.of_reference:
            bits.u(1, 1)
            bits.ue(*(count - 1 for count in self.of_reference))
            bits.u(len(self.of_reference), 0)  # lists in their order
            bits.ue(LOG2_DENOM, LOG2_DENOM)
        for _ in range(sum(self.of_reference)):
            for components in (1, 2):
                bits.u(1, 1)
                for _ in range(components):
                    bits.se(self.chance.randint(*WEIGHTS), self.chance.randint(*OFFSETS))
        if self.kind == "I":
            bits.u(2, 0b01)  # a long-term reference
        elif self.is_reference:
            bits.u(1, 0)
        bits.se(0)  # slice_qp_delta

    def pcm(self, bits, x, row):
        bits.ue(INTRA[self.kind] + PCM)
        bits.align()
        chance = self.chance
        for size, start in ((16, 60), (8, 100), (8, 150)):
            for i in range(size * size):
                bits.u(8, start + (x * 29 + row * 17 + i % size * 5 + i // size * 3) % 60 + chance.randrange(8))

    def predicted(self, bits, is_field):
        chance = self.chance
        lists = [0]
        if self.kind == "P":
            bits.ue(0)  # P_L0_16x16
        else:
            mb_type = chance.randint(B_L0, B_BI)
            lists = [0, 1] if mb_type == B_BI else [mb_type - B_L0]
            bits.ue(mb_type)
        for number in lists:
            largest = (self.of_reference[number] << is_field) - 1
            if largest:
                bits.te(largest, chance.randint(0, largest))
        for _ in lists:
            bits.se(chance.randint(-9, 9), chance.randint(-9, 9))
        bits.ue(0)  # coded_block_pattern: 0

    def slice(self, first_pair, end_pair):
        bits, skipped, chance = Bits(), 0, self.chance
        self.header(bits, first_pair)
        for pair in range(first_pair, end_pair):
            is_field, field_is_known = chance.randrange(2), False
            for lower in range(2):
                if self.kind != "I" and chance.random() < 0.2:
                    skipped += 1
                    continue
                if self.kind != "I":
                    bits.ue(skipped)
                    skipped = 0
                if not field_is_known:
                    bits.u(1, is_field)
                    field_is_known = True
                if self.kind == "I" or chance.random() < 0.05:
                    self.pcm(bits, pair % WIDTH, pair // WIDTH * 2 + lower)
                else:
                    self.predicted(bits, is_field)
        if skipped:
            bits.ue(skipped)
        return bits.nal_unit(self.is_reference << 5 | (5 if self.kind == "I" else 1))

    def slices(self):
        """The second begins within a row."""
        return self.slice(0, WIDTH + 2) + self.slice(WIDTH + 2, WIDTH * PAIRS)


def pictures(chance):
    yield Picture("I", 0, 0, [], chance)
    for number in range(1, 5):
        yield Picture("P", number, 4 * number, [min(number, REFERENCES)], chance)
        yield Picture("B", number + 1, 4 * number - 2, [min(number + 1, REFERENCES)] * 2, chance)


def main():
    with open(sys.argv[1], "wb") as file:
        file.write(sequence_parameters() + picture_parameters())
        for picture in pictures(random.Random(1)):
            file.write(picture.slices())


if __name__ == "__main__":
    main()
