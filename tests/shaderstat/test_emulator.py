#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""test_emulator.py --program V3D71_SHADERSTAT [--skip-without-driver]: the emulated Raspberry Pi 5 executes small
shaders, and stops those that do what a board would not survive, or would do differently each time."""
import argparse
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "v3d71"))
import shaderrun  # noqa: E402

SHADER = """#version 450
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Data { uint data[]; };
layout(std430, push_constant) uniform Push { uint pushed; };
shared uint both[64];
void main() {
    uint i = gl_GlobalInvocationID.x, lane = gl_LocalInvocationIndex;
    %s
}
"""


class Emulator(unittest.TestCase):
    def dispatch(self, body, groups="4x1x1", options=(), **environment):
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder) / "shader.comp", Path(folder) / "out" / "shader.spv"
            source.write_text(SHADER % body)
            shaderrun.compile_glsl(source, target, [], [], False)
            return subprocess.run([shaderrun.HERE / "env", PROGRAM, "--dispatch", groups, *options, target], text=True,
                                  check=False, capture_output=True, env=os.environ | environment)

    def changed(self, body, options=(), **environment):
        done = self.dispatch(body, options=options, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return int(done.stdout.split(" bytes changed")[0].split()[-1])

    def expect_stop(self, body, what, options=(), **environment):
        done = self.dispatch(body, options=options, **environment)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stderr, "V3D emulator: .*" + what)

    def test_every_invocation_stores_once(self):
        for seed in ("0", "1", "77"):
            self.assertEqual(self.changed("data[i] = ~data[i];", V3D_EMU_SEED=seed), 4 * 64 * 4)

    def test_loops_and_branches(self):
        self.assertEqual(self.changed("for (uint n = 0; n < lane; n++) data[i * 64 + n] = ~data[i * 64 + n];"),
                         4 * 4 * 63 * 64 // 2)
        self.assertEqual(self.changed("if (lane % 3 == 1) data[i] = ~data[i];"), 4 * 4 * 21)

    def test_barrier_and_shared_memory(self):
        body = """both[lane] = data[i];
        barrier();
        data[i] = ~both[63 - lane];
        barrier();
        if (both[lane] != ~data[gl_WorkGroupID.x * 64 + 63 - lane]) data[4096] = ~data[4096];"""
        self.assertEqual(self.changed(body), 4 * 64 * 4)

    def test_atomic_operations_of_all_workgroups(self):
        body = """uint before = atomicAdd(data[0], 0x01010101u) - data[4096];
        data[64 + before / 0x01010101u] = ~data[64 + before / 0x01010101u];"""
        # And the upper three bytes of the sum.
        self.assertEqual(self.changed(body, V3D_EMU_CORES="2"), 4 * 64 * 4 + 3)

    def test_what_a_job_does_is_counted(self):
        done = self.dispatch("data[i] = ~data[i];", V3D_EMU_TRACE="1")
        job = next(shaderrun.jobs_of(done.stderr))
        self.assertEqual((job["groups"], job["group_size"], job["batches"]), ("4x1x1", "64", "16"))
        # Sixteen words in a line; each of the 16 batches loads and stores once.
        self.assertEqual((job["loads"], job["stores"], job["atomics"], job["lines"]), ("16", "16", "0", "32"))
        self.assertGreater(int(job["instructions"]), 16 * 10)

    def in_several_orders(self, body):
        return {self.changed(body, V3D_EMU_SEED=str(seed)) for seed in range(6)}

    def expect_order(self, body, what, options=()):
        self.expect_stop(body, "order: " + what, options, V3D_EMU_ORDER="1")

    def expect_no_order(self, body, options=()):
        return self.changed(body, options, V3D_EMU_ORDER="1")

    def test_order_of_workgroups(self):
        body = """if (gl_WorkGroupID.x > 0u && data[8191 + gl_WorkGroupID.x] != 7u) return;
        data[i] = ~data[i]; data[8192 + gl_WorkGroupID.x] = 7u;"""
        self.assertGreater(len(self.in_several_orders(body)), 1)
        self.expect_order(body, r"workgroup 1 .* of job 2 \(4x1x1\) .* loads the word at 0x\w+, which workgroup 0 .*stores")

    def test_load_that_is_not_used(self):
        self.expect_no_order("uint other = data[i ^ 64]; data[i] = lane < 64u ? ~data[i] : other;")

    def test_workgroups_that_store_into_one_word(self):
        self.expect_order("data[lane] = i;", "0x0*0 and 0x0*40 are stored .* by workgroup 0 .* and by workgroup 1 ")
        self.expect_order("data[gl_WorkGroupID.x] = lane;", "0x0*0 and 0x0*1 are stored .* by workgroup 0 .* workgroup 0 ")
        self.expect_no_order("data[lane] = ~lane;")

    def test_missing_barrier(self):
        body = "both[lane] = 5u; barrier(); both[lane] = lane < 16u ? 7u : 5u; %s if (both[lane %% 16u] == 7u) data[i] = ~data[i];"
        self.assertGreater(len(self.in_several_orders(body % "")), 1)
        self.expect_order(body % "", r"workgroup 0 \(batch 1, .* workgroup 0 \(batch 0,")
        self.assertEqual(self.in_several_orders(body % "barrier();"), {4 * 64 * 4})
        self.assertEqual(self.expect_no_order(body % "barrier();"), 4 * 64 * 4)

    def test_places_that_atomic_operations_give(self):
        self.expect_no_order("data[64 + atomicAdd(data[0], 1u) % 256u] = lane;")

    def test_missing_barrier_between_dispatches(self):
        body = "data[i] = data[i] * 3u + pushed;"
        self.expect_order(body, ".* by workgroup 0 .* of job 2 .* and by workgroup 0 .* of job 3 ", ["--again", "nothing"])
        self.expect_no_order(body, ["--again", "barrier"])
        body = "if (pushed == 1u) data[i] = 5u; else data[4096 + i] = data[i ^ 64] == 5u ? 1u : 2u;"
        self.expect_order(body, ".* of job 3 .* loads the word .*, which workgroup .* of job 2 ", ["--again", "nothing"])
        self.expect_no_order(body, ["--again", "barrier"])

    def test_access_outside_of_every_buffer(self):
        self.expect_stop("data[0x3000000u + i] = 1;", "a store at .*: no buffer is there")
        self.expect_stop("data[i] = data[0x3000000u + i];", "a load at .*: no buffer is there")

    def test_barrier_that_some_do_not_reach(self):
        self.expect_stop("if (lane < 16u) return; barrier(); data[i] = 1;", "batches of a workgroup wait at a barrier")

    def test_programs_that_no_compiler_makes(self):
        stops = {
            "nothing": "",
            "unaligned_load": "a load of 4 bytes at .* is not aligned",
            "unaligned_store": "a store of 4 bytes at .* is not aligned",
            "never_written": "register 20 is read, and nothing has been written to it",
            "never_taken": "has not taken 1 results of loads",
            "never_loaded": "ldtmu: nothing was loaded",
            "many_loads": "more than 4 results wait",
            "many_words": "more than 4 words wait",
            "lost_rtop": "a thread switch lies between them",
        }
        planted = Path(shaderrun.find_driver()[0]) / "v3d_planted"
        for name, what in stops.items():
            with self.subTest(name):
                done = subprocess.run([planted, name], text=True, check=False, capture_output=True)
                self.assertEqual(done.returncode == 0, not what, done.stderr)
                self.assertRegex(done.stderr, "V3D emulator: .*" + what if what else "^$")

    def test_another_gpu(self):
        self.expect_stop("data[i] = 1;", "V3D 7.1", V3D_NOOP_VERSION="42")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--skip-without-driver", action="store_true")
    args = parser.parse_args()
    PROGRAM = args.program
    if args.skip_without_driver and not shaderrun.find_driver()[0]:
        sys.exit(77)
    unittest.main(argv=[sys.argv[0]])
