# SPDX-License-Identifier: BSD-2-Clause
"""pyav_frames.py CLIP OUT: hashes and times of the frames as PyAV gives them, in this process and in children that it
forks and spawns meanwhile."""
import hashlib
import multiprocessing
import sys

import av


def frames(path, kind, most=1 << 30):
    lines = []
    with av.open(path) as container:
        stream = container.streams.video[0]
        stream.thread_type = kind
        for frame in container.decode(stream):
            if len(lines) == most:
                break
            lines.append(f"{frame.pts} {hashlib.sha256(frame.to_ndarray().tobytes()).hexdigest()}")
    return lines


def main():
    path, out = sys.argv[1:]
    lines = []
    for kind in ("AUTO", "SLICE"):
        lines += [kind, *frames(path, kind)]
    with av.open(path) as container:
        decoded = container.decode(container.streams.video[0])
        next(decoded)
        for method in ("fork", "spawn"):
            with multiprocessing.get_context(method).Pool(2) as pool:
                for child in pool.starmap(frames, [(path, "AUTO"), (path, "SLICE", 3)]):
                    lines += [method, *child]
        lines += ["meanwhile", str(sum(1 for _ in decoded))]
    with open(out, "w", encoding="ascii") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main()
