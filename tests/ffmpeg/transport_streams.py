# SPDX-License-Identifier: BSD-2-Clause
"""Television as it arrives: MPEG transport streams of interlaced H.264 that begin between key frames, have lost
packets, or change the resolution."""
import os
import random

from filled_frames import pictures, run

PACKET, VIDEO_PID = 188, 0x100
# Side data with key frames: x264's message, and how a picture has two views.
COMMON = "keyint=8:min-keyint=4:ref=3:crf=26:pic-struct=1:frame-packing=3"
# Size, format, kind of pictures and options of x264.
SOURCES = {"top-first": ("176x144", "yuv420p", "fields", "tff=1:bframes=2"),
           "bottom-first": ("176x144", "yuv420p", "fields", "bff=1:bframes=3:b-pyramid=normal:b-adapt=0:open-gop=1"),
           "slices": ("128x96", "yuv420p", "fields", "tff=1:cabac=0:slices=3:bframes=1:direct=temporal"),
           "ten-bit": ("176x144", "yuv420p10le", "fields", "tff=1:bframes=2"),
           "progressive": ("208x160", "yuv420p", "frames", "bframes=2")}


def packets(path):
    with open(path, "rb") as file:
        data = file.read()
    return [data[at:at + PACKET] for at in range(0, len(data), PACKET)]


def is_video(packet):
    return (packet[1] << 8 | packet[2]) & 0x1fff == VIDEO_PID


def is_key(packet):
    """random_access_indicator, in the adaptation field."""
    return is_video(packet) and packet[3] & 0x20 and packet[4] and packet[5] & 0x40


def begun_late(stream, chance):
    """Begins between the first key frame and the second one."""
    keys = [i for i, packet in enumerate(stream) if is_key(packet)]
    return stream[chance.randrange(keys[0] + 1, keys[1]):]


def lost(stream, chance, one_in):
    return [packet for packet in stream if not is_video(packet) or chance.randrange(one_in)]


def lost_rarely(stream, chance):
    return lost(stream, chance, 40)


def lost_often(stream, chance):
    return lost(stream, chance, 8)


def interrupted(stream, chance):
    for _ in range(3):
        at = chance.randrange(len(stream))
        stream = stream[:at] + stream[at + chance.randrange(5, 40):]
    return stream


def joined(stream, other, chance):
    """Another channel, from the middle of each."""
    return stream[:chance.randrange(len(stream) // 3, len(stream))] + begun_late(other, chance)


DAMAGES = (begun_late, lost_rarely, lost_often, interrupted)
JOINTS = (("top-first", "progressive"), ("progressive", "bottom-first"), ("slices", "top-first"),
          ("top-first", "ten-bit"))


def encode(folder, name):
    size, pixel_format, kind, options = SOURCES[name]
    path = os.path.join(folder, name + ".ts")
    run("ffmpeg", "-nostdin", "-v", "error", "-filter_complex",
        pictures(kind, size, 24, pixel_format, "bottom" if name == "bottom-first" else "top"), "-threads", "1",
        "-c:v", "libx264", "-x264-params", f"{options}:{COMMON}", path)
    return path


def make(folder):
    """Paths of the whole streams, and of those made of them."""
    whole = {name: encode(folder, name) for name in SOURCES}
    parts = {name: packets(path) for name, path in whole.items()}
    made = {f"{damage.__name__}-{name}": damage(parts[name], random.Random(name))
            for damage in DAMAGES for name in parts if name != "progressive"}
    made.update({f"{first}-then-{second}": joined(parts[first], parts[second], random.Random(first + second))
                 for first, second in JOINTS})
    for name, cut in made.items():
        with open(os.path.join(folder, name.replace("_", "-") + ".ts"), "wb") as file:
            file.write(b"".join(cut))
    return whole, [os.path.join(folder, name.replace("_", "-") + ".ts") for name in made]
