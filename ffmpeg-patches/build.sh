#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Builds FFmpeg with libv3doff; see usage below.

set -Eeuo pipefail
export LC_ALL=C

usage() {
    cat <<'END'
usage: build.sh [--version V] [--source TARBALL|DIR] [--prefix DIR] [--minimal] [OPTION...]
                [-- CONFIGURE-ARGUMENT...]

Builds libv3doff of this checkout and FFmpeg with the patches of its version, and installs both.
The last line of standard output is the path of the ffmpeg program.

  --version V    7.1.5 (default), 8.1.2 or 9.0.2
  --source S     FFmpeg's source as tarball or tree; it is not changed
  --prefix DIR   install into this folder, default build/ffmpeg-V of the checkout
  --minimal      build only what decoding VP9 and H.264 needs, which is quick
  --ffplay       with --minimal: build ffplay too (needs SDL 2)
  --stock        the same FFmpeg without patches and libv3doff, to compare with
  --sanitize     use address and undefined behaviour sanitizers, also for the library (tools/fuzz)
  --system       use the libv3doff that pkg-config finds instead of this checkout's
  --arch A       cross-build both with Debian's compiler of that architecture: aarch64
  --patch-only   write the patched source to DIR/src (with --prefix) and stop
  --series DIR   write the patches of this version to DIR, for `git am` or quilt, and stop

Without --source, the script looks for the tarball ffmpeg_V.orig.tar.xz in $V3DOFF_SOURCES, then in
shared/ffmpeg beside the checkout, and then fetches it with apt-get from the machine's own Debian. Its
checksum must be the one in ffmpeg-patches/SHA256SUMS. Status 77: there is no source.
Environment: CC (compiler, default cc or A-linux-gnu-gcc), JOBS (parallel jobs, default one for each
core).
END
}

# FFmpeg's decoders shift and add unchecked values of damaged streams: do not report these.
sanitizer_arguments=(--disable-stripping --disable-optimizations
    "--extra-cflags=-O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined \
-fno-sanitize=alignment,shift,signed-integer-overflow,pointer-overflow,nonnull-attribute"
    --extra-ldflags=-fsanitize=address,undefined)

configure_ffmpeg() {
    local arguments=(--cc="$cc" --prefix="$prefix" --disable-doc --disable-debug)
    [ -z "$arch" ] || arguments+=(--enable-cross-compile --arch="$arch" --target-os=linux
        --cross-prefix="$arch-linux-gnu-" --pkg-config=pkg-config)
    if [ -n "$minimal" ]; then
        arguments+=(--disable-everything --disable-autodetect --disable-network
            --disable-avdevice --enable-decoder=vp9,h264,rawvideo --enable-parser=vp9,h264
            --enable-demuxer=matroska,mov,ivf,h264,mpegts
            --enable-bsf=vp9_superframe_split,h264_mp4toannexb
            --enable-muxer=rawvideo,md5,framemd5,framecrc,null
            --enable-encoder=rawvideo,wrapped_avframe --enable-protocol=file,pipe
            --enable-filter=scale,format,null,copy,hwdownload,bwdif)
        # For DRM_PRIME; a cross build would need the other architecture's library.
        [ -n "$arch" ] || ! pkg-config --exists libdrm || arguments+=(--enable-libdrm)
        if [ -n "$ffplay" ]; then
            arguments+=(--enable-ffplay --enable-sdl2)
        else
            arguments+=(--disable-ffplay --disable-swresample)
        fi
    fi
    [ -z "$sanitize" ] || arguments+=("${sanitizer_arguments[@]}")
    # The folder can be moved. For configure, which evaluates it once, for make and for a shell.
    [ -n "$stock" ] ||
        arguments+=(--enable-libv3doff '--extra-ldflags=-Wl,-rpath,\\\$\$ORIGIN/../lib')
    "$work/src/configure" "${arguments[@]}" "${extra[@]}"
}

build_program() {
    say "building FFmpeg $version"
    mkdir "$work/build"
    if ! (cd "$work/build" && configure_ffmpeg && make_ffmpeg && make install) \
        >"$work/ffmpeg.log" 2>&1; then
        tail -n 30 "$work/ffmpeg.log" "$work/build/ffbuild/config.log" >&2 || true
        die "FFmpeg: the build failed: its last lines are above"
    fi
    grep -A 3 'v3doff.*warning' "$work/ffmpeg.log" >&2 || true
}

main() {
    here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../tools
    patches=$here/../ffmpeg-patches
    # shellcheck source=tools/ffmpeg-source
    . "$here/ffmpeg-source"
    # shellcheck source=tools/patched-build
    . "$here/patched-build"
    # shellcheck source=ffmpeg-patches/series.sh
    . "$patches/series.sh"
    version=7.1.5 version_asked=1 print='' ffplay=''
    build_patched ffmpeg find_source ffmpeg ffplay "$@"
}

main "$@"
