// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking of pictures without MBAFF (frames and single fields): README.md, section 1.
#include "h264_proof.hpp"

int main(int argc, char **argv) {
    using namespace v3doff::order;
    return h264::prove("h264_four_pass", false, parse_arguments(argc, argv, 1, 1000));
}
