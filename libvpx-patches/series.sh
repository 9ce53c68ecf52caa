# shellcheck shell=bash
# SPDX-License-Identifier: BSD-2-Clause
# The changes to libvpx as a series of patches; sourced by build.sh and debianize.sh, after tools/patched-build.

# The hooks are the same for all of them.
known_versions() { sed -n 's/.* libvpx_\(.*\)\.orig.*/\1/p' "$patches/SHA256SUMS" | paste -sd ' '; }

write_series() { # directory, version
    [[ " $(known_versions) " = *" $2 "* ]] || die "no hooks for libvpx $2: there are those for $(known_versions)"
    mkdir -p "$1"
    new_files_patch "vp9: libv3doff, for the reconstruction of whole pictures" "$patches"/vp9/decoder/* \
        >"$1/0001-vp9-libv3doff.patch" <<'END'
libv3doff reconstructs VP9 pictures as a few Vulkan dispatches, with the same
bits. These files are what the decoder needs to use it; the next patch calls
them.
END
    {
        patch_head "vp9: leave the reconstruction of pictures to libv3doff" <<'END'
With --enable-libv3doff the decoder only parses, if the environment has
V3DOFF=auto or V3DOFF=force, or the program sets VP9D_SET_V3DOFF. Without
that switch nothing changes.
END
        cat "$patches/hooks/common.patch"
    } >"$1/0002-vp9-libv3doff-hooks.patch"
}
