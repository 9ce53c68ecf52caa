# SPDX-License-Identifier: BSD-2-Clause
"""Counts the work in a dump (docs/dumps.md), without computing any samples."""

import collections
import struct
from pathlib import Path

VERSION = 2
SCALED = {0: (1, 1), 1: (1, 1), 2: (1, 0), 3: (0, 0), 4: (0, 1)}  # chroma: shifts of x and y


class DumpError(Exception):
    """The file is not a dump, or contains work that has no estimate."""


class Dump:
    def __init__(self, path):
        self.data = Path(path).read_bytes()
        if self.data[:8] != b"V3DD" + struct.pack("<I", VERSION) or len(self.data) < 56:
            raise DumpError(f"is not a dump of version {VERSION}")
        self.width, self.height, self.depth, self.chroma = struct.unpack_from("<4I", self.data, 8)
        self.chunks = list(self._chunks())

    def _chunks(self):
        at, end = 48, len(self.data) - 8
        while at < end:
            if at + 16 > end:
                raise DumpError("is damaged")
            name, size = struct.unpack_from("<4s4xQ", self.data, at)
            if at + 16 + size > end:
                raise DumpError("is damaged")
            yield name.decode("latin-1"), self.data[at + 16:at + 16 + size]
            at += 16 + size

    def samples(self):
        """Of all planes."""
        if not self.chroma:
            return self.width * self.height
        x, y = SCALED[self.chroma]
        return self.width * self.height + 2 * (self.width >> x) * (self.height >> y)


class Blocks:
    """Transform blocks: how many take each path, and how many bytes they move."""

    def __init__(self):
        self.paths = collections.Counter()
        self.samples = self.coefficients = 0

    def add(self, path, edge, coefficients):
        self.paths[path] += 1
        self.samples += edge * edge
        self.coefficients += coefficients


def corner(values, edge):
    """The edge length of the corner that contains all coefficients."""
    return 1 + max((max(i % edge, i // edge) for i, value in enumerate(values) if value), default=0)


def items(data, head):
    """(fields, coefficients) of each transform block."""
    at, size = 0, struct.calcsize(head)
    while at < len(data):
        fields = struct.unpack_from(head, data, at)
        values = struct.unpack_from(f"<{fields[-1]}i", data, at + size)
        at += size + 4 * fields[-1]
        yield fields, values


# (count, edge): up to this number of coefficients fit into a corner of this edge length, which has a kernel
# of its own.
CORNERS = {4: [], 8: [(12, 4)], 16: [(38, 8)], 32: [(34, 8), (135, 16)]}


def vp9_blocks(data):
    blocks = Blocks()
    for (_, _, _, tx, kind, eob, _), values in items(data, "<7I"):
        edge = 4 if tx == 4 else 4 << tx
        used = corner(values, edge)
        if tx == 4:
            path = "wht_4"
        elif kind and tx < 3:
            path = f"adst_{edge}"
        elif eob == 1:
            path = f"dc_{edge}"
        else:
            smaller = [n for most, n in CORNERS[edge] if eob <= most]
            path = f"dct_{edge}" + (f"_{smaller[0]}" if smaller else "")
        blocks.add(path, edge, 0 if path.startswith("dc_") else used * used)
    return blocks


def h264_blocks(data):
    blocks = Blocks()
    for (_, _, _, _, transform, _), values in items(data, "<6I"):
        edge = 8 if transform & 1 else 4
        used = corner(values, edge)
        if transform >= 4:  # 8x8 is four of 4x4
            for _ in range(edge * edge // 16):
                blocks.add("bypass_4", 4, 16)
            continue
        path = f"dc_{edge}" if transform >= 2 or used == 1 else f"residual_{edge}"
        if path == "residual_8" and used <= 4:
            path = "residual_8_4"
        blocks.add(path, edge, 0 if path.startswith("dc_") else used * used)
    return blocks


class Superblock:
    """Edges of the VP9 loop filter of 64x64 samples: per block of 8 the widest filter before it on
    any of its lines, and whether any line has one inside it."""

    WIDTHS = ("16", "8", "4")

    def __init__(self, data):
        self.mask = data[64:]

    def row(self, chroma, between_rows, row, size):
        return self.mask[chroma * 64 + between_rows * 32 + row * 4 + size]

    def blocks(self, chroma, between_rows):
        """(edge, inner) of each block in the order in which a line is filtered."""
        found = []
        for at in range(8):
            def any_line(size, at=at):
                if between_rows:
                    return self.row(chroma, 1, at, size) != 0
                return any(self.row(chroma, 0, row, size) >> at & 1 for row in range(8))
            edge = next((w for size, w in enumerate(self.WIDTHS) if any_line(size)), "none")
            found.append((edge, any_line(3)))
        return found

    def edges(self, chroma):
        """8-sample edges of a plane: (4 wide, wider)."""
        count = [0, 0]
        for between_rows in (0, 1):
            for row in range(8):
                bits = [self.row(chroma, between_rows, row, size).bit_count() for size in range(4)]
                count[0] += bits[2] + bits[3]
                count[1] += bits[0] + bits[1]
        return count


def superblocks(data):
    return [Superblock(data[at:at + 192]) for at in range(8, len(data), 192)]
