# SPDX-License-Identifier: BSD-2-Clause
"""Compiles GLSL as the build does, and runs v3d71-shaderstat on the emulated Raspberry Pi 5."""

import json
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent
PROGRAM = "v3d71-shaderstat"
DEVICE = "V3D 7.1"  # start of the device's name; shaders can be measured on others, but not compared
TARGET = "--target-env=vulkan1.2"


class RunError(Exception):
    """A tool is missing or failed."""


def find_driver():
    """The driver's directory; if there is none, None and the reason."""
    found = subprocess.run([HERE / "find-driver"], capture_output=True, text=True, check=False)
    return (found.stdout.strip() or None), found.stderr.strip()


def find_program(given, spv_dir):
    """The statistics program: the given one, or that of the shaders' build, or that of the newest."""
    if given:
        candidates = [Path(given)]
    else:
        of_build = Path("tools") / "v3d71" / PROGRAM
        candidates = sorted(CHECKOUT.glob(f"build*/{of_build}"),
                            key=lambda path: path.stat().st_mtime, reverse=True)
        if spv_dir:
            candidates.insert(0, Path(spv_dir).parent / of_build)
    for path in candidates:
        if path.is_file():
            return path.resolve()
    raise RunError(f"no {PROGRAM}" + (f" at {given}" if given else " in any build directory; "
                                      "build it, or name it with --program"))


def call(*command):
    if not shutil.which(command[0]):
        raise RunError(f"{command[0]} is not installed")
    if subprocess.run(command, check=False).returncode:
        raise RunError("failed: " + " ".join(map(str, command)))


def compile_glsl(source, target, includes, defines, unroll):
    """Compiles to SPIR-V as the build does; without unroll, by glslc -O alone."""
    flags = [f"-I{directory}" for directory in [CHECKOUT / "shaders", *includes]]
    flags += [f"-D{define}" for define in defines]
    target.parent.mkdir(parents=True)
    if unroll:
        raw = target.with_suffix(".raw")
        call("glslc", TARGET, *flags, "-o", raw, source)
        call("spirv-opt", TARGET, "--merge-return", "--inline-entry-points-exhaustive",
             "--loop-unroll", "-O", raw, "-o", target)
    else:
        call("glslc", TARGET, "-O", *flags, "-o", target, source)
    call("spirv-val", *TARGET.split("="), target)  # it accepts this option only as two words


def jobs_of(text):
    """The compute jobs that V3D_EMU_TRACE=1 has written to stderr: their fields, as text."""
    for line in text.splitlines():
        if line.startswith("V3D-JOB "):
            yield dict(field.split("=") for field in line.split()[1:])


def run_program(program, options, files):
    """Runs one process for all files. Returns the records in the order of the files, the rest of the
    output, and the reasons why a record is missing or invalid."""
    done = subprocess.run([HERE / "env", program, *options, *files], stdout=subprocess.PIPE,
                          text=True, check=False)
    records, dumps, faults = [], [], []
    for line in done.stdout.splitlines():
        if not line.startswith('{"name": '):
            dumps.append(line)
            continue
        record = json.loads(line)
        if "error" in record:
            faults.append(f"{record['name']}: {record['error']}")
        else:
            records.append(record)
    if done.returncode and not faults:
        how = f"signal {-done.returncode}" if done.returncode < 0 else f"status {done.returncode}"
        last = f" after {records[-1]['name']}" if records else ""
        faults.append(f"{program.name} ended with {how}{last}")
    elif len(records) + len(faults) != len(files):
        faults.append(f"{program.name} measured {len(records)} of {len(files)} shaders")
    return records, dumps, faults
