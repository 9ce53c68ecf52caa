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
  --arch A       cross-build both with Debian's compiler of that architecture: aarch64
  --patch-only   write the patched source to DIR/src (with --prefix) and stop
  --series DIR   write the patches to DIR, for `git am` or quilt, and stop

Without --source, the script looks for the tarball libvpx_V.orig.tar.* in $V3DOFF_SOURCES, then in
shared/libvpx beside the checkout, and then fetches it with apt-get from the machine's Debian mirror. Its
checksum must be the one in libvpx-patches/SHA256SUMS. Status 77: there is no source.
Environment: CC (compiler, default cc or A-linux-gnu-gcc), JOBS (parallel jobs, default one for each
core).
END
}

configure_libvpx() {
    local library arguments=(--prefix="$prefix" --enable-vp9-highbitdepth --enable-pic --enable-shared
        --disable-unit-tests --disable-docs)
    [ -z "$minimal" ] || arguments+=(--disable-vp8 --disable-vp9-encoder --disable-tools --disable-libyuv)
    [ -z "$sanitize" ] ||
        arguments+=("--extra-cflags=-O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined \
-fno-sanitize=alignment,shift,signed-integer-overflow,pointer-overflow")
    [ -n "$stock" ] || arguments+=(--enable-libv3doff)
    [ -z "$arch" ] || arguments+=(--target="${arch/aarch/arm}-linux-gcc")
    library=$(pkg-config --variable=libdir libv3doff || true)
    CROSS=${arch:+$arch-linux-gnu-} CC=$cc LDFLAGS="-Wl,-rpath,$prefix/lib${library:+:$library}${sanitize:+ -fsanitize=address,undefined}" \
        "$work/src/configure" "${arguments[@]}" "${extra[@]}"
}

build_program() {
    need perl perl
    say "building libvpx $version"
    mkdir "$work/build"
    # vpxdec is an example, which the installation leaves out.
    (cd "$work/build" && configure_libvpx && make -j"${JOBS:-$(nproc)}" && make install &&
        { [ ! -f vpxdec ] || install -D vpxdec "$prefix/bin/vpxdec"; }) >"$work/libvpx.log" 2>&1 ||
        { grep -n -A 5 -w error "$work/libvpx.log" >&2 || tail -n 30 "$work/libvpx.log" >&2
            die "libvpx: the build failed"; }
    ! grep -A 3 'v3doff.*warning' "$work/libvpx.log" >&2 || die "the glue has warnings"
}

main() {
    here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../tools
    patches=$here/../libvpx-patches
    # shellcheck source=tools/ffmpeg-source
    . "$here/ffmpeg-source"
    # shellcheck source=tools/libvpx-source
    . "$here/libvpx-source"
    # shellcheck source=tools/patched-build
    . "$here/patched-build"
    # shellcheck source=libvpx-patches/series.sh
    . "$patches/series.sh"
    version=1.12.0
    build_patched libvpx find_libvpx vpxdec "" "$@"
}

main "$@"
