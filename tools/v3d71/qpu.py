# SPDX-License-Identifier: BSD-2-Clause
"""Follows a listing of the Raspberry Pi 5's compiler as a program would run."""

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ISSUE_PER_MS = 12 * 960e6 / 4 / 1e3  # 16-lane instructions: 12 QPUs, 4 cycles each, 960 MHz
BRANCH = re.compile(r"\s*(bu?(?:\.\w+)?)\s+(-?\d+), ")


def listing(args, name):
    """The instructions of one of a build's shaders, one string each."""
    command = [sys.executable, str(HERE / "shaderstat"), "--spv-dir", str(args.spv_dir), "--qpu",
               "--skip-without-driver", name]
    if args.program:
        command += ["--program", args.program]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode == 77:
        sys.exit(77)
    if "---- QPU" not in run.stdout:
        sys.exit(run.stdout + run.stderr)
    lines = run.stdout.split("---- QPU", 1)[1].splitlines()[1:]
    return [line for line in lines if line.strip()]


def branches(lines):
    """(index, target, whether it has a condition) of each branch. The three instructions after a
    branch are always executed; an untaken branch continues with the fourth."""
    found = []
    for at, line in enumerate(lines):
        branch = BRANCH.match(line)
        if branch:
            found.append((at, at + 4 + int(branch.group(2)) // 8, "." in branch.group(1)))
    return found


def walk(lines, taken):
    """Instructions and memory accesses on a path. taken(index, visits) decides at each branch."""
    leads = {at: (to, conditional) for at, to, conditional in branches(lines)}
    instructions = accesses = at = 0
    times = {}
    while at < len(lines):
        many = 1
        onward = at + 1
        if at in leads:
            times[at] = times.get(at, 0) + 1
            many = 4
            to, conditional = leads[at]
            onward = to if not conditional or taken(at, times[at]) else at + 4
        instructions += len(lines[at:at + many])
        accesses += sum(line.count("tmua") for line in lines[at:at + many])
        at = onward
    return instructions, accesses
