// SPDX-License-Identifier: BSD-2-Clause
// VP9 pictures of any words, on the machine's Vulkan device, also one in software.
#include "words.hpp"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static const tool::Device device = [] {
        tool::DeviceChoice choice;
        choice.mode = V3DOFF_MODE_FORCE;
        return tool::open_device(choice);
    }();
    fuzz::try_words(device.get(), {bytes, count});
    return 0;
}
