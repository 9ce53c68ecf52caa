#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Puts the patches into a Debian source package of FFmpeg; tools/patched-package has the usage.

set -Eeuo pipefail
export LC_ALL=C

main() {
    patches=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
    # shellcheck source=tools/patched-build
    . "$patches/../tools/patched-build"
    # shellcheck source=tools/patched-package
    . "$patches/../tools/patched-package"
    # shellcheck source=ffmpeg-patches/series.sh
    . "$patches/series.sh"
    package=ffmpeg project=FFmpeg flags=CONFIG codecs="VP9 and H.264"
    where="on Debian 13 or Raspberry Pi OS" known_in="Debian 13 and Raspberry Pi OS have 7.1"
    debianize "$@"
}

main "$@"
