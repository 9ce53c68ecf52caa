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
shared uint both[64];
void main() {
    uint i = gl_GlobalInvocationID.x, lane = gl_LocalInvocationIndex;
    %s
}
"""


class Emulator(unittest.TestCase):
    def dispatch(self, body, groups="4x1x1", **environment):
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder) / "shader.comp", Path(folder) / "out" / "shader.spv"
            source.write_text(SHADER % body)
            shaderrun.compile_glsl(source, target, [], [], False)
            return subprocess.run([shaderrun.HERE / "env", PROGRAM, "--dispatch", groups, target], text=True, check=False,
                                  capture_output=True, env=os.environ | environment)

    def changed(self, body, **environment):
        done = self.dispatch(body, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return int(done.stdout.split(" bytes changed")[0].split()[-1])

    def expect_stop(self, body, what, **environment):
        done = self.dispatch(body, **environment)
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
        job = dict(field.split("=") for field in done.stderr.split("V3D-JOB ")[1].split("\n")[0].split())
        self.assertEqual((job["groups"], job["group_size"], job["batches"]), ("4x1x1", "64", "16"))
        # Sixteen words in a line; each of the 16 batches loads and stores once.
        self.assertEqual((job["loads"], job["stores"], job["atomics"], job["lines"]), ("16", "16", "0", "32"))
        self.assertGreater(int(job["instructions"]), 16 * 10)

    def in_several_orders(self, body):
        return {self.changed(body, V3D_EMU_SEED=str(seed)) for seed in range(6)}

    def test_order_of_workgroups_matters_without_atomic_operations(self):
        before = "if (gl_WorkGroupID.x > 0u && data[8191 + gl_WorkGroupID.x] != 7u) return;"
        self.assertGreater(len(self.in_several_orders(before + "data[i] = ~data[i]; data[8192 + gl_WorkGroupID.x] = 7u;")), 1)

    def test_missing_barrier_matters(self):
        with_barrier = "both[lane] = 5u; barrier(); both[lane] = lane < 16u ? 7u : 5u; %s if (both[lane %% 16u] == 7u) data[i] = ~data[i];"
        self.assertGreater(len(self.in_several_orders(with_barrier % "")), 1)
        self.assertEqual(self.in_several_orders(with_barrier % "barrier();"), {4 * 64 * 4})

    def test_access_outside_of_every_buffer(self):
        self.expect_stop("data[0x3000000u + i] = 1;", "a store at .*: no buffer is there")
        self.expect_stop("data[i] = data[0x3000000u + i];", "a load at .*: no buffer is there")

    def test_barrier_that_some_do_not_reach(self):
        self.expect_stop("if (lane < 16u) return; barrier(); data[i] = 1;", "batches of a workgroup wait at a barrier")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--skip-without-driver", action="store_true")
    args = parser.parse_args()
    PROGRAM = args.program
    if args.skip_without_driver and not shaderrun.find_driver()[0]:
        sys.exit(77)
    unittest.main(argv=[sys.argv[0]])
