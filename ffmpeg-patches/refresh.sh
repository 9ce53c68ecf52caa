#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# refresh.sh --prepare DIR: makes a patched source tree of each version in DIR/VERSION, with git.
# refresh.sh DIR: writes hooks/*.patch from these trees.
set -euo pipefail
patches=$(dirname "$(realpath "${BASH_SOURCE[0]}")")

link_own_files() { # tree
    ln -sf "$patches"/libavcodec/* "$1/libavcodec/"
    ln -sf "$patches"/doc/* "$1/doc/"
}

prepare() { # directory
    local hooks version tree source
    for hooks in "$patches"/hooks/[0-9]*.patch; do
        version=$(basename "$hooks" .patch) tree=$1/$version
        mkdir -p "$1"
        source=$("$patches/build.sh" --version "$version" --stock --patch-only --prefix "$tree.tmp")
        mv -T "$source" "$tree" && rmdir "$tree.tmp"
        git -C "$tree" init -q
        git -C "$tree" add -A
        git -C "$tree" -c user.name=stock -c user.email=stock commit -qm stock
        cat "$patches/hooks/common.patch" "$hooks" | patch -s -d "$tree" -p1 --fuzz=0
        link_own_files "$tree"
        (cd "$patches" && printf '/%s\n' {libavcodec,doc}/*) >>"$tree/.git/info/exclude"
    done
}

case ${1:-} in
--prepare) prepare "${2:?needs a folder}" ;;
-h | --help) sed -n '3,4s/^# //p' "$0" ;;
-* | '') sed -n '3,4s/^# //p' "$0" >&2 && exit 2 ;;
*)
    for tree in "$1"/*/; do
        link_own_files "$tree"
    done
    "$patches/split_hooks.py" "$patches/hooks" "$1"/*/
    ;;
esac
