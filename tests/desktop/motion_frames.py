# SPDX-License-Identifier: BSD-2-Clause
"""motion_frames.py CLIP OUT: the different pictures that motion stores of a camera, which is the clip: hashes, sorted, because
what it stores when depends on the time.
"""
import hashlib
import os
import subprocess
import sys

RATE = 8  # of the camera. motion looks for a picture 50 times a second, so it misses none
AGAIN = 2  # times, because it stores nothing in the first seconds
SETTINGS = {
    "daemon": "off", "setup_mode": "off", "log_level": 5, "webcontrol_port": 0, "stream_port": 0, "width": 352, "height": 288,
    "framerate": 50, "emulate_motion": "on", "movie_output": "off", "picture_output": "on", "picture_type": "ppm",
    "picture_filename": "%v-%H%M%S-%q", "text_left": "", "text_right": "", "event_gap": 60, "netcam_params": f"capture_rate={RATE}",
    "watchdog_tmo": 300,  # a software device may compile shaders for longer than the usual 30 s
}


def main():
    clip, out = sys.argv[1:]
    home = os.path.dirname(out)
    folder, config, longer = f"{home}/pictures", f"{home}/motion.conf", f"{home}/longer.mkv"
    os.mkdir(folder)
    stock = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    subprocess.run(["ffmpeg", "-v", "error", "-stream_loop", str(AGAIN), "-i", clip, "-c", "copy", longer], env=stock, check=True)
    with open(config, "w", encoding="ascii") as file:
        file.writelines(f"{name} {value}\n" for name, value in {**SETTINGS, "netcam_url": f"file://{longer}", "target_dir": folder}.items())
    with subprocess.Popen(["motion", "-n", "-c", config], stderr=subprocess.PIPE) as motion:
        for line in motion.stderr:
            sys.stderr.buffer.write(line)
            if b"Reconnecting" in line:  # the clip's end
                motion.terminate()
    hashes = set()
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            hashes.add(hashlib.sha256(file.read()).hexdigest())
    os.remove(config)
    os.remove(longer)
    with open(out, "w", encoding="ascii") as file:
        file.writelines(f"{name}\n" for name in sorted(hashes))
    sys.exit(motion.returncode)


if __name__ == "__main__":
    main()
