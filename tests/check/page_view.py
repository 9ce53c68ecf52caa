# SPDX-License-Identifier: BSD-2-Clause
"""A page in a headless browser: its pixels, and its network requests."""
import json
import shutil
import struct
import subprocess
import tempfile
import zlib
from collections import Counter
from pathlib import Path

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which(
    "google-chrome")


def paeth(a, b, c):
    p = a + b - c
    near = (abs(p - a), abs(p - b), abs(p - c))
    return (a, b, c)[near.index(min(near))]


def unfilter(kind, row, before, size):
    """A row of a PNG; size: bytes of a pixel."""
    for i in range(len(row)):
        left = row[i - size] if i >= size else 0
        up = before[i]
        if kind == 1:
            row[i] = (row[i] + left) & 255
        elif kind == 2:
            row[i] = (row[i] + up) & 255
        elif kind == 3:
            row[i] = (row[i] + (left + up) // 2) & 255
        elif kind == 4:
            row[i] = (row[i] + paeth(left, up, before[i - size] if i >= size else 0)) & 255
    return row


def colours_of(png):
    """How often each (red, green, blue) is in a PNG of 8 bits a channel."""
    data, at, packed = Path(png).read_bytes(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
            assert depth == 8 and colour in (2, 6), (depth, colour)
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    size = 3 if colour == 2 else 4
    raw, count, before = zlib.decompress(packed), Counter(), bytes(width * size)
    for y in range(height):
        start = y * (width * size + 1)
        before = unfilter(raw[start], bytearray(raw[start + 1:start + 1 + width * size]), before,
                          size)
        count.update(zip(before[0::size], before[1::size], before[2::size]))
    return count


def view(page, width=900, height=1400):
    """(colours, other URLs that were requested) of a page in a browser."""
    with tempfile.TemporaryDirectory() as folder:
        log, picture = Path(folder) / "net.json", Path(folder) / "page.png"
        subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                        "--disable-background-networking", "--disable-component-update",
                        "--disable-sync", "--no-first-run", "--disable-dev-shm-usage",
                        f"--user-data-dir={folder}/profile", f"--log-net-log={log}",
                        "--net-log-capture-mode=Everything", f"--window-size={width},{height}",
                        f"--screenshot={picture}", Path(page).resolve().as_uri()],
                       check=True, capture_output=True, timeout=180)
        asked = set()
        for event in json.loads(log.read_text())["events"]:
            parameters = event.get("params", {})
            url = str(parameters.get("url", ""))
            # The browser's own requests belong to no page.
            if (url.startswith(("http:", "https:", "ws:", "wss:", "ftp:"))
                    and parameters.get("initiator", "not an origin") != "not an origin"):
                asked.add(url)
        return colours_of(picture), asked
