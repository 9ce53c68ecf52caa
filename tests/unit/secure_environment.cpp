// SPDX-License-Identifier: BSD-2-Clause
// Prints the variable V3DOFF_TEST as the library sees it, and what a decoder and a device get that
// ask for a device by all means.
#include <cstdio>

#include "policy/policy.hpp"
#include "util/env.hpp"
#include "v3doff/v3doff.h"

int main() {
    const bool off = v3doff::wanted_mode(V3DOFF_MODE_FORCE) == V3DOFF_MODE_CPU;
    v3doff_device_info info{.struct_size = sizeof info};
    info.mode = V3DOFF_MODE_FORCE;
    v3doff_device *device = nullptr;
    v3doff_device_properties properties{.struct_size = sizeof properties};
    if (v3doff_device_create(&device, &info) == V3DOFF_OK)
        v3doff_device_get_properties(device, &properties);
    v3doff_device_destroy(&device);
    std::printf("%s, %s, %s\n", v3doff::env::text("V3DOFF_TEST").value_or("nothing").c_str(),
                off ? "off" : "force",
                properties.kind == V3DOFF_DEVICE_KIND_NONE ? "CPU" : "any device");
}
