# SPDX-License-Identifier: BSD-2-Clause
"""qt_frames.py CLIP OUT: hashes and times of the frames as QtMultimedia gives them to a program's video sink."""
import hashlib
import sys

from PySide6.QtCore import QTimer, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtMultimedia import QMediaPlayer, QVideoFrame, QVideoSink

LAST = (QMediaPlayer.MediaStatus.EndOfMedia, QMediaPlayer.MediaStatus.InvalidMedia)


def describe(frame):
    frame.map(QVideoFrame.MapMode.ReadOnly)
    digest = hashlib.sha256()
    for plane in range(frame.planeCount()):
        samples, stride = bytes(frame.bits(plane)), frame.bytesPerLine(plane)
        width, height = (side + (plane > 0) >> (plane > 0) for side in (frame.width(), frame.height()))
        for row in range(height):  # without what lies beyond the picture
            digest.update(samples[row * stride:row * stride + width])
    frame.unmap()
    return f"{frame.startTime()} {frame.pixelFormat().name} {digest.hexdigest()}"


def main():
    application = QGuiApplication(sys.argv)
    player, sink, lines = QMediaPlayer(), QVideoSink(), []
    sink.videoFrameChanged.connect(lambda frame: frame.isValid() and lines.append(describe(frame)))
    player.mediaStatusChanged.connect(lambda status: application.quit() if status in LAST else None)
    player.setVideoSink(sink)
    player.setSource(QUrl.fromLocalFile(sys.argv[1]))
    player.setPlaybackRate(0.25)  # so that no frame is late
    player.play()
    QTimer.singleShot(60000, application.quit)
    application.exec()
    with open(sys.argv[2], "w", encoding="ascii") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main()
