#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""split_hooks.py HOOKS TREE...: changes of each tree's version of FFmpeg (a folder's name), as git sees
them. Hunks that are the same in all go to HOOKS/common.patch, the others to HOOKS/VERSION.patch."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path


def hunks_of(tree):
    """(file, number among its equals, text) of each hunk -> its line numbers."""
    diff = subprocess.run(["git", "-C", tree, "diff", "--no-color", "-U2"], check=True,
                          capture_output=True, text=True).stdout
    seen, hunks = Counter(), {}
    for part in re.split(r"^diff --git ", diff, flags=re.M)[1:]:
        name = re.match(r"a/(\S+) ", part)[1]
        for where, text in re.findall(r"^@@ (.*?) @@.*\n((?:[ +\\-].*\n)*)", part, flags=re.M):
            seen[name, text] += 1
            hunks[name, seen[name, text], text] = where
    return hunks


def write(path, hunks):
    names = dict.fromkeys(name for name, _, _ in hunks)
    with path.open("w", encoding="utf-8") as out:
        for name in names:
            out.write(f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n")
            for (of, _, text), where in hunks.items():
                if of == name:
                    out.write(f"@@ {where} @@\n{text}")


def main():
    folder, trees = Path(sys.argv[1]), [Path(tree) for tree in sys.argv[2:]]
    versions = {tree.name: hunks_of(tree) for tree in trees}
    everywhere = set.intersection(*(set(hunks) for hunks in versions.values()))
    middle = list(versions.values())[len(versions) // 2]
    write(folder / "common.patch", {key: at for key, at in middle.items() if key in everywhere})
    for version, hunks in versions.items():
        write(folder / f"{version}.patch",
              {key: at for key, at in hunks.items() if key not in everywhere})


if __name__ == "__main__":
    main()
