# SPDX-License-Identifier: BSD-2-Clause
"""Converts counted work to milliseconds on a Raspberry Pi 5, with the paths of tests/shaderstat/paths.tsv."""

import math
from pathlib import Path

import dumped
import dumped_h264
import h264_words_model
import qpu
import words_model

TABLES = Path(__file__).resolve().parent / "../../tests/shaderstat"
COPY_BYTES_PER_MS = 4.1e9 / 1e3  # each read and written
DISPATCH_MS = 0.055
QPUS = 12

# Blocks of a 16-lane vector.
BLOCKS = {"wht_4": 16, "dct_4": 16, "dct_8_4": 8, "dct_8": 8, "dct_16_8": 4, "dct_16": 4,
          "dct_32_8": 0.5, "dct_32_16": 0.5, "dct_32": 0.5, "dc_4": 16, "dc_8": 8, "dc_16": 4,
          "dc_32": 2, "bypass_4": 16, "residual_4": 16, "residual_8_4": 8, "residual_8": 8}
STRENGTH_MBS = 4  # macroblocks of a vector

# Measured by the predecessor on a real Pi 5 (tools/v3d71/README.md), ns per unit: its kernel on all QPUs,
# and NEON on one core.
PUBLISHED = {"8x8 of transform": (129.0, 1e3 / 8.17), "edge of 8, 4 wide": (50.9, 1e3 / 48.3),
             "edge of 8, wider": (56.0, 1e3 / 52.4), "edge of 16": (177.7, 1e3 / 91.9)}

LEFT_OUT = ("memory latency and cache misses; thread occupancy; the submit (22.7 us) and its wait; "
            "the launch of the copy kept against failures; other users of the GPU and of memory; "
            "clock and heat; the CPU's recording. Deblocking counts every edge as filtered.")


def read_rows(name):
    lines = (TABLES / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines[1:]]


class Paths:
    def __init__(self):
        self.rows = {(shader, path): int(n) for shader, path, n, _ in read_rows("paths.tsv")}
        self.whole = {row[0]: int(row[1]) for row in read_rows("table.tsv")}

    def __call__(self, shader, path):
        try:
            return self.rows[shader, path]
        except KeyError:
            raise dumped.DumpError(f"holds work without an estimate: {shader}, {path}") from None


class Estimate:
    """The estimate of one picture. issue: ms by the name of the work."""

    def __init__(self, dump):
        self.samples = dump.samples()
        self.bytes_of_sample = 2 if dump.depth > 8 else 1
        self.issue, self.units = {}, {}
        self.copied = 0  # bytes, each read and written
        self.kept = self.samples  # that are copied before they are overwritten
        self.longest_level = 0

    def add(self, work, instructions):
        self.issue[work] = self.issue.get(work, 0) + instructions / qpu.ISSUE_PER_MS

    def from_nothing(self):
        self.kept = 0

    def longest(self, ms):
        self.longest_level = max(self.longest_level, ms)

    def unit(self, name, count):
        self.units[name] = self.units.get(name, 0) + count

    def copies_of_picture(self, times):
        self.copied += times * self.samples * self.bytes_of_sample

    def result(self, dispatches):
        issue = sum(self.issue.values())
        # Samples are copied before they are overwritten, so that the CPU can do the picture after a failure.
        memory = (self.copied + self.kept * self.bytes_of_sample) / COPY_BYTES_PER_MS
        dispatch = dispatches * DISPATCH_MS
        published, neon = (sum(n * PUBLISHED[u][i] for u, n in self.units.items()) / 1e6
                           for i in (0, 1))
        return {"issue_ms": issue, "memory_ms": memory, "dispatches": dispatches,
                "dispatch_ms": dispatch, "total_ms": max(issue, memory) + dispatch,
                "issue_of": dict(self.issue), "units": dict(self.units),
                "predecessor_ms": published, "neon_one_core_ms": neon}


def add_blocks(to, paths, shader, blocks, work):
    for path, count in blocks.paths.items():
        if path.startswith("adst"):
            # There is no path for it: take the whole shader, with as many blocks as for this size.
            cost, many = paths.whole["vp9_residual_adst_8"], BLOCKS["dct_" + path[5:]]
        else:
            cost, many = paths(shader, path), BLOCKS[path]
        to.add(work, math.ceil(count / many) * cost)
    to.unit("8x8 of transform", blocks.samples / 64)
    to.copied += blocks.samples * to.bytes_of_sample + blocks.coefficients


def line_cost(paths, shader, blocks):
    cost = paths(shader, "line")
    for edge, inner in blocks:
        cost += paths(shader, f"block_{edge}{'_inner' if inner else ''}")
    return cost


def add_vp9_filter(to, paths, dump, data, passes):
    """A vector has the 64 lines of a superblock: of luma, or of both 4:2:0 chroma planes."""
    if dump.depth != 8 or dump.chroma != 1:
        raise dumped.DumpError("the loop filter has an estimate for 8 bit 4:2:0 only")
    all_superblocks = dumped.superblocks(data)
    cols = (dump.width + 63) // 64
    wave = any("wave" in name for name in passes)
    costs = []  # of a superblock: of each direction both vectors
    for superblock in all_superblocks:
        costs.append([])
        for between_rows in (0, 1):
            kernel = "wave" if wave else "rows" if between_rows else "columns"
            shader = f"vp9_filter_{kernel}_8"
            costs[-1].append([line_cost(paths, shader, superblock.blocks(0, between_rows)),
                              line_cost(paths, shader, superblock.blocks(1, between_rows)[::2])])
        for chroma in (0, 1):
            four, wider = superblock.edges(chroma)
            to.unit("edge of 8, 4 wide", four * (1 + chroma))
            to.unit("edge of 8, wider", wider * (1 + chroma))
    if wave:
        to.add("loop filter, wavefront", wave_cost(costs, cols))
        to.copies_of_picture(2)
        return
    all_costs = sum(sum(direction) for both in costs for direction in both)
    to.add("loop filter, columns and rows", all_costs)
    # A strip is 8 of the 64 columns, filtered in both directions.
    to.add("loop filter, strips (an eighth of that)", all_costs / 8)
    to.copies_of_picture(2 + 2 / 8)


def wave_cost(costs, cols):
    """One diagonal of superblocks at a time; one vector runs on one QPU."""
    rows = len(costs) // cols
    total = 0
    for step in range(rows + cols - 1):
        active = [costs[r * cols + step - r] for r in range(rows) if 0 <= step - r < cols]
        for between_rows in (0, 1):
            vectors = [cost for both in active for cost in both[between_rows]]
            total += max(sum(vectors), max(vectors) * QPUS)
    return total


def add_h264_filter(to, paths, dump, part):
    if dump.chroma != 1:
        raise dumped.DumpError("deblocking has an estimate for 4:2:0 only")
    depth = "8" if dump.depth == 8 else "high"
    for (name, path), count in filter_vectors(part.mb_width, part.mb_height, dump.depth).items():
        to.add("deblocking", count * paths(f"h264_filter_{name}_420_{depth}", path))
    if part.strengths_derived:
        shader = "h264_filter_strength_two_lists" if part.lists > 1 else "h264_filter_strength_one_list"
        macroblocks = part.mb_width * part.mb_height
        to.add("boundary strengths", math.ceil(macroblocks / STRENGTH_MBS) * paths.whole[shader])
        to.copied += macroblocks * (16 + 64) / 2 + macroblocks * 16  # read; written
    to.unit("edge of 16", part.edges * 1.5)  # luma, and two 4:2:0 chroma planes: half the edges, each of 8
    # Luma: two passes of strips, one of all lines, one of columns 0 to 11 of each macroblock. Chroma: one of
    # strips, two of all lines.
    share = part.mb_width * part.mb_height * 384 / (dump.samples() or 1)
    to.copies_of_picture(2.25 * min(share, 1))


def filter_vectors(mb_width, mb_height, depth):
    """The four passes; see h264-filter-estimate."""
    columns, tiles = math.ceil(mb_width / 8) * 8, math.ceil(3 * mb_width / 16)
    wanted = math.ceil(40 / tiles)  # slabs of the last pass, enough for all QPUs
    return {("strip_vertical", "chroma"): columns * mb_height * 2 / 16,
            ("strip_vertical", "luma"): columns * mb_height * 2 / 16,
            ("strip_horizontal", "chroma"): columns * mb_height * (2 if depth == 8 else 4) / 16,
            ("strip_horizontal", "luma"): columns * mb_height / 16,
            ("vertical", "chroma"): columns * mb_height * 2 / 16,
            ("vertical", "luma"): columns * mb_height * 4 / 16,
            ("horizontal", "row"): tiles * mb_height,
            ("horizontal", "slab"): tiles * min(wanted, mb_height)}


def estimate(dump, passes, paths):
    to = Estimate(dump)
    for name, data in dump.chunks:
        if name == "9ITX":
            if dump.depth != 8:
                raise dumped.DumpError("transforms have an estimate for 8 bit only")
            add_blocks(to, paths, "vp9_residual_8", dumped.vp9_blocks(data), "transforms")
        elif name == "9WRD":
            words_model.add_words(to, paths, dump, data, BLOCKS)
        elif name == "4WRD":
            h264_words_model.add_words(to, paths, dump, data, BLOCKS)
        elif name == "4IDC":
            if dump.depth != 8:
                raise dumped.DumpError("transforms have an estimate for 8 bit only")
            add_blocks(to, paths, "h264_residual_8", dumped.h264_blocks(data), "transforms")
        elif name == "9LPF":
            add_vp9_filter(to, paths, dump, data, passes)
        elif name == "4DBK":
            add_h264_filter(to, paths, dump, dumped_h264.given(data, dump.width, dump.height))
        elif name == "4ARR" and dumped_h264.is_mbaff(data):
            raise dumped.DumpError("MBAFF frames have no estimate")
        elif name == "4ARR":
            add_h264_filter(to, paths, dump, dumped_h264.derived(data))
        elif name not in ("BFOR", "AFTR", "9REF", "4REF"):
            raise dumped.DumpError(f"holds work without an estimate: {name}")
    return to.result(len(passes))
