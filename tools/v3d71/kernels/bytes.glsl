// SPDX-License-Identifier: BSD-2-Clause
// Kernels of which others have published the time on a board are written again here from their description: they
// load and store single bytes. 1024 samples a row, in buffers of 1 MiB (v3d71-shaderstat --dispatch).
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_control_flow_attributes : require

#ifndef GROUP
#define GROUP 256
#endif
layout(local_size_x = GROUP) in;

layout(std430, set = 0, binding = 0) buffer Samples { uint8_t samples[]; };
layout(std430, set = 0, binding = 1) readonly buffer Records { uint records[]; };

const uint stride = 1024, rows = 1024;
const uint unit_lanes = 8;

int load(uint at) {
    return int(samples[at]);
}

void store(uint at, int value) {
    samples[at] = uint8_t(clamp(value, 0, 255));
}
