# SPDX-License-Identifier: BSD-2-Clause
"""Where the ffmpeg of a folder of tools/camera-ffmpeg runs: in containers, or on this machine."""
import os
import platform
import shutil
import subprocess

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools")
PACKAGES = "mesa-vulkan-drivers libvulkan1"
NODES = ("dri/renderD128", "udmabuf", "dma_heap/system")
MACHINES = {0x3e: "x86_64", 0xb7: "aarch64"}  # e_machine of ELF
NOBODY = 65534
# The device is used whatever it costs.
DEVICE = {"V3DOFF_DEBUG": "report=stderr", "V3DOFF_RECIPE": "gpu"}


def words_of(environment):
    return [f"{name}={value}" for name, value in environment.items()]


class Here:
    """This machine, with its own device and nodes."""
    rate, pace = 25, 1  # pictures of a camera in a second; how many times as long as a quick machine this one takes

    def __init__(self, work, folder):
        self.path, self.folder = work, os.path.realpath(folder)
        self.environment = {**os.environ, "XDG_CACHE_HOME": self.inside("cache"), **DEVICE}
        for name in ("cache", "homes"):
            os.makedirs(self.inside(name))

    def inside(self, name):
        return os.path.join(self.path, name)

    def name_of(self, name):
        """As a program names it."""
        return self.inside(name)

    def set_nodes(self, nodes, mode=0o666):
        """Which ones there are from now on."""

    def set_limits(self, *limits):
        """What a container may do from now on: arguments of podman run."""

    def command(self, arguments, environment, _name="once"):
        return ["env", *words_of({**self.environment, **environment}), os.path.join(self.folder, "bin/ffmpeg"), *arguments]

    def pid(self, process, _name):
        return process.pid

    def send(self, process, _name, signal):
        process.send_signal(signal)

    def close(self):
        pass


class Container(Here):
    """A container of podman's for each ffmpeg: a root of Debian 12, or the libraries of the other architecture. The folders of
    `work` are mounted in it."""

    def __init__(self, work, folder):
        super().__init__(work, folder)
        self.root, self.options, self.limits, self.emulator = self.inside("root"), [], (), []
        for name in ("cache", "homes"):
            os.chown(self.inside(name), NOBODY, NOBODY)
        with open(os.path.join(folder, "bin/ffmpeg"), "rb") as file:
            machine = MACHINES[file.read(20)[18]]
        if machine == platform.machine():
            self._unpack_debian()
        else:
            self._copy_arm64()
        driver = next(name for name in os.listdir(f"{self.root}/usr/share/vulkan/icd.d") if name.startswith("lvp_icd"))
        # A software device counts as a GPU.
        self.environment = {"VK_DRIVER_FILES": f"/usr/share/vulkan/icd.d/{driver}", "MESA_SHADER_CACHE_DIR": "/cache", "HOME": "/",
                            "XDG_CACHE_HOME": "/cache", "LC_ALL": "C.UTF-8", "V3DOFF_FAULT": "kind", "V3DOFF_TIME_LIMIT": "600000",
                            **DEVICE}

    def _unpack_debian(self):
        archive = subprocess.check_output([f"{TOOLS}/debian-root", "bookworm", f"apt-get install -y --no-install-recommends {PACKAGES}"],
                                          text=True)
        subprocess.check_call([f"{TOOLS}/debian-root", "--unpack", archive.splitlines()[-1], self.root])

    def _copy_arm64(self):
        libraries = subprocess.check_output([f"{TOOLS}/arm64-root"], text=True).splitlines()[-1]
        subprocess.check_call(["cp", "-a", libraries, self.root])
        os.remove(f"{self.root}/run")  # a container has a folder of this name
        # One that needs no libraries of this machine.
        shutil.copy(shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64"), f"{self.root}/qemu")
        self.emulator, self.rate, self.pace = ["/qemu", "-cpu", "cortex-a76"], 5, 4

    def name_of(self, name):
        return f"/{name}"

    def set_nodes(self, nodes, mode=0o666):
        self.options = []
        for name in nodes:
            path = self.inside(f"nodes/{name}")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if not os.path.exists(path):
                subprocess.check_call(["mknod", path, "c", "1", "3"])  # as /dev/null
            os.chmod(path, mode)
            self.options += ["--device", f"{path}:/dev/{name}"]

    def set_limits(self, *limits):
        self.limits = limits

    def podman(self, *arguments):
        # Nothing of another user's of podman. The newer runtime cannot use the cgroups of an older host.
        return ["podman", "--root", self.inside("storage"), "--runroot", self.inside("state"), "--cgroup-manager", "cgroupfs",
                "--runtime", "runc", *arguments]

    def command(self, arguments, environment, name="once"):
        settings = [word for setting in words_of({**self.environment, **environment}) for word in ("--env", setting)]
        # What podman would allow may be more than this machine allows.
        return self.podman("run", "--rm", "--name", name, "--network", "host", "--user", str(NOBODY), "--ulimit", "nofile=1024:1024",
                           "--ulimit", "nproc=4096:4096", "--volume", f"{self.folder}:/config/ffmpeg:ro",
                           "--volume", f"{self.inside('cache')}:/cache", "--volume", f"{self.inside('homes')}:/homes",
                           "--volume", f"{self.inside('stream.264')}:/stream.264:ro", *self.options, *self.limits, *settings,
                           "--rootfs", self.root, *self.emulator, "/config/ffmpeg/bin/ffmpeg", *arguments)

    def pid(self, process, name):
        return int(subprocess.check_output(self.podman("inspect", "--format", "{{.State.Pid}}", name)))

    def send(self, process, name, signal):
        subprocess.run(self.podman("kill", "--signal", str(int(signal)), name), check=False, stdout=subprocess.DEVNULL)

    def close(self):
        subprocess.run(self.podman("rm", "--all", "--force"), check=False, stdout=subprocess.DEVNULL)
