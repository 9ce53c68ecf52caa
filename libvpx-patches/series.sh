# shellcheck shell=bash
# SPDX-License-Identifier: BSD-2-Clause
# The changes to libvpx as a series of patches; sourced by build.sh, which defines die and sets patches,
# the folder of this file. The hooks are the same for all versions in SHA256SUMS.

patch_head() { # subject; the text follows on standard input
    printf '%s\n' "From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001" \
        "From: Seed fb739909 maintainers" " <maintainers@users.noreply.a-seed-fb739909.example>" \
        "Date: Sat, 28 Nov 2026 12:00:00 +0000" "Subject: [PATCH] $1" ""
    cat
    printf -- '---\n'
}

write_series() { # directory
    local file name
    mkdir -p "$1"
    {
        patch_head "vp9: libv3doff, for the reconstruction of whole pictures" <<'END'
libv3doff reconstructs VP9 pictures as a few Vulkan dispatches, with the same
bits. These files are what the decoder needs to use it; the next patch calls
them.
END
        for file in "$patches"/vp9/decoder/*; do
            name=${file#"$patches/"}
            printf 'diff --git a/%s b/%s\nnew file mode 100644\n' "$name" "$name"
            diff -u --label /dev/null --label "b/$name" /dev/null "$file" || [ $? = 1 ]
        done
    } >"$1/0001-vp9-libv3doff.patch"
    {
        patch_head "vp9: leave the reconstruction of pictures to libv3doff" <<'END'
With --enable-libv3doff the decoder only parses, if the environment has
V3DOFF=auto or V3DOFF=force, or the program sets VP9D_SET_V3DOFF. Without
that switch nothing changes.
END
        cat "$patches/hooks/common.patch"
    } >"$1/0002-vp9-libv3doff-hooks.patch"
}
