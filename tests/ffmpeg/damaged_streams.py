# SPDX-License-Identifier: BSD-2-Clause
"""Streams that found something once, made of units of other streams."""
import os
import re


def nal_units(path):
    with open(path, "rb") as file:
        data = file.read()
    starts = [match.start() for match in re.finditer(b"\0\0\1", data)] + [len(data)]
    return [data[at:end] for at, end in zip(starts, starts[1:])]


def skip_after_error(units):
    """A skipped macroblock adds what a damaged one has left, if FFmpeg's filter has left its marks."""
    skips = bytes.fromhex("000001019ea66a42dfb83c")
    return units[:3] + [units[3][:2256], skips]


# The stream that it is made of, in shared; how it is decoded.
STREAMS = {skip_after_error: ("damaged/discard-after-rows.264", ("1", "slice"))}


def make(folder, shared):
    """Path and threads of each that can be made."""
    for combine, (source, threads) in STREAMS.items():
        source = os.path.join(shared, source)
        if os.path.exists(source):
            path = os.path.join(folder, combine.__name__.replace("_", "-") + ".264")
            with open(path, "wb") as file:
                file.write(b"".join(combine(nal_units(source))))
            yield path, threads
