#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Puts the patches into a Debian source package of FFmpeg; see usage below.

set -Eeuo pipefail
export LC_ALL=C

usage() {
    cat <<'HELP'
usage: debianize.sh DIR

DIR is an unpacked source package of FFmpeg: `apt-get source ffmpeg` on Debian 13 or Raspberry Pi OS.
The script turns it into one that builds FFmpeg with libv3doff:

  debian/patches     gets the patches of this version after the existing ones (quilt), applied
  debian/control     gets the build dependency libv3doff-dev (tools/package makes that package)
  debian/rules       gets --enable-libv3doff
  debian/changelog   gets a local version: the existing one with +v3doff1 appended

Install libv3doff-dev first. Then run
  apt-get build-dep ./DIR
  cd DIR && dpkg-buildpackage -b -uc -us
  cd .. && dpkg -i --selected-only ./*.deb      (only packages that are already installed)
The packages replace Debian's. A later version of Debian's packages replaces them.

The script refuses, and changes nothing, if the version is not one that the patches are for, if the
package already patches the same places, or if the package was already changed by this script.
Environment: DEBFULLNAME, DEBEMAIL for the changelog.
HELP
}

say() { printf 'debianize: %s\n' "$*" >&2; }
die() { say "$*"; exit 2; }

need() { # command, Debian package
    command -v "$1" >/dev/null || die "$1 not found: install the package $2"
}

# "7:7.1.5-0+deb13u1" is FFmpeg 7.1.5. Hooks are kept for the last version of a series.
find_version() {
    local upstream known
    [ -f "$tree/debian/changelog" ] && [ -x "$tree/configure" ] ||
        die "$tree is no unpacked source package: it lacks debian/changelog or configure"
    [ "$(dpkg-parsechangelog -l "$tree/debian/changelog" -S Source)" = ffmpeg ] ||
        die "$tree is the source of another package than ffmpeg"
    full=$(dpkg-parsechangelog -l "$tree/debian/changelog" -S Version)
    upstream=${full#*:} upstream=${upstream%-*}
    version=
    for known in $(known_versions); do
        [ "$(series_of "$known")" != "$(series_of "$upstream")" ] || version=$known
    done
    [ -n "$version" ] || die "no patches for FFmpeg $upstream: there are those for" \
        "$(known_versions), each with its series. Debian 13 and Raspberry Pi OS have 7.1"
    [ "$(cat "$tree/debian/source/format" 2>/dev/null)" = "3.0 (quilt)" ] ||
        die "$tree/debian/source/format is not 3.0 (quilt)"
    ! grep -q '^libv3doff/' "$tree/debian/patches/series" 2>/dev/null ||
        die "$tree has the patches already"
}

series_of() { # version: 7.1.5 and 7.1-rc1 are 7.1
    sed -E 's/^([0-9]+\.[0-9]+).*/\1/' <<<"$1"
}

# dpkg-source applies the patches that are not applied yet, without fuzz, as when the package is built.
apply_all() { # tree
    (cd "$1/.." && dpkg-source --before-build "$(basename "$1")") >"$work/log" 2>&1
}

add_patches() { # tree
    local list=$1/debian/patches
    apply_all "$1" || { tail -n 20 "$work/log" >&2; die "the package's own patches do not apply"; }
    write_series "$list/libv3doff" "$version"
    # A series without a newline at its end would swallow the first name.
    [ ! -s "$list/series" ] || [ -z "$(tail -c 1 "$list/series")" ] || echo >>"$list/series"
    (cd "$list" && printf '%s\n' libv3doff/*.patch) >>"$list/series"
    apply_all "$1" || {
        tail -n 20 "$work/log" >&2
        die "the patches for $version do not apply to $full: it is patched in the same places"
    }
}

# Fields may start on their own line or the next; comments may stand between.
add_build_dependency() { # tree
    grep -q '^Build-Depends:' "$1/debian/control" || die "no Build-Depends in debian/control"
    sed -i -E '0,/^Build-Depends:/ s/^Build-Depends:[ \t]*(.*)/Build-Depends:\n libv3doff-dev,\n \1/' \
        "$1/debian/control"
    sed -i '/^ $/d' "$1/debian/control"
}

add_configure_flag() { # tree
    grep -qE '^CONFIG[ \t]*:?=.*\\$' "$1/debian/rules" ||
        die "debian/rules has no list CONFIG: add --enable-libv3doff to configure's arguments there"
    sed -i -E '0,/^CONFIG[ \t]*:?=.*\\$/ s/^CONFIG[ \t]*:?=.*\\$/&\n\t--enable-libv3doff \\/' \
        "$1/debian/rules"
}

add_changelog_entry() { # tree
    local name mail distribution log=$1/debian/changelog
    name=${DEBFULLNAME:-$(git config user.name 2>/dev/null || id -un)}
    mail=${DEBEMAIL:-$(git config user.email 2>/dev/null || echo "$(id -un)@localhost")}
    distribution=$(dpkg-parsechangelog -l "$log" -S Distribution)
    cat - "$log" >"$work/changelog" <<ENTRY
ffmpeg ($full+v3doff1) $distribution; urgency=medium

  * Decode VP9 and H.264 with libv3doff: debian/patches/libv3doff,
    --enable-libv3doff.

 -- $name <$mail>  $(date -R)

ENTRY
    cat "$work/changelog" >"$log"
}

turn() { # tree
    add_patches "$1"
    add_build_dependency "$1"
    add_configure_flag "$1"
    add_changelog_entry "$1"
}

main() {
    case ${1:-} in
    -h | --help) usage && exit 0 ;;
    -* | '') usage >&2 && exit 2 ;;
    esac
    patches=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
    # shellcheck source=ffmpeg-patches/series.sh
    . "$patches/series.sh"
    tree=$(realpath -e "$1") || die "no such folder: $1"
    trap 'say "failed at line $LINENO"' ERR
    need dpkg-source dpkg-dev
    need patch patch
    find_version
    work=$(mktemp -d "$tree/../.debianize.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM HUP
    # Steps that may fail run on a copy first, so that a refusal leaves the tree unchanged.
    cp -a --reflink=auto "$tree" "$work/trial"
    trap - ERR
    (turn "$work/trial")
    turn "$tree"
    say "$(basename "$tree") is now $full+v3doff1, patches of $version applied"
}

main "$@"
