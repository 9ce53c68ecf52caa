# SPDX-License-Identifier: BSD-2-Clause
"""The cells of tests/programs/run: each is a program, its arguments and environment, and what it must show."""
import dataclasses
import glob
import itertools
import os
import random

SCOPES = "filters", "reconstruction"
THREADS = 1, 4
TINY = {"vp9": "vp9-tiny.webm", "h264": "h264-tiny.mp4"}
# Without reordering.
PLAIN = {"vp9": "vp9-low-rate.webm", "h264": "h264-cavlc-slices.mp4"}
# With hidden frames, or B pictures.
REORDERED = {"vp9": "vp9-alt-ref.webm", "h264": "h264-b-pyramid-weights.mp4"}
LONG = {"vp9": "vp9-many-frames.webm", "h264": "h264-many-frames.mp4"}
CODECS = tuple(TINY)
# With auto the software device counts as a GPU, and gets all pictures, whatever they cost.
AUTO = {"V3DOFF_FAULT": "kind", "V3DOFF_RECIPE": "gpu"}
DELAY = {"PROGRAM_DELAY": "1"}  # of program.c


@dataclasses.dataclass
class Cell:
    name: str
    arguments: list  # of each command, or of the only one
    environment: dict = dataclasses.field(default_factory=dict)
    device: bool = None  # whether it must be used; None: it does not matter
    status: int = 0
    limit: float = 60
    unwanted: tuple = ()  # patterns that the output must not have
    attempts: int = 1  # one of so many must succeed

    def commands(self, folder):
        every = self.arguments if isinstance(self.arguments[0], list) else [self.arguments]
        return [[os.path.join(folder, command[0]), *command[1:]] for command in every]


class Maker:
    def __init__(self, prefix, streams, vectors, every, seed):
        self.prefix, self.streams, self.vectors, self.every = prefix, streams, vectors, every
        self.random = random.Random(seed)

    def sometimes(self, one_in):
        return self.every or not self.random.randrange(one_in)

    def cell(self, program, what, mode, threads, stream, *more, scope=None, note="", environment=(), **options):
        environment = dict(environment)
        if scope:
            environment["V3DOFF_SCOPE"] = scope
        if "PROGRAM_DELAY" in environment:
            note = "delayed"
        words = [program, what, *map(str, more), mode, scope, f"threads {threads}", stream, note]
        return Cell(" ".join(filter(None, words)),
                    [program, what, mode, str(threads), os.path.join(self.streams, stream), *map(str, more)],
                    environment, **options)

    def forced(self, what, threads, stream, scope, *more, **options):
        return self.cell("client", what, "force", threads, stream, *more, scope=scope, **{"device": True, **options})

    def writers(self):
        for scope, threads, codec, kind in itertools.product(SCOPES, THREADS, CODECS, (PLAIN, REORDERED)):
            yield self.forced("writer", threads, kind[codec], scope)
            if scope == "reconstruction" and threads == 1:
                yield self.forced("writer", threads, kind[codec], scope, environment=DELAY)
            if kind is REORDERED:
                yield self.forced("filter", threads, kind[codec], scope)
                yield self.forced("keep", threads, kind[codec], scope)

    def order(self):
        for scope, codec, kind in itertools.product(SCOPES, CODECS, (PLAIN, REORDERED)):
            yield self.forced("one_in_one_out", 1, kind[codec], scope)
        for codec in CODECS:
            yield self.forced("receive_first", 1, PLAIN[codec], "reconstruction")
            yield self.cell("client", "ready_in_mid_stream", "auto", 1, PLAIN[codec], device=True, scope="reconstruction",
                            environment={**AUTO, "V3DOFF_FAULT": "kind,slow_open"})
        for scope, threads, codec, delay in itertools.product(SCOPES, THREADS, CODECS, ({}, DELAY)):
            if delay and (threads > 1 or scope == "filters"):
                continue  # without effect
            yield self.forced("drain_and_reuse", threads, TINY[codec], scope, environment=delay)
            yield self.forced("flush", threads, TINY[codec], scope, environment=delay)
            if not delay:  # with which a frame stays behind
                yield self.forced("no_drain", threads, TINY[codec], scope)
                yield self.forced("seek", threads, REORDERED[codec], scope, self.random.randrange(10000))

    def refused(self):
        for function, scope, codec, threads, call, last in itertools.product(
                ("submit", "submit_rows"), SCOPES, CODECS, THREADS, range(1, 7), (False, True)):
            if function == "submit_rows" and scope != "filters":
                continue  # whole pictures have no bands
            if self.sometimes(3):
                yield self.forced("refused", threads, PLAIN[codec], scope, function, call, call if last else 1000000,
                                  device=None, limit=20, environment={"V3DOFF_DEBUG": "band_rows=2"})

    def settings(self):
        layouts = "one", "planes", "swapped", "empty", "early-end", "misaligned", "read-only", "wrapped"
        for layout, (threads, memory), codec in itertools.product(
                layouts, ((1, "host-import"), (1, "staging"), (4, "")), CODECS):
            yield self.forced("buffers", threads, PLAIN[codec], self.random.choice(SCOPES), layout, note=memory,
                              environment={"V3DOFF_MEMORY": memory} if memory else {},
                              device=layout != "empty")  # the decoder does not know where they end
        for what, scope, threads, codec in itertools.product(
                ("get_format", "skip_loop_filter", "skip_frame", "skip_idct", "opaque_copied", "export_side_data",
                 "output_corrupt", "aspect_ratio", "empty_packets"), SCOPES, THREADS, CODECS):
            if scope == "reconstruction" and threads == 1 or self.sometimes(4):
                seed = (self.random.randrange(1000),) if what.startswith("skip") else ()
                stream = REORDERED[codec] if seed else PLAIN[codec]
                yield self.forced(what, threads, stream, scope, *seed)
            if what == "aspect_ratio" and scope == "reconstruction" and threads == 1:
                yield self.forced(what, threads, PLAIN[codec], scope, environment=DELAY)

    def many(self):
        for codec in CODECS:
            yield self.cell("client", "short_decodes", "auto", 1, PLAIN[codec], environment=AUTO, device=False)
            yield self.cell("client", "one_thread", "auto", 1, PLAIN[codec], environment=AUTO)
            yield self.forced("many_at_once", 1, TINY[codec], "reconstruction")
        for scope, threads in itertools.product(SCOPES, THREADS):
            yield self.forced("size_change", threads, "vp9-three-sizes.webm", scope)
        # The decoder asks again for each size.
        yield self.forced("get_format", 1, "vp9-three-sizes.webm", "reconstruction")

    def environments(self):
        for mode, scope, threads, codec in itertools.product(("off", "force"), SCOPES, THREADS, CODECS):
            yield self.cell("client", "getenv", mode, threads, PLAIN[codec], scope=scope, device=mode == "force")
        for codec in CODECS:
            yield self.cell("client", "setenv", "force", 4, TINY[codec], device=True)

    def forks(self):
        for parent, child, threads, codec, keep in itertools.product(
                ("open", "closed", "opening", "mid"), ("decodes", "closes", "goes-on", "frees", "exits", "_exits"), THREADS,
                CODECS, ("on", "off")):
            if parent == "closed" and child in ("closes", "goes-on"):
                continue  # there is no decoder
            if threads > 1 and child in ("closes", "goes-on"):
                continue  # FFmpeg alone hangs: its threads are gone
            if threads > 1 and child == "frees" and parent in ("opening", "mid"):
                continue  # a thread that is at work may hold the lock of FFmpeg's pool of buffers
            if not self.sometimes(3 if keep == "off" and parent != "closed" else 2):
                continue
            opening = parent == "opening"
            # FFmpeg's frame threads are at work, and a child inherits the locks that they hold just then.
            attempts = 2 if parent == "mid" and threads > 1 else 1
            yield self.cell("hostile", "fork", "auto" if opening else "force", threads, TINY[codec], parent, child,
                            device=None if opening else True, limit=30, scope="reconstruction",
                            attempts=attempts, note="" if keep == "on" else "not kept", environment={
                                "V3DOFF_KEEP": keep, **(AUTO | {"V3DOFF_FAULT": "kind,slow_open"} if opening else {})})
        for codec in CODECS:
            for pictures in 0, 1:
                yield self.cell("hostile", "daemon", "force", 1, TINY[codec], pictures, limit=30, scope="reconstruction")
            yield self.cell("hostile", "spawn", "force", 4, TINY[codec], device=True, limit=30, scope="reconstruction")

    def ends(self):
        phases = {"opening": ("kind", "kind,slow_open"), "compiling": ("kind,slow_shader",), "decoding": ("",)}
        for phase, how, codec in itertools.product(phases, ("return", "exit", "_exit", "quick_exit", "SIGKILL"), CODECS):
            for fault in phases[phase]:
                decoding = phase == "decoding"
                cell = self.cell("hostile", "end", "force" if decoding else "auto", 1, TINY[codec], phase, how,
                                 scope="reconstruction" if decoding else "filters", status=-9 if how == "SIGKILL" else 0,
                                 limit=20, note=fault, environment={} if decoding else {**AUTO, "V3DOFF_FAULT": fault})
                most = 600000 if "slow" in fault else 4000 if decoding else 60000
                runs = 100 if self.every else 3 if decoding or how not in ("exit", "return") else 8
                # Microseconds after which it ends.
                cell.arguments = [[*cell.arguments, str(self.random.randrange(most))] for _ in range(runs)]
                yield cell

    def limits(self):
        for codec in CODECS:
            for what, value in ("nofile", 64), ("memlock", 0), ("as", 256), ("as", 512), ("nproc", 0):
                yield self.cell("hostile", "limit", "force", 1, TINY[codec], what, value,
                                device=True if what in ("nofile", "memlock") else None)
            yield self.cell("hostile", "stack", "force", 1, TINY[codec], 64, device=True)
            for threads in THREADS:
                yield self.cell("hostile", "alarms", "force", threads, PLAIN[codec], device=True, scope="reconstruction")
            yield self.cell("hostile", "threads", "force", 1, TINY[codec], device=True)
            yield self.cell("hostile", "read_only", "force", 1, TINY[codec], scope="filters")
            for answer, calls in itertools.product(("ENOSYS", "EPERM"), ("threads", "files", "memory", "network", "madvise")):
                if self.sometimes(2):
                    yield self.cell("hostile", "refused", "force", 1, TINY[codec], answer, calls, device=True)
            yield self.cell("hostile", "refused", "force", 4, TINY[codec], "EPERM", "threads", "files", "memory", "network")
            for threads in THREADS:
                yield self.cell("hostile", "no_other_calls", "auto", threads, LONG[codec], device=False)
            yield self.cell("hostile", "cost", "auto", 1, LONG[codec], device=False)
            for scope, threads in itertools.product(SCOPES, THREADS):
                cell = self.cell("hostile", "allocation", "force", threads, TINY[codec], scope=scope)
                # 300 to 700 are made.
                cell.arguments = [[*cell.arguments, str(self.random.randrange(1, 600))] for _ in range(100 if self.every else 6)]
                yield cell
        for mode, keep in ("off", "on"), ("force", "on"), ("force", "off"):
            stream = TINY[self.random.choice(CODECS)]
            yield Cell(f"unload {mode} {stream} {'' if keep == 'on' else 'not '}kept",
                       ["unload", os.path.join(self.prefix, "tests-programs/plugin.so"), mode, os.path.join(self.streams, stream),
                        "6" if (mode, keep) == ("force", "on") else "0"],  # devices are kept for 5 seconds
                       {"V3DOFF_KEEP": keep, "V3DOFF_SCOPE": "reconstruction"}, device=mode == "force")

    def openings(self):
        found = sorted(glob.glob(os.path.join(self.streams, "*.*")))
        for folder in ("vp9", "h264/*") if self.vectors else ():
            found += sorted(glob.glob(os.path.join(self.vectors, folder, "*.*")))
        probe, ffmpeg = (os.path.join(self.prefix, "bin", name) for name in ("ffprobe", "ffmpeg"))
        environment = {**AUTO, "LD_PRELOAD": os.path.join(self.prefix, "tests-programs/openings.so")}
        for path in filter(lambda _: self.sometimes(3), found):
            yield Cell(f"openings {os.path.basename(path)}", [
                [probe, "-hide_banner", "-show_streams", path],
                [ffmpeg, "-nostdin", "-hide_banner", "-i", path, "-map", "0:v:0", "-c", "copy", "-f", "null", "-"]],
                environment, unwanted=("openings: Vulkan is loaded", "libv3doff: "))


def make(*arguments):
    maker = Maker(*arguments)
    for kind in (maker.limits, maker.writers, maker.order, maker.refused, maker.settings, maker.many, maker.environments,
                 maker.forks, maker.ends, maker.openings):
        yield from kind()
