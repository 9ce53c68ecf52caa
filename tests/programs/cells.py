# SPDX-License-Identifier: BSD-2-Clause
"""The cells of tests/programs/run: each is a program, its arguments and environment, and what it must show."""
import dataclasses
import glob
import itertools
import os
import random

SCOPES = "filters", "reconstruction"
TINY = {"vp9": "vp9-tiny.webm", "h264": "h264-tiny.mp4"}
# Without B pictures, and with them.
CLIPS = "vp9-low-rate.webm", "vp9-alt-ref.webm", "h264-cavlc-slices.mp4", "h264-b-pyramid-weights.mp4"
# With auto the software device counts as a GPU, and no recipe is measured.
AUTO = {"V3DOFF_FAULT": "kind", "V3DOFF_RECIPE": "gpu"}


@dataclasses.dataclass
class Cell:
    name: str
    arguments: list  # of each command, or of the only one
    environment: dict = dataclasses.field(default_factory=dict)
    device: bool = None  # whether it must be used; None: it does not matter
    status: int = 0
    limit: float = 60
    unwanted: tuple = ()  # patterns that the output must not have

    def commands(self, folder):
        every = self.arguments if isinstance(self.arguments[0], list) else [self.arguments]
        return [[os.path.join(folder, command[0]), *command[1:]] for command in every]


class Maker:
    def __init__(self, prefix, streams, vectors, every, seed):
        self.prefix, self.streams, self.vectors, self.every = prefix, streams, vectors, every
        self.random = random.Random(seed)

    def stream(self, name):
        return os.path.join(self.streams, name)

    def cell(self, program, what, mode, threads, stream, *more, **options):
        environment = dict(options.pop("environment", {}))
        scope = environment.get("V3DOFF_SCOPE", "")
        name = " ".join(filter(None, [program, what, *map(str, more), mode, scope, str(threads), stream,
                                      options.pop("note", "")]))
        return Cell(name, [program, what, mode, str(threads), self.stream(stream), *map(str, more)],
                    environment, **options)

    def writers(self):
        for what, scope, threads, stream in itertools.product(("writer", "filter", "keep"), SCOPES, (1, 4), CLIPS):
            if what == "writer" or scope == "reconstruction" and stream in CLIPS[::3] or self.every:
                yield self.cell("client", what, "force", threads, stream, device=True, environment={"V3DOFF_SCOPE": scope})

    def order(self):
        for what, scope, stream in itertools.product(("one_in_one_out", "receive_first"), SCOPES, CLIPS):
            yield self.cell("client", what, "force", 1, stream, device=True, environment={"V3DOFF_SCOPE": scope})
        for stream in CLIPS[::2]:
            yield self.cell("client", "ready_in_mid_stream", "auto", 1, stream, device=True,
                            environment={**AUTO, "V3DOFF_FAULT": "kind,slow_open", "V3DOFF_SCOPE": "reconstruction"})
        for what, scope, threads, codec in itertools.product(
                ("no_drain", "drain_and_reuse", "flush", "seek"), SCOPES, (1, 4), TINY):
            if what in ("no_drain", "seek"):
                stream, more = {"vp9": "vp9-alt-ref.webm", "h264": "h264-b-pyramid-weights.mp4"}[codec], ()
            else:
                stream, more = {"vp9": "vp9-low-rate.webm", "h264": "h264-cavlc-slices.mp4"}[codec], ()
            if what == "seek":
                more = (self.random.randrange(10000),)
            yield self.cell("client", what, "force", threads, stream, *more, device=True,
                            environment={"V3DOFF_SCOPE": scope})

    def refused(self):
        for function, scope, codec, threads, call, last in itertools.product(
                ("submit", "submit_rows"), SCOPES, TINY, (1, 4), range(1, 7), (False, True)):
            if function == "submit_rows" and scope != "filters":
                continue  # whole pictures have no bands
            if not self.every and self.random.randrange(2):
                continue
            yield self.cell("client", "refused", "force", threads, {"vp9": "vp9-low-rate.webm", "h264": "h264-cavlc-slices.mp4"}[codec],
                            function, call, call if last else 1000000, limit=20,
                            environment={"V3DOFF_SCOPE": scope, "V3DOFF_DEBUG": "band_rows=2"})

    def environments(self):
        for mode, scope, threads, stream in itertools.product(("off", "force"), SCOPES, (1, 4), CLIPS[::2]):
            yield self.cell("client", "getenv", mode, threads, stream, device=mode == "force",
                            environment={"V3DOFF_SCOPE": scope})
        for stream in CLIPS[::2]:
            yield self.cell("client", "setenv", "force", 4, stream, device=True)

    def forks(self):
        for parent, child, threads, codec, keep in itertools.product(
                ("open", "closed", "opening", "mid"), ("decodes", "closes", "goes-on", "frees", "exits", "_exits"), (1, 4),
                TINY, ("on", "off")):
            if parent == "closed" and child in ("closes", "goes-on"):
                continue  # there is no decoder
            if threads > 1 and child in ("closes", "goes-on"):
                continue  # FFmpeg alone hangs: its threads are gone
            if keep == "off" and parent != "closed" and not self.every and self.random.randrange(3):
                continue
            environment = {"V3DOFF_KEEP": keep, "V3DOFF_SCOPE": "reconstruction"}
            if parent == "opening":
                environment |= {**AUTO, "V3DOFF_FAULT": "kind,slow_open"}
            yield self.cell("hostile", "fork", "auto" if parent == "opening" else "force", threads, TINY[codec], parent, child,
                            device=None if parent == "opening" else True, environment=environment, limit=30,
                            note="" if keep == "on" else "not kept")
        for codec, pictures in itertools.product(TINY, (0, 1)):
            yield self.cell("hostile", "daemon", "force", 1, TINY[codec], pictures, limit=30,
                            environment={"V3DOFF_SCOPE": "reconstruction"})
            yield self.cell("hostile", "spawn", "force", 4, TINY[codec], device=True, limit=30,
                            environment={"V3DOFF_SCOPE": "reconstruction"}, note=f"{pictures}" if pictures else "")

    def ends(self):
        runs = 100 if self.every else 12
        for phase, how, codec in itertools.product(("opening", "compiling", "decoding"),
                                                   ("return", "exit", "_exit", "quick_exit", "SIGKILL"), TINY):
            mode, environment = ("force", {"V3DOFF_SCOPE": "reconstruction"}) if phase == "decoding" else (
                "auto", {**AUTO, "V3DOFF_FAULT": {"opening": "kind,slow_open", "compiling": "kind,slow_shader"}[phase]})
            cell = self.cell("hostile", "end", mode, 1, TINY[codec], phase, how, environment=environment,
                             status=-9 if how == "SIGKILL" else 0, limit=20)
            cell.arguments = [[*cell.arguments, str(self.random.randrange(600000 if i % 2 else 3000))]
                              for i in range(runs if how in ("exit", "return") else 3)]
            yield cell

    def openings(self):
        found = sorted(glob.glob(os.path.join(self.streams, "*.*")))
        for folder in ("vp9", "h264/*") if self.vectors else ():
            found += sorted(glob.glob(os.path.join(self.vectors, folder, "*.*")))
        probe = os.path.join(self.prefix, "bin/ffprobe")
        ffmpeg = os.path.join(self.prefix, "bin/ffmpeg")
        environment = {**AUTO, "LD_PRELOAD": os.path.join(self.prefix, "tests-programs/openings.so")}
        unwanted = ("openings: Vulkan is loaded", "libv3doff")
        for path in found:
            yield Cell(f"openings {os.path.basename(path)}", [
                [probe, "-v", "info", "-show_streams", path],
                [ffmpeg, "-nostdin", "-v", "info", "-i", path, "-map", "0:v:0", "-c", "copy", "-f", "null", "-"]],
                environment, unwanted=unwanted)


def make(*arguments):
    maker = Maker(*arguments)
    for kind in (maker.writers, maker.order, maker.refused, maker.forks, maker.ends, maker.openings, maker.environments):
        yield from kind()
