# shellcheck shell=bash
# SPDX-License-Identifier: BSD-2-Clause
# What the streams of the tests show, as filters of ffmpeg: moving, noisy pictures with sharp edges.

frames_of() { # size, frames, pixel format
    printf '%s' "testsrc2=size=$1:rate=25,noise=alls=8:allf=t,trim=end_frame=$2,format=$3"
}

# Of an odd size, too: testsrc2 rounds it down to whole chroma samples.
exact_frames_of() { # size, frames, pixel format
    printf '%s' "$(frames_of "$((${1%x*} + 1))x$((${1#*x} + 1))" "$2" "$3"),crop=${1/x/:}:exact=1"
}

# Frames of two fields. x264 makes field macroblocks only where the two differ, so some pairs move and others do not. Which
# field is first it takes from the frames, whatever its options say.
fields_of() { # size, frames, pixel format; first_field: bottom, otherwise top
    printf '%s' "testsrc2=size=$1:rate=50,scroll=horizontal=0.03:vertical=0.03,tinterlace=interleave_${first_field:-top}[fields];" \
        "testsrc2=size=$1:rate=25[frames];[fields][frames]" \
        "blend=all_expr='if(lt(mod(floor(X/SW/16)*7+floor(Y/SH/32)*3\\,5)\\,2)\\,A\\,B)'," \
        "noise=alls=8:allf=t,trim=end_frame=$2,format=$3"
}
