# SPDX-License-Identifier: BSD-2-Clause
"""Frames of the patched FFmpeg, decoded by frames.c, which leaves no samples to chance."""
import os
import re
import shlex
import subprocess

from decoding import CHEAPER, FASTER

HERE = os.path.dirname(os.path.abspath(__file__))
# The decoder does every third picture. This needs auto, and a device without a recipe.
TURNS = {"V3DOFF_FAULT": "kind,turns", "V3DOFF_DEBUG": "open=wait", "V3DOFF_RECIPE": "/dev/null/none"}
# FFmpeg's functions for x86 wrap for absurd residuals (docs/ffmpeg.md, Damaged streams).
PLAIN = {"FRAMES_PLAIN_C": "1"}


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options)


def pictures(kind, size, count, pixel_format, first_field="top"):
    """A filter of ffmpeg, kind: frames or fields (pictures.sh)."""
    return run("bash", "-c", '. "$0"; "$@"', os.path.join(HERE, "pictures.sh"), f"{kind}_of", size, str(count),
               pixel_format, env={**os.environ, "first_field": first_field}).stdout


def build(prefix, folder):
    """The decoder, and what is preloaded into it."""
    found = run("pkg-config", "--static", "--cflags", "--libs", "libavformat", "libavcodec",
                "libavutil",
                env={**os.environ, "PKG_CONFIG_PATH": os.path.join(prefix, "lib/pkgconfig")})
    cc = shlex.split(os.environ.get("CC", "cc"))
    decoder, watcher = os.path.join(folder, "frames"), os.path.join(folder, "late_writes.so")
    run(*cc, "-O2", os.path.join(HERE, "frames.c"), "-o", decoder, *shlex.split(found.stdout),
        f"-Wl,-rpath,{prefix}/lib")
    run(*cc, "-O2", "-shared", "-fPIC", os.path.join(HERE, "late_writes.c"), "-o", watcher, "-ldl")
    return decoder, watcher


def frames(decoder, mode, path, environment, threads=("1", "slice")):
    """Lines of the frames, or how it ended; how many pictures the GPU did, the decoder in turn, and the GPU
    from what was parsed alone."""
    scope = {"V3DOFF_SCOPE": "filters"} if mode == "force" else {}  # unless the environment says otherwise
    try:
        result = subprocess.run([decoder, mode, *threads, path], capture_output=True,
                                timeout=120, check=False, env={**os.environ, **scope, **environment})
    except subprocess.TimeoutExpired:
        return "no end after 120 s", 0, 0, 0
    log = result.stderr.decode(errors="replace")
    done, turns, whole = (sum(map(int, re.findall(pattern, log))) for pattern in (
        r"libv3doff: pictures: GPU (\d+)", rf"on the CPU, (\d+) pictures: (?:{FASTER}|{CHEAPER})",
        r"reconstructed: GPU (\d+)"))
    if result.returncode:
        return f"status {result.returncode}: {log[-300:]}", done, turns, whole
    return result.stdout.decode(), done, turns, whole


def way_of(environment):
    """-v3doff force takes turns with nobody."""
    return "auto" if "V3DOFF_RECIPE" in environment else "force"


def difference(got, expected):
    if got == expected:
        return None
    if got.startswith(("status", "no end")):
        return got
    pairs = zip(got.split("\n"), expected.split("\n"))
    return f"differs from frame {next((i for i, (a, b) in enumerate(pairs) if a != b), 'the end')}"
