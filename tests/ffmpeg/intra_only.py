#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""intra_only.py IN.ivf OUT.ivf SLOTS...: of a VP9 stream whose frames do not adapt their probabilities (error resilient,
or frame parallel), every key frame but the first becomes a hidden intra-only frame that refreshes only some slots, which
the next frame shows. SLOTS are bits, one number for each key frame in turn. Blocks of both kinds of frame are coded
alike, so that only the uncompressed header changes (VP9 specification, 6.2). Later frames then predict from older ones,
too, of another size if the size changes."""
import struct
import sys

SYNC = 0x498342


class Bits:
    """Reads a frame's header, and copies what it reads to another one."""

    def __init__(self, data):
        self.data, self.at, self.out = data, 0, []

    def read(self, count):
        value = 0
        for _ in range(count):
            value = value << 1 | self.data[self.at >> 3] >> (7 - (self.at & 7)) & 1
            self.at += 1
        return value

    def write(self, value, count):
        self.out += [value >> (count - 1 - i) & 1 for i in range(count)]

    def copy(self, count=1):
        value = self.read(count)
        self.write(value, count)
        return value

    def copy_if_set(self, count):
        if self.copy():
            self.copy(count)

    def finish(self):
        """Both headers end with zeros up to a whole byte."""
        self.out += [0] * (-len(self.out) % 8)
        head = bytes(int("".join(map(str, self.out[i:i + 8])), 2) for i in range(0, len(self.out), 8))
        return head + self.data[(self.at + 7) >> 3:]


def copy_loop_filter(bits):
    bits.copy(9)  # level, sharpness
    if bits.copy() and bits.copy():  # deltas, which are updated
        for _ in range(6):
            bits.copy_if_set(7)


def copy_quantiser(bits):
    bits.copy(8)
    for _ in range(3):
        bits.copy_if_set(5)


def copy_segmentation(bits):
    if not bits.copy():
        return
    if bits.copy():  # the map
        for _ in range(7):
            bits.copy_if_set(8)
        if bits.copy():
            for _ in range(3):
                bits.copy_if_set(8)
    if bits.copy():  # the data
        bits.copy()
        for _ in range(8):
            for count in (9, 7, 2, 0):
                bits.copy_if_set(count)


def tile_bits(width):
    """The most bits that say how many columns of tiles there are."""
    superblocks = (width + 63) >> 6
    least = 0
    while superblocks > 64 << least:
        least += 1
    most = 1
    while superblocks >> most >= 4:
        most += 1
    return most - 1 - least


def copy_tiles(bits, width):
    for _ in range(tile_bits(width)):
        if not bits.copy():
            break
    if bits.copy():
        bits.copy()


def copy_until_tiles(bits, resilient):
    """What all kinds of frame have behind their size, references and filter."""
    if not resilient:
        bits.copy(2)
    bits.copy(2)
    copy_loop_filter(bits)
    copy_quantiser(bits)
    copy_segmentation(bits)


def profile_of(frame):
    low, high = frame[0] >> 5 & 1, frame[0] >> 4 & 1
    return high << 1 | low


def is_key(frame):
    """A key frame that is not only shown again. Profile 3 has one more bit before that."""
    at = 4 + (profile_of(frame) == 3)
    return frame[0] >> (7 - at) & 1 == 0 and frame[0] >> (6 - at) & 1 == 0


def intra_only(frame, slots):
    profile, bits = profile_of(frame), Bits(frame)
    assert profile < 3
    bits.copy(5)
    bits.read(2)
    bits.write(1, 1)  # no key frame
    bits.write(0, 1)  # which is not shown
    resilient = bits.copy()
    bits.write(1, 1)  # intra only
    if not resilient:
        bits.write(3, 2)  # all contexts are reset, as by a key frame
    assert bits.copy(24) == SYNC
    # Profile 0 has 8 bits and 4:2:0, and an intra-only frame does not say so.
    copy = bits.copy if profile > 0 else bits.read
    if profile >= 2:
        copy(1)
    if copy(3) == 7:
        raise ValueError("RGB")
    copy(1)
    if profile & 1:
        copy(3)
    bits.write(slots, 8)
    width = bits.copy(16) + 1
    bits.copy(16)
    bits.copy_if_set(32)
    copy_until_tiles(bits, resilient)
    copy_tiles(bits, width)
    bits.copy(16)
    return bits.finish()


def shown_again(profile, slot):
    return bytes([0x80 | (profile & 1) << 5 | profile >> 1 << 4 | 1 << 3 | slot])


def superframe(frames):
    """Annex B, with sizes of four bytes."""
    marker = bytes([0xc0 | 3 << 3 | len(frames) - 1])
    return b"".join(frames) + marker + b"".join(struct.pack("<I", len(frame)) for frame in frames) + marker


def change_frames(source, target, change):
    """Writes an IVF file with what change makes of each frame."""
    with open(source, "rb") as file:
        data = file.read()
    out, at = bytearray(data[:32]), 32
    while at < len(data):
        size, time = struct.unpack_from("<IQ", data, at)
        frame = change(data[at + 12:at + 12 + size])
        at += 12 + size
        out += struct.pack("<IQ", len(frame), time) + frame
    with open(target, "wb") as file:
        file.write(out)


def main():
    source, target, slots = sys.argv[1], sys.argv[2], [int(word, 0) for word in sys.argv[3:]]
    keys = 0

    def change(frame):
        nonlocal keys
        if is_key(frame):
            if keys:
                chosen = slots[(keys - 1) % len(slots)]
                shown = (chosen & -chosen).bit_length() - 1
                frame = superframe([intra_only(frame, chosen), shown_again(profile_of(frame), shown)])
            keys += 1
        return frame

    change_frames(source, target, change)
    assert keys > 1


if __name__ == "__main__":
    main()
