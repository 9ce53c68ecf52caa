# shellcheck shell=bash
# SPDX-License-Identifier: BSD-2-Clause
# The changes to FFmpeg as a series of patches; sourced by build.sh and debianize.sh, after tools/patched-build.

# Beside the hooks that all have in common, each version has some of its own. "7:7.1.5-0+deb13u1" is
# FFmpeg 7.1.5, of the series 7.1.
known_versions() { (cd "$patches/hooks" && printf '%s\n' [0-9]*.patch | sed 's/\.patch$//' | paste -sd ' '); }

# Files of our own, the same for every version, as a patch that adds them.
write_files_patch() {
    new_files_patch "avcodec: libv3doff, for work on whole pictures" "$patches"/{libavcodec,doc}/* <<'END'
libv3doff does transforms and loop filters of VP9 and H.264 as a few Vulkan
dispatches a picture, with the same bits. These files are what decoders need
to use it; the next patch calls them.

Frames live in memory that the device can reach. The decoder records what the
filters need while it reconstructs, submits it picture by picture or in bands
of rows, and reports progress when the device is done. What fails is done on
the CPU, from the same records.
END
}

write_hooks_patch() {
    patch_head "avcodec/vp9, avcodec/h264: leave work on whole pictures to libv3doff" <<'END'
With --enable-libv3doff the decoders have a new option: v3doff (off, auto,
force). Without that switch nothing changes.
END
    cat "$patches/hooks/common.patch"
}

write_version_patch() { # version
    patch_head "configure, avcodec: build with libv3doff" <<'END'
What differs from version to version.
END
    cat "$patches/hooks/$1.patch"
}

write_series() { # directory, version
    [ -f "$patches/hooks/$2.patch" ] || die "no hooks for FFmpeg $2: there are those for $(known_versions)"
    mkdir -p "$1"
    write_files_patch >"$1/0001-avcodec-libv3doff.patch"
    write_hooks_patch >"$1/0002-avcodec-vp9-h264-hooks.patch"
    write_version_patch "$2" >"$1/0003-configure-avcodec-libv3doff.patch"
}
