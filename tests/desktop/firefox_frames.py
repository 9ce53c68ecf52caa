# SPDX-License-Identifier: BSD-2-Clause
"""firefox_frames.py CLIP OUT: hashes of the frames as a page in Firefox gets them, with its decoder process in its sandbox.

A <video> shows each frame of the clip; WebCodecs decodes the raw stream (H.264 only) in both latency modes; then 30 tabs play
the clip and are closed. OUT gets the hashes, whether one process decoded all of that, and which system calls the sandbox
refused. Firefox is driven by Marionette: length-prefixed JSON on a socket.
"""
import base64
import glob
import http.server
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

TABS = 30
PREFERENCES = {
    "marionette.port": 0, "media.autoplay.default": 0, "media.autoplay.blocking_policy": 0, "media.ffmpeg.enabled": True,
    "media.rdd-ffmpeg.enabled": True, "privacy.resistFingerprinting": False, "dom.media.webcodecs.enabled": True,
    "datareporting.policy.dataSubmissionEnabled": False, "app.normandy.enabled": False, "browser.region.update.enabled": False,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "browser.shell.checkDefaultBrowser": False, "browser.startup.homepage": "about:blank",
    "services.settings.server": "data:,", "extensions.update.enabled": False,
}
PAGE = b"""<!doctype html><title>frames</title><video id=video muted></video><script>
async function describe(frame) {
    const bytes = new Uint8Array(frame.allocationSize());
    await frame.copyTo(bytes);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const line = [frame.format, frame.visibleRect.width, frame.visibleRect.height,
                  Array.from(digest, byte => byte.toString(16).padStart(2, "0")).join("")].join(" ");
    frame.close();
    return line;
}
// Seeks to the middle of each frame's time.
async function shown(clip, count) {
    const video = document.getElementById("video");
    video.src = URL.createObjectURL(await (await fetch(clip)).blob());
    await new Promise((resolve, reject) => { video.onloadeddata = resolve; video.onerror = () => reject(video.error.message); });
    const lines = [];
    for (let number = 0; number < count; number++) {
        const presented = new Promise(resolve => video.requestVideoFrameCallback(resolve));
        const sought = new Promise(resolve => { video.onseeked = resolve; });
        video.currentTime = (number + 0.5) * video.duration / count;
        await sought;
        await Promise.race([presented, new Promise(resolve => setTimeout(resolve, 1000))]);
        lines.push(await describe(new VideoFrame(video)));
    }
    return lines;
}
async function decoded(units, latencyMode) {
    const lines = [], frames = [];
    const decoder = new VideoDecoder({output: frame => frames.push(frame), error: error => lines.push("error " + error.name)});
    decoder.configure({codec: units.codec, latencyMode, optimizeForLatency: latencyMode == "realtime"});
    units.units.forEach((unit, number) => decoder.decode(new EncodedVideoChunk({type: unit.key ? "key" : "delta",
        timestamp: number * 40000, data: Uint8Array.from(atob(unit.data), letter => letter.charCodeAt(0))})));
    await decoder.flush().catch(error => lines.push("flush " + error.name));
    for (const frame of frames) lines.push(frame.timestamp + " " + await describe(frame));
    if (decoder.state != "closed") decoder.close();
    return lines;
}
async function all(clip, count) {
    const lines = ["shown", ...await shown(clip, count)];
    const units = await (await fetch("units")).json();
    for (const mode of units.units.length ? ["quality", "realtime"] : [])
        lines.push(mode, ...await decoded(units, mode));
    return lines;
}
const [, what, clip, count] = location.search.match(/^.(\\w+)=([^&]*)&(\\d*)$/);
if (what == "all")
    all(clip, +count).catch(error => ["error " + error]).then(lines => fetch("done", {method: "POST", body: lines.join("\\n")}));
else {
    const video = document.getElementById("video");
    video.src = clip;
    video.loop = true;
    video.play();
}
</script>"""


def with_debians_libraries():
    return {**os.environ, "LD_LIBRARY_PATH": glob.glob("/usr/lib/*-linux-gnu")[0]}


def access_units(path):
    """The H.264 stream's access units, as WebCodecs takes them: with start codes, each begins with a delimiter."""
    if not path.endswith(".mp4"):
        return {"codec": "", "units": []}
    stream = subprocess.check_output(["ffmpeg", "-v", "error", "-i", path, "-c", "copy", "-bsf:v",
                                      "h264_mp4toannexb,h264_metadata=aud=insert", "-f", "h264", "-"], env=with_debians_libraries())
    units = [b"\0\0\0\1\x09" + unit for unit in stream.split(b"\0\0\0\1\x09")[1:]]
    begin = stream.index(b"\0\0\0\1\x67") + 5
    return {"codec": "avc1." + stream[begin:begin + 3].hex(),
            "units": [{"key": b"\0\0\1\x67" in unit, "data": base64.b64encode(unit).decode()} for unit in units]}


class Server(http.server.ThreadingHTTPServer):
    def __init__(self, path):
        super().__init__(("127.0.0.1", 0), Handler)
        self.clip = path
        self.units = json.dumps(access_units(path)).encode()
        self.lines, self.done = None, threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path.startswith("/page"):
            kind, body = "text/html", PAGE
        elif self.path == "/units":
            kind, body = "application/json", self.server.units
        elif self.path.startswith("/clip"):
            kind = "video/mp4" if self.server.clip.endswith(".mp4") else "video/webm"
            with open(self.server.clip, "rb") as file:
                body = file.read()
        else:
            return self.send_error(404)
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.server.lines = self.rfile.read(int(self.headers["Content-Length"])).decode().splitlines()
        self.send_response(204)
        self.end_headers()
        self.server.done.set()

    def log_message(self, format, *args):
        pass


class Marionette:
    def __init__(self, profile):
        port, until = os.path.join(profile, "MarionetteActivePort"), time.monotonic() + 60
        while not (os.path.exists(port) and os.path.getsize(port)):
            if time.monotonic() > until:
                raise TimeoutError("Firefox does not listen")
            time.sleep(0.05)
        with open(port, encoding="ascii") as file:
            self.stream = socket.create_connection(("127.0.0.1", int(file.read()))).makefile("rwb")
        self.number = 0
        self._receive()
        self("WebDriver:NewSession", capabilities={})

    def _receive(self):
        length = b""
        while (letter := self.stream.read(1)) != b":":
            length += letter
            if not letter:
                raise EOFError("Firefox ended")
        return json.loads(self.stream.read(int(length)))

    def __call__(self, command, **arguments):
        self.number += 1
        message = json.dumps([0, self.number, command, arguments]).encode()
        self.stream.write(b"%d:%s" % (len(message), message))
        self.stream.flush()
        _, _, error, result = self._receive()
        if error:
            raise RuntimeError(f"{command}: {error['message']}")
        return result

    def privileged(self, script):
        """What a script of Firefox's own rights hands to its callback."""
        self("Marionette:SetContext", value="chrome")
        result = self("WebDriver:ExecuteAsyncScript", script="const done = arguments[0];" + script, args=[])["value"]
        self("Marionette:SetContext", value="content")
        return result


def decoding_processes(browser):
    return browser.privileged("""ChromeUtils.requestProcInfo().then(info =>
        done(info.children.filter(child => child.type == "rdd").map(child => child.pid)));""")


def refused_calls(browser):
    return browser.privileged("""try {
        const calls = Cc["@mozilla.org/sandbox/syscall-reporter;1"].getService(Ci.mozISandboxReporter).snapshot(), found = [];
        for (let number = calls.begin; number < calls.end; number++) {
            const call = calls.getElement(number);
            found.push(call.procType + " " + call.syscall);
        }
        done(found.sort());
    } catch (error) { done(["" + error]); }""")


def count_frames(path):
    shown = subprocess.check_output(["ffprobe", "-v", "error", "-count_packets", "-select_streams", "v", "-show_entries",
                                     "stream=nb_read_packets", "-of", "csv=p=0", path], env=with_debians_libraries(), text=True)
    return int(shown.split(",")[0])


def use(browser, server, clip):
    page = f"http://127.0.0.1:{server.server_port}/page"
    browser("WebDriver:Navigate", url=f"{page}?all=clip&{count_frames(clip)}")
    if not server.done.wait(200):
        return ["the page did not finish"]
    lines, first = server.lines, decoding_processes(browser)
    home = browser("WebDriver:GetWindowHandle")["value"]
    for number in range(TABS):
        tab = browser("WebDriver:NewWindow", type="tab", focus=True)["handle"]
        browser("WebDriver:SwitchToWindow", handle=tab, focus=True)
        browser("WebDriver:Navigate", url=f"{page}?play=clip&")
        time.sleep(0.02 * (number % 10))
        browser("WebDriver:CloseWindow")
        browser("WebDriver:SwitchToWindow", handle=home)
    last = decoding_processes(browser)
    return lines + ["one process decoded" if len(first) == 1 and first == last else f"decoding processes {first}, {last}",
                    f"refused system calls: {refused_calls(browser)}"]


def main():
    clip, out = sys.argv[1:]
    server = Server(clip)
    with tempfile.TemporaryDirectory() as profile:
        with open(os.path.join(profile, "user.js"), "w", encoding="ascii") as file:
            file.writelines(f'user_pref("{name}", {json.dumps(value)});\n' for name, value in PREFERENCES.items())
        firefox = subprocess.Popen(["firefox-esr", "--headless", "--marionette", "--remote-allow-system-access",
                                    "--no-remote", "--profile", profile])
        try:
            browser = Marionette(profile)
            lines = use(browser, server, clip)
            browser("Marionette:Quit", flags=["eForceQuit"])
            status = firefox.wait(20)
        finally:
            firefox.kill()
    with open(out, "w", encoding="ascii") as file:
        file.write("\n".join(lines))
    sys.exit(status)


if __name__ == "__main__":
    main()
