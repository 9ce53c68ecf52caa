#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""new_sizes.py IN.ivf OUT.ivf WIDTHxHEIGHT...: of a VP9 stream of less than 256 columns, every third inter frame codes a size,
one after the other, instead of taking that of a reference; frames between them take it over. Their blocks are
no longer those that an encoder chose, but every frame whose data suffices is decoded. All references are scaled, by up to 2 down
and up to 16 up (VP9 specification, 8.5.2.3)."""
import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../ffmpeg"))
from intra_only import Bits, change_frames, copy_until_tiles, is_key, profile_of, tile_bits


def with_size(frame, width, height):
    bits = Bits(frame)
    bits.copy(4 + (profile_of(frame) == 3))
    shown_again, _, shown, resilient = (bits.copy() for _ in range(4))
    if shown_again or not shown:
        return frame
    if not resilient:
        bits.copy(2)
    bits.copy(8 + 3 * 4)
    if not bits.read(1):
        return frame  # its size is not that of its first reference
    bits.write(0, 3)
    bits.write(width - 1, 16)
    bits.write(height - 1, 16)
    bits.copy_if_set(32)
    bits.copy()  # precision of vectors
    if not bits.copy():
        bits.copy(2)
    copy_until_tiles(bits, resilient)
    if tile_bits(width) > 0:
        bits.write(0, 1)
    if bits.copy():
        bits.copy()
    bits.copy(16)
    return bits.finish()


def main():
    sizes = [tuple(map(int, word.split("x"))) for word in sys.argv[3:]]
    frames = changed = 0

    def change(frame):
        nonlocal frames, changed
        if is_key(frame):
            return frame
        frames += 1
        if frames % 3 or changed == len(sizes):
            return frame
        new = with_size(frame, *sizes[changed])
        changed += new is not frame
        return new

    change_frames(sys.argv[1], sys.argv[2], change)
    assert changed


main()
