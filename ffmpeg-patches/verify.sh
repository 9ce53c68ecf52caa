#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Decodes streams with and without libv3doff and compares every frame; see usage below.

set -Euo pipefail
export LC_ALL=C

usage() {
    cat <<'END'
usage: verify.sh --ffmpeg BIN [OPTION...] DIR|FILE...

Decodes each stream with -v3doff off, then with -v3doff force for each number of threads and each kind
of threading. It compares the hashes of all frames with each other, and with the stream's line in
MANIFEST.tsv or its framemd5/FILE.framemd5 where they exist. If the device did not do a picture for a reason
that docs/ffmpeg.md does not list, or if no picture of a stream reached the device, that is a failure. The last
line is "N passed, N failed". The status is 0 if nothing failed.

  --ffmpeg BIN      a patched ffmpeg
  --stock BIN       compare with the frames of this binary instead of those of -v3doff off
  --scope LIST      what the device does of a picture: filters, reconstruction, or both; default filters
  --threads LIST    default 1,2,4
  --types LIST      default frame,slice
  --fault LIST      values of V3DOFF_FAULT, separated by spaces: decode once more with each; the frames
                    must be the same
  --switch LIST     seeds, separated by spaces: decode with each, in mode auto, on a software device that
                    counts as a GPU, with the same threads. Pictures change at random between device
                    and CPU, and between libv3doff's memory and FFmpeg's. With reconstruction, the device
                    must reconstruct some pictures and only filter others, and the CPU must do the rest.
                    Of two scopes only the last one is switched
  --share PERCENT   of these decodes of each stream, at least one a scope; default 100. Which ones depends on
                    the first seed of --switch
  --codec NAME      only streams in a folder or with a manifest line of this codec
  --frames N        only the first N frames of each stream
  --timeout S       stop a decode after this many seconds, default 600
  --jobs N          check so many streams at once, default one for each core

DIR is a folder with MANIFEST.tsv (column 1 file, 2 codec). Without that list, all its files are decoded.
libv3doff chooses the device; VK_DRIVER_FILES and V3DOFF_DEVICE select another.
END
}

# One decode: hashes of the frames to $1, the log to $1.log.
decode() { # destination, binary, arguments before -i..., file
    local out=$1 bin=$2 file=${*: -1} status=0
    set -- "${@:3:$#-3}"
    case $file in */CVFC1_Sony_C.*) set -- "$@" -flags unaligned ;; esac
    timeout "$limit" "$bin" -nostdin -hide_banner -v repeat+verbose "$@" -i "$file" -map 0:v:0 -an \
        -noautoscale -fps_mode passthrough "${take[@]}" \
        -f framemd5 "$out.all" >"$out.log" 2>&1 || status=$?
    sed -n '/^#/d; s/.*, *//; p' "$out.all" >"$out" 2>/dev/null
    rm -f "$out.all"
    # Damaged streams may end in an error; a signal or the time limit never is right.
    [ $status -lt 124 ] || { echo "  ended with status $status"; return 1; }
}

# The pictures that are refused although nothing fails, in the words of the log: docs/ffmpeg.md says why. Any other
# refusal is a failure. First those that the CPU does in every scope.
refused=(
    "not offloaded: the input comes in chunks"
    "not offloaded: the program uses draw_horiz_band"
    "not offloaded: gray"
    "not offloaded: film grain"
    "not offloaded: second field in the program's memory"
    "not offloaded: the first field was not"
    "not offloaded: slices of a field are filtered separately"
    "not offloaded: lossless macroblocks beside filtered ones"
    "not offloaded: a field with more than 16 references"
    "not offloaded: samples beyond the bit depth after damage"
    "the frame is damaged"
    "no slice of the frame could be decoded"
)
# With scope reconstruction the CPU also does these,
not_reconstructed=(
    "the frame cannot be recorded"
)
# and these are only filtered.
only_filtered=(
    "lossless macroblocks of an old x264"
    "damage may have left coefficients over"
    "a reference may be incomplete"
    "a reference has samples beyond the bit depth"
)

# Of the refusals on standard input, those that are not among the arguments.
unknown() { grep -vxF -f <(printf '%s\n' '' "$@") | sort -u; }

# Reads what the decoder said when it was closed; sets gpu, cpu, idle, whole, awaited, filtered,
# reasons, share.
read_summary() { # log
    local last
    last=$(grep 'libv3doff: pictures: ' "$1" | tail -n 1)
    gpu=$(sed -n 's/.*pictures: GPU \([0-9]*\),.*/\1/p' <<<"$last")
    cpu=$(sed -n 's/.*pictures: GPU [0-9]*, CPU \([0-9]*\),.*/\1/p' <<<"$last")
    idle=$(sed -n 's/.*nothing to do \([0-9]*\);.*/\1/p' <<<"$last")
    awaited=$(sed -n 's/.*; awaited: \([0-9]*\);.*/\1/p' <<<"$last")
    whole=$(sed -n 's/.*reconstructed: GPU \([0-9]*\),.*/\1/p' <<<"$last")
    reasons=$(sed -n 's/.*libv3doff: on the CPU, [0-9]* pictures: //p' "$1" | sort -u)
    filtered=$(sed -n 's/.*libv3doff: only filtered: //p' "$1")
    share=${last##*pictures: }
}

share_is_right() {
    if [ -z "$gpu" ]; then
        echo "  the decoder did not say what it offloaded"
        return 1
    fi
    local unexpected known=("${refused[@]}")
    [ "$scope" = filters ] || known+=("${not_reconstructed[@]}")
    if unexpected=$(unknown "${known[@]}" <<<"$reasons"); then
        echo "  done on the CPU: $unexpected"
        return 1
    fi
    if unexpected=$(unknown "${only_filtered[@]}" <<<"$filtered"); then
        echo "  only filtered: $unexpected"
        return 1
    fi
    if [ "$scope" = reconstruction ] && [ $((gpu - ${whole:-0})) -gt "$(grep -c . <<<"$filtered")" ]; then
        echo "  not all pictures were reconstructed on the device, and the log does not say why"
        return 1
    fi
    if [ "$scope" = reconstruction ] && [ "$cpu" = 0 ] && [ -z "$filtered" ] && [ "$awaited" != 0 ]; then
        echo "  decoding threads waited for $awaited pictures"
        return 1
    fi
    if [ "$gpu" = 0 ] && [ "$cpu" = 0 ] && [ "$idle" = 0 ]; then
        echo "  no picture was offloaded"
        return 1
    fi
}

# The published frames lie in framemd5/ beside the stream or beside a folder that holds it.
expected_from_manifest() { # file; the frames to $work/published
    local dir=${1%/*} list=
    while [ -n "$dir" ] && [ -z "$list" ]; do
        [ ! -f "$dir/framemd5/${1##*/}.framemd5" ] || list=$dir/framemd5/${1##*/}.framemd5
        dir=${dir%/*}
    done
    [ -n "$list" ] && sed -n '/^#/d; s/.*, *//; p' "$list" | head -n "${frames:--0}" >"$work/published"
}

check_reference() { # file, name
    local status=0
    if [ -n "$stock" ]; then
        decode "$work/off" "$stock" -threads 1 "$1" || status=1
    else
        decode "$work/off" "$ffmpeg" -threads 1 -v3doff off "$1" || status=1
    fi
    if expected_from_manifest "$1" && ! cmp -s "$work/published" "$work/off"; then
        echo "  other frames than the published ones"
        status=1
    fi
    result $status "$2: off, $(wc -l <"$work/off") frames"
}

# What FFmpeg makes of the samples that a damaged stream leaves out depends on how many threads it
# has, and sometimes on which of them is first. So it is asked again, with the same threads.
frames_are_right() { # arguments..., file; sets note
    local file=${*: -1} run sums=''
    note=
    cmp -s "$work/off" "$work/now" && return
    for run in 1 2 3 4 5 6 7 8; do
        if [ -n "$stock" ]; then
            decode "$work/again" "$stock" "$@"
        else
            decode "$work/again" "$ffmpeg" "${@:1:$#-1}" -v3doff off "$file"
        fi
        if cmp -s "$work/again" "$work/now"; then
            note=" (as without libv3doff with these threads)"
            return
        fi
        sums+=$(md5sum <"$work/again")$'\n'
    done
    if [ "$(sort -u <<<"${sums%$'\n'}" | wc -l)" -gt 1 ]; then
        note=" (not compared: FFmpeg's own frames differ from run to run)"
        return
    fi
    echo "  frames differ, first: $(cmp "$work/again" "$work/now" 2>&1 | sed 's/.*line/line/')"
    return 1
}

check_one() { # file, name, fault or nothing, arguments that stock ffmpeg has too...
    local file=$1 name=$2 fault=$3 status=0 note force=(-v3doff force)
    shift 3
    V3DOFF_FAULT=$fault decode "$work/now" "$ffmpeg" "$@" "${force[@]}" "$file" || status=1
    read_summary "$work/now.log"
    frames_are_right "$@" "$file" || status=1
    [ -n "$fault" ] || share_is_right || status=1
    result $status \
        "$name: ${prefix}force $*${fault:+, fault $fault}: ${share:-nothing offloaded}$note"
    if [ $status != 0 ]; then
        echo "  repeat: V3DOFF_SCOPE=$scope ${fault:+V3DOFF_FAULT=$fault }$ffmpeg $* ${force[*]} -i $file" \
            "-map 0:v:0 -an -noautoscale -fps_mode passthrough ${take[*]} -f framemd5 -"
        grep -iE 'libv3doff|error' "$work/now.log" | head -n 5 | sed 's/^/  /'
    fi
}

# Mode auto, from the CPU to the device and back while pictures are predicted from each other.
check_switching() { # file, name, seed, arguments that stock ffmpeg has too...
    local file=$1 name=$2 faults=kind,switching:$(($3 + switching)) status=0 note
    local auto=(-v3doff auto)
    shift 3
    switching=$((switching + 1)) # each decode switches at other pictures
    V3DOFF_FAULT=$faults V3DOFF_DEBUG=open=wait V3DOFF_RECIPE=/dev/null/none \
        decode "$work/now" "$ffmpeg" "$@" "${auto[@]}" "$file" || status=1
    read_summary "$work/now.log"
    frames_are_right "$@" "$file" || status=1
    [ -n "$gpu" ] || { echo "  the decoder did not say what it offloaded"; status=1; }
    ! ((gpu > 0 && cpu > 0)) || : >"$work/../switched"
    if [ "$scope" = reconstruction ]; then
        : >"$work/../reconstructing"
        # Reconstructed, only filtered, and decoded on the CPU.
        ! ((whole > 0 && gpu > whole && cpu > 0)) || : >"$work/../switched_scope"
    fi
    result $status "$name: ${prefix}auto $*, switching ${faults#*:}: ${share:-}$note"
    [ $status = 0 ] || echo "  repeat: V3DOFF_SCOPE=$scope V3DOFF_FAULT=$faults V3DOFF_DEBUG=open=wait" \
        "V3DOFF_RECIPE=/dev/null/none $ffmpeg $* ${auto[*]} -i $file -map 0:v:0 -an -noautoscale" \
        "-fps_mode passthrough ${take[*]} -f framemd5 -"
}

check_scope() { # file, name
    local threading fault seed ways=() chosen i check value
    for threading in "${threadings[@]}"; do
        ways+=("check_one||$threading")
        # Without frame threads a program can ask for frames one later.
        [ "$scope" = filters ] || [[ $threading = *"type frame" ]] ||
            ways+=("check_one||$threading -v3doff_delay 1")
    done
    for fault in $faults; do
        ways+=("check_one|$fault|-threads 1" "check_one|$fault|-threads 4 -thread_type frame")
    done
    # With reconstruction some pictures are only filtered, so that both scopes take turns with the CPU.
    if [ "$scope" = "${scopes##*,}" ]; then
        for seed in $seeds; do
            for threading in "${threadings[@]}"; do ways+=("check_switching|$seed|$threading"); done
        done
    fi
    RANDOM=$(cksum <<<"${seeds%% *} $2 $scope" | cut -c 1-5)
    chosen=$((RANDOM % ${#ways[@]}))
    for i in "${!ways[@]}"; do
        [ $((RANDOM % 100)) -lt "$percent" ] || [ "$i" = $chosen ] || continue
        IFS='|' read -r check value threading <<<"${ways[i]}"
        # shellcheck disable=SC2086 # words
        "$check" "$1" "$2" "$value" $threading
    done
}

# In a process of its own.
check_stream() { # file, root
    local name=${1#"$2/"} switching=$((${#threadings[@]} * number)) scope prefix
    check_reference "$1" "$name"
    for scope in ${scopes//,/ }; do
        prefix="$scope, "
        [ "$scope" != filters ] || prefix=
        export V3DOFF_SCOPE=$scope
        check_scope "$1" "$name"
    done
}

# With few pictures a stream may go one way; all of them may not.
check_turns() {
    [ -z "$seeds" ] || [ -f "$work/switched" ] || result 1 "no stream went both ways"
    [ ! -f "$work/reconstructing" ] || [ -f "$work/switched_scope" ] ||
        result 1 "no stream was reconstructed, filtered and left to the CPU in turns"
}

main() {
    here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../tools
    # shellcheck source=tools/patched-build
    . "$here/patched-build"
    # shellcheck source=tools/patched-frames
    . "$here/patched-frames"
    ffmpeg='' stock='' threads=1,2,4 types=frame,slice faults='' seeds='' codec='' names='' frames='' limit=600
    scopes=filters percent=100 jobs=$(nproc)
    parse_options "ffmpeg stock threads types fault:faults switch:seeds codec scope:scopes frames timeout:limit jobs share:percent" "" "$@"
    take=()
    [ -z "$frames" ] || take=(-frames:v "$frames")
    # One thread has no kind.
    local n type
    threadings=()
    for n in ${threads//,/ }; do
        [ "$n" != 1 ] || threadings+=("-threads 1")
        [ "$n" = 1 ] || for type in ${types//,/ }; do threadings+=("-threads $n -thread_type $type"); done
    done
    [ -n "$ffmpeg" ] || die "--ffmpeg BIN is needed; see --help"
    [ -x "$ffmpeg" ] || die "$ffmpeg cannot be run"
    check_streams check_turns
}

main "$@"
