# SPDX-License-Identifier: BSD-2-Clause
"""Cameras for tests: an RTSP server that sends H.264 files at a camera's pace, over TCP, and takes what is pushed to it.

Each session gets its file from the beginning, over and over: access units at `rate` a second, split as in RFC 6184.
"""
import socketserver
import struct
import threading
import time

CLOCK = 90000
PAYLOAD = 1200


def access_units(stream):
    """Lists of NAL units. A unit begins with a parameter set or a delimiter, or with a picture's first slice."""
    units, current, has_picture = [], [], False
    for part in stream.split(b"\0\0\1")[1:]:
        part = part.rstrip(b"\0")
        kind = part[0] & 31
        first_slice = kind in (1, 5) and part[1] & 0x80  # first_mb_in_slice is 0
        if has_picture and (kind in (6, 7, 8, 9) or first_slice):
            units.append(current)
            current, has_picture = [], False
        current.append(part)
        has_picture |= kind in (1, 5)
    return [*units, current]


def payloads(nal):
    if len(nal) <= PAYLOAD:
        yield nal
        return
    head, kind, rest = nal[0] & 0xe0 | 28, nal[0] & 31, nal[1:]
    for begin in range(0, len(rest), PAYLOAD):
        first, last = begin == 0, begin + PAYLOAD >= len(rest)
        yield bytes([head, first << 7 | last << 6 | kind]) + rest[begin:begin + PAYLOAD]


class Session(socketserver.StreamRequestHandler):
    def setup(self):
        super().setup()
        self.sending = threading.Lock()

    def handle(self):
        self.server.sessions.add(self)
        try:
            while request := self._request():
                self._answer(*request)
        except OSError:
            pass
        finally:
            self.server.sessions.discard(self)

    def _request(self):
        while line := self.rfile.read(1):
            if line == b"$":  # what the other side sends: RTCP, or the pictures that it pushes
                _, length = struct.unpack(">BH", self.rfile.read(3))
                self.server.pushed += len(self.rfile.read(length))
                continue
            method, url, _ = (line + self.rfile.readline()).decode().split(" ", 2)
            headers = {}
            while (line := self.rfile.readline().strip()):
                name, value = line.decode().split(":", 1)
                headers[name.lower()] = value.strip()
            body = self.rfile.read(int(headers.get("content-length", 0)))
            return method, url, headers, body
        return None

    def _answer(self, method, url, headers, body):
        lines, text = [], ""
        if method == "OPTIONS":
            lines = ["Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN, ANNOUNCE, RECORD, GET_PARAMETER"]
        elif method == "DESCRIBE":
            text = (f"v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=camera\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r\nc=IN IP4 0.0.0.0\r\n"
                    f"a=rtpmap:96 H264/{CLOCK}\r\na=fmtp:96 packetization-mode=1\r\na=control:video\r\n")
            lines = ["Content-Type: application/sdp", f"Content-Base: {url}/"]
        elif method == "SETUP":
            lines = ["Transport: RTP/AVP/TCP;unicast;interleaved=0-1" + (";mode=record" if "record" in headers["transport"] else "")]
        lines = ["RTSP/1.0 200 OK", f"CSeq: {headers['cseq']}", "Session: 1", *lines, f"Content-Length: {len(text)}"]
        with self.sending:
            self.wfile.write(("\r\n".join(lines) + "\r\n\r\n" + text).encode())
        if method == "PLAY":
            threading.Thread(target=self._play, daemon=True).start()

    def _play(self):
        number, begin, sequence = 0, time.monotonic(), 0
        try:
            while True:
                unit = self.server.units[number % len(self.server.units)]
                stamp = number * CLOCK // self.server.rate & 0xffffffff
                parts = [part for nal in unit for part in payloads(nal)]
                for place, part in enumerate(parts):
                    packet = struct.pack(">BBHII", 0x80, (place == len(parts) - 1) << 7 | 96, sequence & 0xffff, stamp, 1) + part
                    with self.sending:
                        self.wfile.write(struct.pack(">BBH", 0x24, 0, len(packet)) + packet)
                    sequence += 1
                number += 1
                time.sleep(max(0, begin + number / self.server.rate - time.monotonic()))
        except (OSError, ValueError):
            pass


class Camera(socketserver.ThreadingTCPServer):
    """Begins at once; `url` is where."""
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, path, rate):
        super().__init__(("127.0.0.1", 0), Session)
        with open(path, "rb") as file:
            self.units = access_units(file.read())
        self.rate, self.sessions, self.pushed = rate, set(), 0
        self.url = f"rtsp://127.0.0.1:{self.server_address[1]}/camera"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def cut(self):
        """As a camera that restarts: every connection ends. How many that were."""
        ended = list(self.sessions)
        for session in ended:
            session.connection.shutdown(2)
        return len(ended)
