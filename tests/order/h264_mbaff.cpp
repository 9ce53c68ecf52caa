// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking of MBAFF frames: README.md, section 2.
#include "h264_proof.hpp"

int main(int argc, char **argv) {
    using namespace v3doff::order;
    return h264::prove("h264_mbaff", true, parse_arguments(argc, argv, 1, 1000));
}
