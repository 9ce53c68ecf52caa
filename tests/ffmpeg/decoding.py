# SPDX-License-Identifier: BSD-2-Clause
"""One decode by the patched FFmpeg, and its output: for the tests of -v3doff auto."""
import math
import os
import random
import re
import subprocess
import unittest

# Of make_streams: small, and enough pictures for the library to compare the device with the CPU.
LONG = {"vp9": "vp9-many-frames.webm", "h264": "h264-many-frames.mp4"}
# Why the CPU did pictures.
NOT_OPEN = "the device was not open yet"
FASTER = "wanted faster than with the device"
CHEAPER = "the CPU needs less CPU time for it"
OVERRIDDEN = "the recipe says so"
INTRA = "an intra picture, which the CPU does faster"

PICTURES = re.compile(r"libv3doff: pictures: GPU (\d+), CPU (\d+), .*; submits: (\d+)")
IDLE = re.compile(r"nothing to do (\d+)")
WHOLE = re.compile(r"reconstructed: GPU (\d+)")
ON_THE_CPU = re.compile(r"libv3doff: on the CPU, (\d+) pictures: (.*)")


class Decoded:
    def __init__(self, output, log):
        # With several inputs, threads decide the order of the lines. They contain times, so sort them.
        self.frames = sorted(line for line in output.splitlines() if not line.startswith("#"))
        self.log = log
        said = list(PICTURES.finditer(log))
        # For each decoder that reported pictures when it was closed.
        self.counts = [(int(each[1]), int(each[2])) for each in said]
        # For the last one: earlier decoders only probed the stream.
        self.gpu, self.cpu, self.submits = map(int, said[-1].groups()) if said else (0, 0, 0)
        idle = IDLE.search(said[-1][0]) if said else None
        self.idle = int(idle[1]) if idle else 0  # nothing to do
        # Pictures that the device reconstructed: it only filtered the others.
        whole = WHOLE.search(said[-1][0]) if said else None
        self.whole = int(whole[1]) if whole else 0
        reasons = ON_THE_CPU.findall(log, said[-1].end() if said else 0)
        self.left_to_cpu = {reason: int(count) for count, reason in reasons}


def decode(ffmpeg, paths, mode, threads=1, options=(), level="info", **environment):
    """Each with its own decoder; options are those of an input."""
    command = [ffmpeg, "-nostdin", "-hide_banner", "-nostats", "-v", level]
    for path in paths:
        command += ["-threads", str(threads), "-v3doff", mode, *options, "-i", path]
    for i in range(len(paths)):
        command += ["-map", f"{i}:v:0"]
    command += ["-an", "-fps_mode", "passthrough", "-f", "framemd5", "-"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False,
                            env={**os.environ, **environment})
    if result.returncode:
        raise AssertionError(f"exit status {result.returncode}: {result.stderr[-2000:]}")
    return Decoded(result.stdout, result.stderr)


def main():
    """unittest's, with as many tests of the program, chosen at random, as $V3DOFF_TEST_SHARE has percent."""
    loader, share = unittest.TestLoader(), int(os.environ.get("V3DOFF_TEST_SHARE", 100))
    every = loader.getTestCaseNames

    def some(case):
        names = every(case)
        return sorted(random.sample(names, math.ceil(len(names) * share / 100)))

    loader.getTestCaseNames = some
    unittest.main(testLoader=loader)
