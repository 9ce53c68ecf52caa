# SPDX-License-Identifier: BSD-2-Clause
"""rdp_pictures.py CLIP OUT CODEC: hashes of what FreeRDP's client shows of another screen, and its exit status.

There are two X servers without a monitor. FreeRDP's shadow server encodes what is on the first one as CODEC (AVC420 or AVC444; with
Debian's libavcodec, because ours has no encoder), and the client shows it on the second. Pictures of the clip appear on the first, the
next one when the client shows this one everywhere: a client that paints one update late never does.
"""
import ctypes
import hashlib
import mmap
import os
import subprocess
import sys
import time

WIDTH, HEIGHT = 352, 288
SIZE = WIDTH * HEIGHT * 4
PICTURES = 16
STEP = 7  # from one picture to the next
# Noise makes the encoder's quantizer so coarse that there is something to deblock, and two pictures different everywhere.
FILTER = f"scale={WIDTH}:{HEIGHT},format=yuv420p,noise=alls=100:allf=t+u"
BLOCK = 32
ALIKE = 12  # levels of a block: coding changes it by up to 7, the next picture by 19 and more
LIMIT = 200  # seconds for a picture: the first may have to wait for shaders
STOCK = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH" and not name.startswith("V3DOFF")}


class Screen:
    """An X server. What it shows is in a file."""

    def __init__(self, folder, processes):
        os.mkdir(folder)
        reading, writing = os.pipe()
        processes.append(subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nocursor",
                                           "-fbdir", folder], pass_fds=[writing], env=STOCK, stderr=subprocess.DEVNULL))
        os.close(writing)
        with os.fdopen(reading) as pipe:
            self.display = f":{pipe.readline().strip()}"
        with open(f"{folder}/Xvfb_screen0", "rb") as file:
            self.memory = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)

    def picture(self):
        return self.memory[-SIZE:]


class Display:
    """What one can do on a screen."""

    def __init__(self, display):
        self.x11 = ctypes.CDLL("libX11.so.6")
        for name in ("XOpenDisplay", "XDefaultVisual", "XDefaultGC", "XCreateImage"):
            getattr(self.x11, name).restype = ctypes.c_void_p
        self.display = ctypes.c_void_p(self.x11.XOpenDisplay(display.encode()))
        self.root = self.x11.XDefaultRootWindow(self.display)
        self.pixmap = self.x11.XCreatePixmap(self.display, self.root, WIDTH, HEIGHT, 24)
        self.visual = ctypes.c_void_p(self.x11.XDefaultVisual(self.display, 0))
        self.context = ctypes.c_void_p(self.x11.XDefaultGC(self.display, 0))

    def show(self, picture):
        """At once, so that FreeRDP's server never sees a part of it."""
        z_pixmap = 2
        image = ctypes.c_void_p(self.x11.XCreateImage(self.display, self.visual, 24, z_pixmap, 0, picture, WIDTH, HEIGHT, 32, 0))
        self.x11.XPutImage(self.display, self.pixmap, self.context, image, 0, 0, 0, 0, WIDTH, HEIGHT)
        self.x11.XSetWindowBackgroundPixmap(self.display, self.root, self.pixmap)
        self.x11.XClearWindow(self.display, self.root)
        self.x11.XSync(self.display, 0)

    def close_windows(self):
        """As a person does it. A program that a signal ends may be gone before its decoder says what it did."""
        client_message, any_root = 33, ctypes.c_ulong()
        windows, count = ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint()
        self.x11.XQueryTree(self.display, self.root, ctypes.byref(any_root), ctypes.byref(any_root), ctypes.byref(windows),
                            ctypes.byref(count))
        protocols, delete = (self.x11.XInternAtom(self.display, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
        for window in windows[:count.value]:
            # Each member of an XClientMessageEvent has the size or the alignment of a long; the rest of an XEvent is unused.
            event = (ctypes.c_long * 24)(client_message, 0, 0, 0, window, protocols, 32, delete)
            self.x11.XSendEvent(self.display, window, 0, 0, event)
        self.x11.XSync(self.display, 0)


def wait_for(condition, what):
    until = time.monotonic() + LIMIT
    while not (found := condition()):
        if time.monotonic() > until:
            sys.exit(f"waited in vain for {what}")
        time.sleep(0.02)
    return found


def alike(one, other):
    """In every block, by its green samples."""
    for top in range(0, HEIGHT, BLOCK):
        for left in range(0, WIDTH, BLOCK):
            total = 0
            for begin in range((top * WIDTH + left) * 4 + 1, ((top + BLOCK) * WIDTH + left) * 4, WIDTH * 4):
                row = slice(begin, begin + BLOCK * 4, 4)
                total += sum(abs(a - b) for a, b in zip(one[row], other[row]))
            if total > ALIKE * BLOCK * BLOCK:
                return False
    return True


def shown(screen, wanted):
    """What is there if it is the wanted picture, and no longer changes."""
    picture = screen.picture()
    return picture if alike(picture, wanted) and picture == screen.picture() else None


def read_clip(clip):
    frames = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", clip, "-vf", FILTER, "-pix_fmt", "bgr0", "-f", "rawvideo", "-"],
                            env=STOCK, check=True, stdout=subprocess.PIPE).stdout
    return [frames[begin:begin + SIZE] for begin in range(0, len(frames), SIZE)]


def show_pictures(home, frames, codec, processes):
    there, here = (Screen(f"{home}/{name}", processes) for name in ("there", "here"))
    server = Display(there.display)
    server.show(frames[0])
    socket = f"{home}/socket"
    processes.append(subprocess.Popen(["freerdp-shadow-cli3", f"/ipc-socket:{socket}", "-auth", "-sec-nla"],
                                      env={**STOCK, "DISPLAY": there.display}))
    wait_for(lambda: os.path.exists(socket), "the server")
    client = subprocess.Popen(["xfreerdp3", f"/v:{socket}", "/cert:ignore", "/sec:tls", "/u:user", "/p:", f"/gfx:{codec}", "/audio-mode:2",
                               "-clipboard", "-decorations"], env={**os.environ, "DISPLAY": here.display})
    processes.append(client)
    for number in range(PICTURES):
        wanted = frames[number * STEP % len(frames)]
        server.show(wanted)
        picture = wait_for(lambda: shown(here, wanted), f"picture {number}")
        yield f"{number} {hashlib.sha256(picture).hexdigest()}\n"
    Display(here.display).close_windows()
    yield f"exit status {client.wait(60)}\n"


def main():
    clip, out, codec = sys.argv[1:]
    processes = []
    try:
        lines = list(show_pictures(os.path.dirname(out), read_clip(clip), codec, processes))
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait(60)
    with open(out, "w", encoding="ascii") as file:
        file.writelines(lines)


if __name__ == "__main__":
    main()
