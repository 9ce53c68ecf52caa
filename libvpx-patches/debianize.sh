#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Puts the patches into a Debian source package of libvpx; tools/patched-package has the usage.

set -Eeuo pipefail
export LC_ALL=C

main() {
    patches=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
    # shellcheck source=tools/patched-build
    . "$patches/../tools/patched-build"
    # shellcheck source=tools/patched-package
    . "$patches/../tools/patched-package"
    # shellcheck source=libvpx-patches/series.sh
    . "$patches/series.sh"
    package=libvpx project=libvpx flags=configure_flags codecs=VP9
    where="on Debian 12 or 13" known_in="Debian 12 has 1.12, Debian 13 1.15"
    debianize "$@"
}

main "$@"
