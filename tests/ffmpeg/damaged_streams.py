# SPDX-License-Identifier: BSD-2-Clause
"""Streams that found something once, made of units of other streams."""
import os
import re
import subprocess


def nal_units(path):
    with open(path, "rb") as file:
        data = file.read()
    starts = [match.start() for match in re.finditer(b"\0\0\1", data)] + [len(data)]
    return [data[at:end] for at, end in zip(starts, starts[1:])]


def ivf_units(path):
    """The file's header, then its frames."""
    with open(path, "rb") as file:
        data = file.read()
    starts = [0, 32]
    while starts[-1] < len(data):
        starts.append(starts[-1] + 12 + int.from_bytes(data[starts[-1]:starts[-1] + 4], "little"))
    return [data[at:end] for at, end in zip(starts, starts[1:])]


def resized(unit, found_ref, end, width, height):
    """An inter frame that codes this size instead of taking a reference's."""
    bits = "".join(f"{byte:08b}" for byte in unit[12:12 + (end + 7) // 8])[:end]
    bits = bits[:found_ref] + f"000{width - 1:016b}{height - 1:016b}" + bits[found_ref + 1:]
    bits += "0" * (-len(bits) % 8)
    frame = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8)) + unit[12 + (end + 7) // 8:]
    return len(frame).to_bytes(4, "little") + unit[4:12] + frame


def slice_unit(header, bits):
    """A slice that consists only of these bits."""
    bits += "1" + "0" * (-(len(bits) + 1) % 8)
    payload = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))
    return b"\0\0\1" + bytes([header]) + re.sub(b"\0\0(?=[\0-\3])", b"\0\0\3", payload)


def skip_after_error(units):
    """A skipped macroblock adds what a damaged one has left, if FFmpeg's filter has left its marks."""
    skips = bytes.fromhex("000001019ea66a42dfb83c")
    return units[:3] + [units[3][:2256], skips]


def other_structure(units):
    """A damaged field, then in the same packet the refused slice of a frame: the second macroblock
    is its first, its type P, its frame number 0, and it is of no field."""
    refused = slice_unit(units[3][3], "010" + "00110" + "1" + 9 * "0" + "0" + 12 * "10110101")
    return units[:3] + [units[3][:len(units[3]) * 2 // 3], refused, *units[4:6]]


def packet_without_field(units):
    """After a first field, a packet in which no field begins, because its reordering of references is
    invalid. FFmpeg's thread of that packet reports the field before as complete."""
    refused = slice_unit(units[3][3], "1" + "00110" + "1" + 9 * "0" + "11" + 6 * "0" + "1" +
                         3 * "00000100000")
    return units[:3] + [refused, *units[4:6]]


def references_too_large(units):
    """A frame of half the size, then one of a quarter of it, which has only one valid reference. FFmpeg
    skips the blocks of the other references, and their coefficients affect later blocks."""
    return units[:4] + [resized(units[4], 30, 81, 320, 180), resized(units[5], 30, 79, 160, 90), *units[6:14]]


def ivf_packet(number, units):
    data = b"".join(units)
    return len(data).to_bytes(4, "little") + number.to_bytes(8, "little") + data


def ivf_file(packets):
    size = (176).to_bytes(2, "little") + (144).to_bytes(2, "little")
    header = b"DKIF\0\0 \0H264" + size + (25).to_bytes(4, "little") + (1).to_bytes(4, "little") + bytes(8)
    return [header, *(ivf_packet(i, packet) for i, packet in enumerate(packets))]


def begins_picture(unit):
    """The first slice of a picture begins with macroblock 0: a 1, as ue(v)."""
    return unit[3] & 31 in (1, 5) and unit[4] & 0x80 != 0


def two_pictures_a_packet(units):
    """Nothing is damaged, but packets hold a picture that no other one is predicted from and the next one,
    which then has its frame number. FFmpeg's slice contexts change places between the two."""
    packets, pictures, is_reference = [[]], 0, False
    for unit in units:
        if begins_picture(unit):
            if is_reference or pictures == 2:
                packets.append([])
                pictures = 0
            pictures += 1
            is_reference = unit[3] >> 5 != 0
        packets[-1].append(unit)
    return ivf_file(packets)


def begun_twice(units):
    """Before each picture's first slice, one that begins after the last macroblock. FFmpeg notices this
    after it has begun a picture, drops the picture, and begins another one in the same packet."""
    packets = [[]]
    for unit in units:
        if begins_picture(unit):
            packets.append([])
            if unit[3] & 31 == 1:
                payload = unit[4:34].replace(b"\0\0\3", b"\0\0")
                bits = "".join(f"{byte:08b}" for byte in payload)
                packets[-1].append(slice_unit(unit[3], 16 * "0" + "1" + 16 * "0" + bits[1:]))
        packets[-1].append(unit)
    return ivf_file([packets[0] + packets[1], *packets[2:]])


def broken_reference(units):
    """A picture is truncated in its second row and concealed. Direct macroblocks of the next picture take
    its vectors. FFmpeg's threads read no row of vectors before the row below is parsed."""
    return [*units[:5], units[5][:70], *units[6:10]]


# How streams that are made of pictures are encoded: pictures that move.
ENCODED = {"temporal-direct.264": "bframes=3:b-pyramid=normal:b-adapt=0:direct=temporal:ref=4:weightp=0:crf=28"}


def encode(path, options):
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-filter_complex",
                    "testsrc2=size=176x144:rate=25,scroll=horizontal=0.013:vertical=0.021,"
                    "noise=alls=8:allf=t,trim=end_frame=16,format=yuv420p",
                    "-threads", "1", "-c:v", "libx264", "-x264-params", options, path], check=True)


# The stream that it is made of, in shared, of damage_test or encoded; how it is decoded.
STREAMS = {skip_after_error: ("damaged/discard-after-rows.264", ("1", "slice")),
           other_structure: ("vectors/h264/jvt/HCAFF1_HHI.264", ("1", "slice")),
           two_pictures_a_packet: ("b-frames.264", ("4", "slice")),
           begun_twice: ("b-frames.264", ("1", "slice")),
           packet_without_field: ("vectors/h264/jvt/HCAFF1_HHI.264", ("2", "frame")),
           broken_reference: ("temporal-direct.264", ("2", "frame")),
           references_too_large: ("vectors/vp9/bbb_vp9_640x360_1600kbps_30fps.ivf", ("2", "frame"))}


def make(folder, shared, streams):
    """Path and threads of each that can be made."""
    for combine, (source, threads) in STREAMS.items():
        if source in ENCODED:
            encode(os.path.join(folder, source), ENCODED[source])
            source = os.path.join(folder, source)
        elif "/" in source:
            source = os.path.join(shared, source)
        else:
            source = os.path.join(streams, source)
        if os.path.exists(source):
            ending = os.path.splitext(source)[1]
            units = combine(ivf_units(source) if ending == ".ivf" else nal_units(source))
            if units[0].startswith(b"DKIF"):
                ending = ".ivf"
            path = os.path.join(folder, combine.__name__.replace("_", "-") + ending)
            with open(path, "wb") as file:
                file.write(b"".join(units))
            yield path, threads
