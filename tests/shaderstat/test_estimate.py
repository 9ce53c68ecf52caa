# SPDX-License-Identifier: BSD-2-Clause
"""The Raspberry Pi 5 estimate: what is counted in dumps, and what that comes to."""
import glob
import math
import struct
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/v3d71"))
import dumped  # noqa: E402
import dumped_h264  # noqa: E402
import dumped_h264_words  # noqa: E402
import estimate_model as model  # noqa: E402
import h264_words_model  # noqa: E402
import qpu  # noqa: E402

PATHS = model.Paths()


def dump_of(width, height, chunks, depth=8, chroma=1):
    """A dump with these chunks and no samples."""
    data = b"V3DD" + struct.pack("<11I", dumped.VERSION, width, height, depth, chroma, *[0] * 6)
    for name, content in chunks:
        data += struct.pack("<4s4xQ", name, len(content)) + content
    with tempfile.NamedTemporaryFile() as file:
        file.write(data + bytes(8))
        file.flush()
        return dumped.Dump(file.name)


def itx(tx, eob, values, kind=0):
    return struct.pack("<7I", 0, 0, 0, tx, kind, eob, len(values)) + struct.pack(
        f"<{len(values)}i", *values)


def superblock(luma, chroma, inner=0):
    """All blocks of 8 have an edge of one size on all sides: index into mask sizes."""
    mask = bytearray(128)
    for at, size in ((0, luma), (64, chroma)):
        for row in range(16):
            if size is not None:
                mask[at + row * 4 + size] = 0xFF
            mask[at + row * 4 + 3] = inner
    return bytes(64) + bytes(mask)


def h264_words(width, types, vectors, words, coefficients=b"", structure=dumped_h264_words.FRAME):
    """A row of macroblocks of one P slice, each with one vector."""
    count = len(types)
    data = dumped_h264_words.HEADER.pack(structure, 0, width, 1, 1, 1, 1, 0, 0, *[-1] * 15)
    data += struct.pack(f"<{count}I{count}H", *types, *[0] * count)
    data += b"".join(struct.pack("<2h", *v) * 4 for v in vectors) * 4 + bytes(4 * count)
    data += bytes(dumped_h264_words.PREDICTION_BYTES)
    data += dumped_h264_words.LANE.pack(0, len(words), len(coefficients) // 4)
    return data + struct.pack(f"<{len(words)}I", *words) + coefficients


class Estimate(unittest.TestCase):
    def result(self, dump, passes=("any",)):
        return model.estimate(dump, list(passes), PATHS)

    def test_blocks_fill_vectors(self):
        cost = PATHS("vp9_residual_8", "dct_4")
        for blocks, vectors in ((1, 1), (16, 1), (17, 2), (160, 10)):
            found = self.result(dump_of(64, 64, [(b"9ITX", itx(0, 16, [1, 2, 3]) * blocks)]))
            self.assertAlmostEqual(found["issue_ms"], vectors * cost / qpu.ISSUE_PER_MS)
            self.assertEqual(found["units"], {"8x8 of transform": blocks / 4})

    def test_kinds_of_blocks(self):
        for tx, eob, values, path in ((0, 1, [5], "dc_4"), (1, 12, [1] * 4, "dct_8_4"),
                                      (1, 13, [1] * 30, "dct_8"), (2, 38, [1], "dct_16_8"),
                                      (2, 200, [1] * 250, "dct_16"), (3, 34, [1] * 8, "dct_32_8"),
                                      (3, 135, [1] * 16, "dct_32_16"), (3, 999, [1] * 999, "dct_32"),
                                      (4, 1, [1], "wht_4")):
            self.assertEqual(list(dumped.vp9_blocks(itx(tx, eob, values)).paths), [path])

    def test_h264_blocks(self):
        def block(transform, values):
            return struct.pack("<6I", 0, 0, 0, 0, transform, len(values)) + struct.pack(
                f"<{len(values)}i", *values)
        for transform, values, paths in ((0, [9], {"dc_4": 1}), (0, [9, 1], {"residual_4": 1}),
                                         (1, [9, 1], {"residual_8_4": 1}), (3, [9], {"dc_8": 1}),
                                         (1, [9] * 40, {"residual_8": 1}), (5, [1], {"bypass_4": 4})):
            self.assertEqual(dumped.h264_blocks(block(transform, values)).paths, paths)

    def test_every_edge_of_1080p_is_what_the_listings_say(self):
        """docs/journal/h264-kernels.md: deblocking 2.00 ms; with 16x16 transforms columns and rows 2.24 ms."""
        total = sum(n * PATHS(f"h264_filter_{name}_420_8", path) for (name, path), n in
                    model.filter_vectors(120, 68, 8).items()) / qpu.ISSUE_PER_MS
        self.assertAlmostEqual(total, 2.0, delta=0.01)
        mask = bytearray(128)
        for row in range(0, 8, 2):
            for between_rows in (0, 32):
                mask[between_rows + row * 4] = 0xFF if between_rows else 0x55
                mask[64 + between_rows + row * 4 + 1] = 0x55  # chroma: 8 wide
        data = bytes(8) + (bytes(64) + bytes(mask)) * (30 * 17)
        found = self.result(dump_of(1920, 1080, [(b"9LPF", data)]), ["vp9_filter_columns_8"])
        self.assertAlmostEqual(found["issue_of"]["loop filter, columns and rows"], 2.24, delta=0.01)

    def test_wide_filters_cost_more_and_none_least(self):
        def cost(*sizes, inner=0):
            data = bytes(8) + superblock(*sizes, inner=inner)
            return self.result(dump_of(64, 64, [(b"9LPF", data)]), ["wave"])["issue_ms"]
        costs = [cost(None, None), cost(2, 2), cost(2, 2, inner=255), cost(0, 0)]
        self.assertEqual(sorted(costs), costs)
        self.assertEqual(len(set(costs)), 4)

    def test_published_units(self):
        data = bytes(8) + superblock(1, None)
        units = self.result(dump_of(64, 64, [(b"9LPF", data)]), ["wave"])["units"]
        self.assertEqual(units["edge of 8, wider"], 128)
        self.assertEqual(units["edge of 8, 4 wide"], 0)

    def test_a_lone_vector_keeps_one_qpu_busy(self):
        one = self.result(dump_of(64, 64, [(b"9LPF", bytes(8) + superblock(0, 0))]), ["wave"])
        vector = PATHS("vp9_filter_wave_8", "line") + 8 * PATHS("vp9_filter_wave_8",
                                                                    "block_16")
        self.assertAlmostEqual(one["issue_ms"], 2 * vector * 4 / 960e3)

    def test_given_strengths(self):
        mb = bytearray(40)
        mb[0:16] = b"\x02" * 16  # between columns: all four edges
        mb[37] = 1 | 2 | 4
        part = dumped_h264.given(struct.pack("<I", 0) + bytes(mb) * 2, 32, 16)
        self.assertEqual(part.edges, 7)  # the picture's border is none
        mb[37] |= 8
        part = dumped_h264.given(struct.pack("<I", 0) + bytes(mb) * 2, 32, 16)
        self.assertEqual(part.edges, 3)

    def test_derived_strengths(self):
        def arrays(types, vectors, coded):
            head = struct.pack("<8I", 0, 0, 2, 1, 1, 0, 1, 0)
            slices = dumped_h264.SLICE.pack(0, 0, 0, 0, 0, 0, bytes(64))
            counts = b"".join(bytes([c] * 16) for c in coded)
            motion = b""
            for _ in range(4):
                motion += b"".join(struct.pack("<2h", *v) * 4 for v in vectors)
            return (head + slices + struct.pack("<2I", *types) + bytes(2) + struct.pack("<2H", 0, 0)
                    + counts + motion + bytes(8))
        inter = 1 << 3 | 1 << 12
        still = [(0, 0), (0, 0)]
        self.assertEqual(dumped_h264.derived(arrays([inter] * 2, still, [0, 0])).edges, 0)
        self.assertEqual(dumped_h264.derived(arrays([inter] * 2, [(0, 0), (4, 0)], [0, 0])).edges, 1)
        self.assertEqual(dumped_h264.derived(arrays([inter] * 2, [(0, 0), (3, 3)], [0, 0])).edges, 0)
        self.assertEqual(dumped_h264.derived(arrays([inter] * 2, still, [1, 0])).edges, 7)
        self.assertEqual(dumped_h264.derived(arrays([1, inter], still, [0, 0])).edges, 7)

    def test_h264_words_of_inter_macroblocks(self):
        p16x16 = 1 << 3 | 1 << 12
        data = h264_words(3, [p16x16] * 3, [(0, 0), (2, 2), (0, 0)], [0, 1, 2])
        picture = dumped_h264_words.Picture(dump_of(48, 16, []), data)
        self.assertEqual([p.vector for p in picture.predictions], [(0, 0), (2, 2), (0, 0)])
        found = self.result(dump_of(48, 16, [(b"4WRD", data)]))
        row, start = h264_words_model.KINDS, h264_words_model.START

        def cost(kind, rows):
            return start + row[kind][0] * (rows + row[kind][1])
        issue = {work: ms * qpu.ISSUE_PER_MS for work, ms in found["issue_of"].items()}
        # Luma's filter may read outside of so small a picture. A group for luma and one for chroma; there
        # might be 3 for each plane.
        self.assertAlmostEqual(issue["inter prediction"], 8 * (
            cost("any", 16) + cost("any chroma", 8) + (3 * 3 - 2) * h264_words_model.EMPTY))
        self.assertAlmostEqual(issue["sorting of motion"], 40 / 16 * PATHS.whole["h264_motion_groups"]
                               + PATHS.whole["h264_motion_count"] + PATHS.whole["h264_motion_place"])

    def test_h264_words_inside_of_the_reference(self):
        def inside(x, y, vector):
            run = dumped_h264_words.Prediction(x, y, 16, 16, 0, vector, False, False)
            size = type("Size", (), {"width": 3, "height": 3})
            return h264_words_model.is_inside(size, run)
        self.assertTrue(inside(16, 16, (4 * 13, -4 * 14)))
        self.assertFalse(inside(16, 16, (4 * 13 + 1, 0)))
        self.assertFalse(inside(16, 16, (0, -4 * 14 - 1)))

    def test_h264_words_of_a_field(self):
        p16x16 = 1 << 3 | 1 << 12
        for structure, down in ((dumped_h264_words.FRAME, 0), (dumped_h264_words.TOP, 0),
                                (dumped_h264_words.BOTTOM, 2)):
            data = h264_words(1, [p16x16], [(4, 8)], [0], structure=structure)
            picture = dumped_h264_words.Picture(dump_of(16, 32, []), data)
            # Reference 0 is a top field.
            self.assertEqual(h264_words_model.chroma_fractions(picture, picture.predictions[0]), (4, down))

    def test_h264_words_of_parts(self):
        in_8x8 = 1 << 12
        data = h264_words(1, [in_8x8], [(1, 0)], [0])
        picture = dumped_h264_words.Picture(dump_of(16, 16, []), data)
        self.assertEqual([(p.width, p.height) for p in picture.predictions], [(16, 16)])
        at = data.index(struct.pack("<2h", 1, 0) * 16) + 4 * 15  # the last block's vector
        data = data[:at] + struct.pack("<2h", 5, 0) + data[at + 4:]
        picture = dumped_h264_words.Picture(dump_of(16, 16, []), data)
        self.assertEqual([(p.width, p.height) for p in picture.predictions], [(8, 8)] * 3 + [(4, 4)] * 4)

    def test_h264_words_of_intra_macroblocks(self):
        whole, coded = 3 << 20 | 1 << 24, 1  # reads the left one, where there is any
        words = []
        for x, mode in ((0, 6), (1, 1), (2, 6)):
            words += [whole | x, coded, 0, mode, 0, 0, mode]
        data = h264_words(3, [2] * 3, [(0, 0)] * 3, words, bytes(32) * 3)
        picture = dumped_h264_words.Picture(dump_of(48, 16, []), data)
        self.assertEqual([mb.reads for mb in picture.intra], [0, dumped_h264_words.LEFT, 0])
        self.assertEqual(picture.blocks[True], {"residual_4": 3})
        # One tile of two steps.
        self.assertEqual(h264_words_model.intra_dispatches(picture), [[[[3, 3], [3]]]])
        found = self.result(dump_of(48, 16, [(b"4WRD", data)]))
        self.assertGreater(found["issue_of"]["intra macroblocks"], 0)
        self.assertAlmostEqual(found["issue_of"]["residuals of intra blocks"] * qpu.ISSUE_PER_MS,
                               PATHS("h264_residual_alone_8", "residual_4"))

    def test_total(self):
        found = self.result(dump_of(64, 64, [(b"9ITX", itx(0, 16, [1, 2]))]), ["a", "b", "c"])
        self.assertAlmostEqual(found["dispatch_ms"], 0.165)
        self.assertAlmostEqual(found["total_ms"], 0.165 + max(found["issue_ms"],
                                                              found["memory_ms"]))

    def test_what_has_no_estimate_is_refused(self):
        block = itx(0, 16, [1, 2])
        for dump in (dump_of(64, 64, [(b"9MC ", bytes(28))]), dump_of(64, 64, [(b"ABCD", b"")]),
                     dump_of(64, 64, [(b"9ITX", block)], depth=10),
                     dump_of(64, 64, [(b"9LPF", bytes(200))], chroma=3)):
            with self.assertRaises(dumped.DumpError):
                self.result(dump)

    def test_no_dumps(self):
        for data in (b"", b"RIFF" + bytes(100), b"V3DD\2" + bytes(100)):
            with tempfile.NamedTemporaryFile() as file:
                file.write(data)
                file.flush()
                with self.assertRaises(dumped.DumpError):
                    dumped.Dump(file.name)

    def test_kept_dumps_of_real_streams(self):
        for file in glob.glob(str(ROOT / "tests/check/dumps/[!r]*.v3doff")):
            found = self.result(dumped.Dump(file))
            self.assertGreater(found["issue_ms"], 0, file)
            self.assertTrue(all(math.isfinite(n) for n in found["issue_of"].values()))

    def test_what_is_left_out_is_said(self):
        for word in ("latency", "cache", "submit", "clock"):
            self.assertIn(word, model.LEFT_OUT)


if __name__ == "__main__":
    unittest.main()
