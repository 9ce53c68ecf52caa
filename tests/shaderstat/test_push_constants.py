#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""test_push_constants.py SHADER.spv...: no shader indexes push constants by something that is not constant.

For these v3dv (Mesa 25.0.7) makes a buffer of 4096 bytes, in which each dispatch of a command buffer has a part. Then
it makes another one, but goes on behind its end. Metrics may: a command buffer has fewer than 32 dispatches of them.
"""
import struct
import sys
from pathlib import Path

# SPIR-V 3.52: constants and specialisation constants; variables; access chains.
CONSTANTS, VARIABLE, CHAINS, PUSH_CONSTANT = {41, 42, 43, 48, 49, 50}, 59, {65, 66}, 9


def indexed(words):
    """How many accesses to push constants there are, and how many of them by an index that is not constant."""
    constants, pushed, accesses, wrong, at = set(), set(), 0, 0, 5
    while at < len(words):
        count, operation = words[at] >> 16, words[at] & 0xffff
        if operation in CONSTANTS:
            constants.add(words[at + 2])
        elif operation == VARIABLE and words[at + 3] == PUSH_CONSTANT:
            pushed.add(words[at + 2])
        elif operation in CHAINS and words[at + 3] in pushed:
            accesses += 1
            wrong += any(index not in constants for index in words[at + 4:at + count])
        at += count
    return accesses, wrong


def main():
    failed = total = 0
    for path in map(Path, sys.argv[1:]):
        data = path.read_bytes()
        accesses, wrong = indexed(struct.unpack(f"<{len(data) // 4}I", data))
        total += accesses
        if wrong and not path.name.startswith("metric_") and ".raw." not in path.name:
            failed += 1
            print(f"FAILED: {path.name}: {wrong} of {accesses} accesses to push constants")
    print(f"{total} accesses")
    sys.exit(failed > 0 or not total)


if __name__ == "__main__":
    main()
