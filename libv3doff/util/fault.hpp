// SPDX-License-Identifier: BSD-2-Clause
// Failures on demand, so that tests reach every way a device can fail, on any machine.
//
// V3DOFF_FAULT="point[:nth][,point[:nth]...]": the nth time that the code passes the point (from 1;
// without a number, every time), it behaves as if the driver had failed there. For `switching` the
// number is a seed. If the variable is unset, a point costs one relaxed load.
#pragma once

namespace v3doff::fault {

enum class Point {
    loader,        // no libvulkan.so.1
    create_device, // the driver makes no device
    allocate,      // device memory is exhausted
    host_import,   // the driver refuses to import host pages
    pipeline,      // a shader does not compile
    submit,        // the queue takes no submit: out of memory
    lost,          // the device is lost while a submit is executing
    hang,          // a submit never starts, until the device is destroyed
    barrier,       // barriers are left out, which a validation layer must notice
    call,          // any call of a device's function that can fail (vk/functions.cpp)
    order,         // dispatches without a barrier between them come in the reverse order
    small_buffers, // shaders can access only 6 MiB of a metric's values
    uncached,      // none of the driver's memory types is cached
    kind,          // a software device passes for a GPU, so that auto takes it
    idle,          // a dispatch does nothing, and reports no error
    wrong_shader,  // a shader adds where it should subtract
    wrong,         // a picture that a GPU makes from nothing has a wrong sample
    wait,          // a wait for a submit fails at once: out of memory
    late,          // a submit begins some milliseconds later, as on a device that others use
    slow_open,     // opening a device takes half a second, one half before a driver is loaded
    slow_shader,   // a shader takes a tenth of a second to compile
    turns,         // a balance gives every third picture to the CPU
    awaited,       // a balance gives the CPU the pictures that others are predicted from
    switching,     // at random, in runs: a pool opens no picture, a balance gives one to the CPU
    count
};

bool hit(Point point);

// Does the point ever fail? Looking does not count as passing it.
bool armed(Point point);

// Reads the environment again; only tests need it.
void reload();

} // namespace v3doff::fault
