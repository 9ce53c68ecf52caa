// SPDX-License-Identifier: BSD-2-Clause
// vp9.v3doff: 352x288, of vp90-2-10-show-existing-frame (libvpx's test vectors, BSD-3-Clause).
// h264.v3doff: 480x270, a B picture of nasa_13013.mp4 (media of Chromium's tests; NASA's pictures
// are in the public domain).
// This is a library of its own, so that no other command line contains the checkout's path. Several
// checkouts can then share a compiler cache.
#include "report/stored_data.hpp"

#define STORE(codec)                                                                               \
    asm(".pushsection .rodata\n"                                                                   \
        ".balign 16\n"                                                                             \
        ".global v3doff_stored_" #codec "\n"                                                       \
        "v3doff_stored_" #codec ":\n"                                                              \
        ".incbin \"" V3DOFF_STORED_FOLDER "/" #codec ".v3doff\"\n"                                 \
        ".global v3doff_stored_" #codec "_end\n"                                                   \
        "v3doff_stored_" #codec "_end:\n"                                                          \
        ".byte 0\n"                                                                                \
        ".popsection\n");                                                                          \
    extern "C" const uint8_t v3doff_stored_##codec[], v3doff_stored_##codec##_end[]

STORE(vp9);
STORE(h264);

namespace tool::report {

std::array<StoredData, 2> stored_data() {
    return {{{"vp9", v3doff_stored_vp9, v3doff_stored_vp9_end},
             {"h264", v3doff_stored_h264, v3doff_stored_h264_end}}};
}

} // namespace tool::report
