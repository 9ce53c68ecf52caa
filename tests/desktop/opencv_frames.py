# SPDX-License-Identifier: BSD-2-Clause
"""opencv_frames.py CLIP OUT: hashes of the frames as OpenCV gives them: all in order, then some after a seek."""
import hashlib
import sys

import cv2


def read(capture, count=1 << 30):
    while count:
        there, frame = capture.read()
        if not there:
            return
        yield hashlib.sha256(frame.tobytes()).hexdigest()
        count -= 1


capture = cv2.VideoCapture(sys.argv[1], cv2.CAP_FFMPEG)
lines = list(read(capture))
for number in (5, 2, 11, 0):
    capture.set(cv2.CAP_PROP_POS_FRAMES, number)
    lines += [f"from {number}", *read(capture, 3)]
capture.release()
with open(sys.argv[2], "w", encoding="ascii") as file:
    file.write("\n".join(lines))
