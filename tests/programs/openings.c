// SPDX-License-Identifier: BSD-2-Clause
// A library to preload: says when a program loads Vulkan.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

__attribute__((visibility("default"))) void *dlopen(const char *name, int flags) {
    static const char text[] = "openings: Vulkan is loaded\n";
    static void *(*real)(const char *, int);
    if (!real) real = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    if (name && strstr(name, "libvulkan.so") && write(2, text, sizeof text - 1) < 0) _exit(98);
    return real(name, flags);
}
