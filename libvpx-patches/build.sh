#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Builds libvpx with libv3doff; see usage below.

set -Eeuo pipefail
export LC_ALL=C

usage() {
    cat <<'END'
usage: build.sh [--version V] [--source TARBALL|DIR] [--prefix DIR] [--minimal] [OPTION...]
                [-- CONFIGURE-ARGUMENT...]

Builds libv3doff of this checkout and libvpx with the patches, and installs both. The last line of
standard output is the path of the program vpxdec.

  --version V    1.12.0 (Debian 12, default) or 1.15.0 (Debian 13)
  --source S     libvpx's source as tarball or tree; it is not changed
  --prefix DIR   install into this folder, default build/libvpx-V of the checkout
  --minimal      build only the VP9 decoder, which is quick
  --stock        the same libvpx without patches and libv3doff, to compare with
  --sanitize     use address and undefined behaviour sanitizers, also for the library
  --system       use the libv3doff that pkg-config finds instead of this checkout's
  --patch-only   write the patched source to DIR/src (with --prefix) and stop
  --series DIR   write the patches to DIR, for `git am` or quilt, and stop

Without --source, the script looks for the tarball libvpx_V.orig.tar.* in $V3DOFF_SOURCES, then in
shared/libvpx beside the checkout, and then fetches it with apt-get from the machine's Debian mirror. Its
checksum must be the one in libvpx-patches/SHA256SUMS. Status 77: there is no source.
Environment: CC (compiler, default cc), JOBS (parallel jobs, default one for each core).
END
}

configure_libvpx() {
    local library arguments=(--prefix="$prefix" --enable-vp9-highbitdepth --enable-pic --enable-shared
        --disable-unit-tests --disable-docs)
    [ -z "$minimal" ] || arguments+=(--disable-vp8 --disable-vp9-encoder --disable-tools --disable-libyuv)
    [ -z "$sanitize" ] ||
        arguments+=("--extra-cflags=-O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined
            -fno-sanitize=alignment,shift,signed-integer-overflow,pointer-overflow")
    [ -n "$stock" ] || arguments+=(--enable-libv3doff)
    library=$(pkg-config --variable=libdir libv3doff || true)
    CC=$cc LDFLAGS="-Wl,-rpath,$prefix/lib${library:+:$library}${sanitize:+ -fsanitize=address,undefined}" \
        "$work/src/configure" "${arguments[@]}" "${extra[@]}"
}

build_libvpx() {
    say "building libvpx $version"
    mkdir "$work/build"
    # vpxdec is an example; it is linked with the static library.
    (cd "$work/build" && configure_libvpx && make -j"${JOBS:-$(nproc)}" && make install &&
        { [ ! -f vpxdec ] || install -D vpxdec "$prefix/bin/vpxdec"; }) >"$work/libvpx.log" 2>&1 ||
        { grep -n -A 5 -w error "$work/libvpx.log" >&2 || tail -n 30 "$work/libvpx.log" >&2
            die "libvpx: the build failed"; }
    ! grep -A 3 'v3doff.*warning' "$work/libvpx.log" >&2 || die "the glue has warnings"
}

parse_arguments() {
    version=1.12.0 source='' prefix='' minimal='' stock='' system='' patch_only='' series=''
    arch='' sanitize='' extra=()
    while [ $# -gt 0 ]; do
        case $1 in
        --version=* | --source=* | --prefix=* | --series=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" ;;
        --version | --source | --prefix | --series)
            [ $# -ge 2 ] || die "$1 needs a value"
            case $1 in
            --version) version=$2 ;;
            --source) source=$2 ;;
            --prefix) prefix=$2 ;;
            --series) series=$2 ;;
            esac
            shift 2
            ;;
        --minimal) minimal=1 && shift ;;
        --stock) stock=1 && shift ;;
        --sanitize) sanitize=1 && shift ;;
        --system) system=1 && shift ;;
        --patch-only) patch_only=1 && shift ;;
        --) shift && extra=("$@") && break ;;
        -h | --help) usage && exit 0 ;;
        *) usage >&2 && die "unknown argument: $1" ;;
        esac
    done
}

main() {
    here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../tools
    # shellcheck source=tools/ffmpeg-source
    . "$here/ffmpeg-source"
    # shellcheck source=tools/libvpx-source
    . "$here/libvpx-source"
    # shellcheck source=tools/patched-build
    . "$here/patched-build"
    patches=$here/../libvpx-patches
    # shellcheck source=libvpx-patches/series.sh
    . "$patches/series.sh"
    parse_arguments "$@"
    [ -z "$series" ] || { write_series "$series" && echo "$series" && exit 0; }
    cc=${CC:-cc} cache=${XDG_CACHE_HOME:-$HOME/.cache}/v3doff
    trap 'say "failed at line $LINENO"' ERR
    need "${cc##* }" gcc
    need make make
    need patch patch
    need perl perl
    need pkg-config pkg-config
    [ "$(uname -m)" != x86_64 ] || need nasm nasm
    prefix=$(realpath -m "${prefix:-$here/../build/libvpx-$version${stock:+-stock}${sanitize:+-sanitized}}")
    mkdir -p "$prefix" "$cache"
    work=$(mktemp -d "$prefix/.build.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM HUP
    write_series "$work/series"
    die_status=77
    find_libvpx
    die_status=2
    mkdir "$work/src"
    if [ -n "$tree" ]; then
        tar -C "$tree" --exclude-vcs -cf - . | tar -C "$work/src" -xf -
    else
        tar -C "$work/src" --strip-components=1 -xf "$tarball" || die "cannot unpack $tarball"
    fi
    [ -n "$stock" ] || apply_patches "$work/src" "$work/series"/*.patch
    if [ -n "$patch_only" ]; then
        rm -rf "$prefix/src"
        mv "$work/src" "$prefix/src"
        echo "$prefix/src"
        exit 0
    fi
    [ -n "$stock$system" ] || build_library
    build_libvpx
    echo "$prefix/bin/vpxdec"
}

main "$@"
