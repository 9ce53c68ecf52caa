#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The comparator of shader statistics itself: each rule must fire, and only where it should.
Needs no driver: a script that prints prepared lines stands in for the statistics program."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
TOOLS = Path(__file__).resolve().parents[2] / "tools" / "v3d71"


def load_script(name):
    loader = importlib.machinery.SourceFileLoader(name, str(TOOLS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


shaderstat = load_script("shaderstat")
shadertable = shaderstat.shadertable
shaderrun = shaderstat.shaderrun


def record(name="kernel", **changed):
    numbers = {"instructions": 200, "threads": 4, "loops": 0, "uniforms": 30, "max_temps": 20,
               "spills": 0, "fills": 0, "scratch": 0, "tmu": 100, "nops": 5, "stalls": 1}
    return {"name": name, "device": "V3D 7.1.7.0", **numbers, "local_size": [64, 2, 1], **changed}


def row(name="kernel", **changed):
    return shadertable.row_of(record(name, **changed))


def compare(new, old, **kwargs):
    return shadertable.compare({r["name"]: r for r in new}, {r["name"]: r for r in old}, **kwargs)


class Rules(unittest.TestCase):
    def assert_fault(self, faults, *words):
        self.assertEqual(len(faults), 1, faults)
        for word in words:
            self.assertIn(word, faults[0])

    def test_same_passes(self):
        self.assertEqual(compare([row("a"), row("b")], [row("a"), row("b")]), [])

    def test_growth_is_allowed_up_to_two_percent(self):
        for column in ("instructions", "tmu"):
            with self.subTest(column):
                old = row(**{column: 100})
                self.assertEqual(compare([row(**{column: 102})], [old]), [])
                self.assert_fault(compare([row(**{column: 103})], [old]), "kernel", "100", "103")

    def test_growth_of_small_figures(self):
        self.assert_fault(compare([row(tmu=11)], [row(tmu=10)]), "memory accesses")
        self.assert_fault(compare([row(tmu=1)], [row(tmu=0)]), "memory accesses")

    def test_improvement_passes(self):
        self.assertEqual(compare([row(instructions=10, tmu=1)], [row()]), [])
        self.assertEqual(compare([row(threads=4)], [row(threads=2)]), [])

    def test_thread_loss(self):
        self.assert_fault(compare([row(threads=2)], [row(threads=4)]), "threads", "4", "2")

    def test_memory_for_registers_is_a_fault_whatever_the_table_says(self):
        for column in ("spills", "fills", "scratch"):
            with self.subTest(column):
                bad = row(**{column: 3})
                self.assert_fault(compare([bad], [bad]), "kernel", "3", column)

    def test_workgroup_size(self):
        fits = row(local_size=[16, 16, 1])
        self.assertEqual(compare([fits], [fits]), [])
        over = row(local_size=[16, 16, 2])
        self.assert_fault(compare([over], [over]), "16x16x2", "256")

    def test_missing_in_table(self):
        self.assert_fault(compare([row("a"), row("b")], [row("a")]), "b", "not in the table")

    def test_stale_in_table(self):
        self.assert_fault(compare([row("a")], [row("a"), row("b")]), "b", "no such shader")
        self.assertEqual(compare([row("a")], [row("a"), row("b")], complete=False), [])

    def test_every_fault_is_told(self):
        self.assertEqual(len(compare([row(instructions=400, threads=2, spills=1)], [row()])), 3)


class TableFile(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = Path(scratch.name) / "table.tsv"

    def test_round_trip_sorted(self):
        rows = {name: row(name) for name in ("b", "a", "c")}
        shadertable.write_table(self.path, rows)
        first = self.path.read_bytes()
        self.assertEqual([line.split("\t")[0] for line in first.decode().splitlines()],
                         ["name", "a", "b", "c"])
        self.assertEqual(shadertable.read_table(self.path), rows)
        shadertable.write_table(self.path, dict(reversed(list(rows.items()))))
        self.assertEqual(self.path.read_bytes(), first)

    def test_broken_tables_are_refused(self):
        shadertable.write_table(self.path, {name: row(name) for name in ("a", "b")})
        header, a, b = self.path.read_text().splitlines()
        for broken in ([], [a, b], [header, b, a], [header, a, a], [header, a, b + "\t1"],
                       [header, a.replace("200", "many")]):
            with self.subTest(broken):
                self.path.write_text("".join(line + "\n" for line in broken))
                with self.assertRaises(shadertable.TableError):
                    shadertable.read_table(self.path)


class CommandLine(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.dir = Path(scratch.name)
        self.table = self.dir / "table.tsv"
        (self.dir / "spv").mkdir()
        self.script("env", 'exec "$@"')
        self.driver(True)
        patch = mock.patch.object(shaderrun, "HERE", self.dir)
        patch.start()
        self.addCleanup(patch.stop)

    def script(self, name, body):
        path = self.dir / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def driver(self, present):
        self.script("find-driver", "echo /driver" if present else "echo no driver >&2; exit 1")

    def shaders(self, *records, end="exit 0", silent=()):
        """The directory has these shaders, and the program prints each one's record."""
        for path in (self.dir / "spv").iterdir():
            path.unlink()
        for r in records:
            line = "" if r["name"] in silent else json.dumps(r) + "\n"
            (self.dir / "spv" / (r["name"] + ".spv")).write_text(line)
        self.script("program", f'cat "$@"; {end}')

    def run_tool(self, *words):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = shaderstat.main(["--spv-dir", str(self.dir / "spv"), "--table",
                                      str(self.table), "--program", str(self.dir / "program"),
                                      *words])
        faults = [line for line in out.getvalue().splitlines() if line.startswith("FAIL ")]
        self.assertEqual(status == 1, bool(faults), out.getvalue() + err.getvalue())
        return status, faults

    def test_update_then_check(self):
        self.shaders(record("a"), record("b"))
        self.assertEqual(self.run_tool()[0], 1, "there is no table yet")
        self.assertEqual(self.run_tool("--update"), (0, []))
        self.assertEqual(self.run_tool(), (0, []))
        self.shaders(record("a"), record("b", instructions=300))
        status, faults = self.run_tool()
        self.assertEqual((status, len(faults)), (1, 1))
        self.assertEqual(self.run_tool("a"), (0, []))

    def test_update_follows_the_directory(self):
        self.shaders(record("a"), record("b"))
        self.run_tool("--update")
        self.shaders(record("b"), record("c"), record("c.raw"))
        self.assertEqual(len(self.run_tool()[1]), 2, "a is stale, c is missing")
        self.run_tool("--update")
        self.assertEqual(list(shadertable.read_table(self.table)), ["b", "c"])

    def test_names_that_are_all(self):
        self.shaders(record("a"), record("b"), record("left_over"), record("b.raw"))
        self.run_tool("--update", "a", "b")
        self.assertEqual(self.run_tool("--complete", "a", "b"), (0, []))
        self.assertIn("b: in the table", self.run_tool("--complete", "a")[1][0])
        self.run_tool("--update", "--complete", "a")
        self.assertEqual(list(shadertable.read_table(self.table)), ["a"])

    def test_update_of_a_name_keeps_the_others(self):
        self.shaders(record("a"), record("b"))
        self.run_tool("--update")
        self.shaders(record("a", tmu=7))
        self.run_tool("--update", "a")
        table = shadertable.read_table(self.table)
        self.assertEqual((table["a"]["tmu"], sorted(table)), (7, ["a", "b"]))

    def test_update_does_not_excuse_spills(self):
        self.shaders(record("a", spills=2))
        self.assertEqual(self.run_tool("--update")[0], 1)
        self.assertEqual(self.run_tool()[0], 1)

    def test_a_shader_that_was_not_measured(self):
        self.shaders(record("a"), record("b"))
        self.run_tool("--update")
        for kwargs in ({"silent": "a"}, {"end": "kill -ABRT $$"}, {"end": "exit 3"}):
            with self.subTest(kwargs):
                self.shaders(record("a"), record("b"), **kwargs)
                self.assertEqual(self.run_tool()[0], 1)
                self.assertEqual(self.run_tool("--update")[0], 1)
        self.shaders(record("a"), {"name": "b", "error": "not SPIR-V"}, end="exit 1")
        self.assertIn("not SPIR-V", self.run_tool()[1][0])

    def test_another_device_is_not_compared(self):
        self.shaders(record("a", device="V3D 4.2.14.0"))
        self.assertIn("V3D 4.2", self.run_tool("--update")[1][0])
        self.assertFalse(self.table.exists())

    def test_no_shader_is_an_error(self):
        self.shaders()
        self.assertEqual(self.run_tool()[0], 2)
        self.shaders(record("a"))
        self.assertEqual(self.run_tool("b*")[0], 2)

    def test_no_driver(self):
        self.shaders(record("a"))
        self.run_tool("--update")
        self.driver(False)
        self.assertEqual(self.run_tool()[0], 2)
        self.assertEqual(self.run_tool("--skip-without-driver")[0], 77)
        self.driver(True)
        self.assertEqual(self.run_tool("--skip-without-driver")[0], 0)


if __name__ == "__main__":
    unittest.main()
