#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Decodes streams with and without libv3doff and compares them; see usage below.

set -Euo pipefail
export LC_ALL=C

usage() {
    cat <<'END'
usage: verify.sh --vpxdec BIN [OPTION...] DIR|FILE...

Decodes each VP9 stream with V3DOFF=off, then with V3DOFF=force in several ways: one thread, threads for
columns of tiles, rows of superblocks, the program's own frame buffers. It compares the MD5 of all
frames, and with all frames the one in MANIFEST.tsv where there is one. If the device did not reconstruct
a picture of a stream, or the CPU did one although nothing failed, that is a failure. The last line is
"N passed, N failed". The status is 0 if nothing failed.

  --vpxdec BIN    the patched vpxdec
  --stock BIN     compare with this vpxdec instead of V3DOFF=off
  --fault LIST    values of V3DOFF_FAULT, separated by spaces: decode once more with each
  --switch SEED   decode once more in mode auto, on a software device that counts as a GPU: pictures change at
                  random between device and CPU, and between libv3doff's memory and libvpx's
  --frames N      only the first N frames of each stream
  --damaged       go on after errors; the CPU may do pictures, and a stream may have none for the device
  --jobs N        check so many streams at once, default one for each core
  --timeout S     stop a decode after this many seconds, default 300

DIR is a folder with MANIFEST.tsv (column 1 file, 2 codec). Without that list, all its .webm, .ivf and .mkv
with vp9 in their paths are decoded. libv3doff chooses the device; VK_DRIVER_FILES and V3DOFF_DEVICE select another.
END
}

ways=("" "--threads=4" "--threads=4 --row-mt=1" "--threads=2 --lpf-opt=1" "--threads=4 --v3doff-delay")
with_own_buffers=("--frame-buffers=16 --v3doff=2" "--frame-buffers=16 --v3doff-delay")

decode() { # binary, file, arguments...; sets frames: the MD5 and the status
    local status=0 said=$work/stderr
    frames=$(timeout "$limit" "$1" --md5 --rawvideo "${take[@]}" "${@:3}" "$2" 2>"$said") || status=$?
    frames="${frames%% *} $status"
    log=$(cat "$said")
    rm "$said"
    [ $status -lt 124 ]
}

# With the whole stream, the list of vectors has the MD5, too.
published() { # file, root
    [ ${#take[@]} != 0 ] || [ ! -f "$2/MANIFEST.tsv" ] ||
        awk -F '\t' -v file="${1#"$2/"}" '$1 == file {print $9}' "$2/MANIFEST.tsv"
}

check_way() { # file, name, fault, arguments...
    local status=0 gpu cpu frames log share reasons mode=force
    [[ "$*" != *--v3doff=* ]] || mode=
    V3DOFF=$mode V3DOFF_FAULT=$3 V3DOFF_DEBUG=open=wait,report=stderr decode "$vpxdec" "$1" "${@:4}" || status=1
    share=$(sed -n 's/^libv3doff report: .* \(gpu=.*\)/\1/p' <<<"$log")
    gpu=$(sed -n 's/gpu=\([0-9]*\) .*/\1/p' <<<"$share") cpu=${share#* cpu=}
    reasons=$(sed -n 's/^libv3doff report: on the CPU, //p' <<<"$log" | paste -sd ';')
    [ "$frames" = "$expected" ] || { echo "  other frames: $frames, not $expected"; status=1; }
    [ -n "$gpu" ] || { echo "  the decoder did not say what it reconstructed"; status=1; }
    if [ -z "$3$damaged" ] && { [ "${gpu:-0}" = 0 ] || [ "$cpu" != 0 ]; }; then
        echo "  not all pictures were reconstructed on the device"
        status=1
    fi
    result $status "$2: ${3:+fault $3, }${*:4} $share${reasons:+, on the CPU: $reasons}"
    [ $status = 0 ] || echo "  repeat: V3DOFF=$mode ${3:+V3DOFF_FAULT=$3 }V3DOFF_DEBUG=open=wait,report=stderr" \
        "$vpxdec --md5 --rawvideo ${take[*]} ${*:4} $1"
}

check_switching() { # file, name, arguments...
    local status=0 frames log share faults=kind,switching:$seed
    V3DOFF=auto V3DOFF_FAULT=$faults V3DOFF_DEBUG=open=wait,report=stderr V3DOFF_RECIPE=/dev/null/none \
        decode "$vpxdec" "$1" "${@:3}" || status=1
    share=$(sed -n 's/^libv3doff report: .* \(gpu=.*\)/\1/p' <<<"$log")
    [ "$frames" = "$expected" ] || { echo "  other frames: $frames, not $expected"; status=1; }
    [ -n "$share" ] || { echo "  the decoder did not say what it reconstructed"; status=1; }
    result $status "$2: auto, switching:$seed, ${*:3} $share"
    [ $status = 0 ] || echo "  repeat: V3DOFF=auto V3DOFF_FAULT=$faults V3DOFF_DEBUG=open=wait,report=stderr" \
        "V3DOFF_RECIPE=/dev/null/none $vpxdec --md5 --rawvideo ${take[*]} ${*:3} $1"
}

check_stream() { # file, root
    local name=${1#"$2/"} way fault frames log expected wanted status=0 own_buffers=("${with_own_buffers[@]}")
    V3DOFF=off decode "${stock:-$vpxdec}" "$1" || status=1
    expected=$frames wanted=$(published "$1" "$2")
    [ -z "$wanted" ] || [ "$wanted 0" = "$expected" ] || { echo "  not the published frames"; status=1; }
    result $status "$name: off, ${expected}${wanted:+, as published}"
    # After an error vpxdec takes back buffers that it has not given, and crashes, also without libv3doff.
    [[ $expected = *" 0" ]] || own_buffers=()
    for way in "${ways[@]}" "${own_buffers[@]}"; do
        # shellcheck disable=SC2086 # words
        check_way "$1" "$name" "" $way
    done
    for fault in $faults; do check_way "$1" "$name" "$fault" --threads=4; done
    [ -z "$seed" ] || check_switching "$1" "$name" --threads=4
    [ -z "$seed" ] || [ ${#own_buffers[@]} = 0 ] ||
        check_switching "$1" "$name" --frame-buffers=16 --v3doff-delay
}

main() {
    here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../tools
    # shellcheck source=tools/patched-build
    . "$here/patched-build"
    # shellcheck source=tools/patched-frames
    . "$here/patched-frames"
    vpxdec='' stock='' faults='' seed='' codec=vp9 names='vp9.*\.(webm|ivf|mkv)$' frames='' limit=300 damaged='' jobs=$(nproc)
    parse_options "vpxdec stock fault:faults switch:seed frames jobs timeout:limit" damaged "$@"
    take=(${frames:+--limit="$frames"} ${damaged:+--keep-going})
    [ -x "$vpxdec" ] || die "--vpxdec BIN is needed; see --help"
    check_streams
}

main "$@"
