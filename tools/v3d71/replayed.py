# SPDX-License-Identifier: BSD-2-Clause
"""Replays dumps: compares their bits, and collects the passes that they need."""

import json
import subprocess
import sys
from pathlib import Path

TOOL = str(Path(__file__).resolve().parent / "../../build/tools/v3doff/v3doff")
COPIES = ("backup", "copy_in", "copy_out")  # do not count as passes
FIGURES = ("issue_ms", "memory_ms", "dispatch_ms", "total_ms", "predecessor_ms", "neon_one_core_ms")


def passes_of(tool, files):
    """The passes of each file; a file whose replay gave other bits is left out."""
    run = subprocess.run([tool, "replay", "--impl", "vulkan", "--json", *files],
                         capture_output=True, text=True)
    if not run.stdout:
        sys.exit(run.stderr)
    sys.stderr.write(run.stderr)
    return {file["file"]: [name for name in file["runs"][0]["passes"] if name not in COPIES]
            for file in json.loads(run.stdout)
            if file["runs"] and file["runs"][0]["bits_equal"]}


def mean(results):
    return {figure: sum(r[figure] for r in results) / len(results)
            for figure in (*FIGURES, "dispatches")}
