// SPDX-License-Identifier: BSD-2-Clause
// unload PLUGIN MODE FILE SECONDS: loads a plugin that has libavcodec, decodes, and unloads it,
// again and again. Afterwards nobody may call into it, also not when a device that was kept is
// closed.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **arguments) {
    if (count != 5) return 2;
    for (int i = 0; i < 20; i++) {
        void *plugin = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
        if (!plugin) {
            printf("FAILED: %s\n", dlerror());
            return 1;
        }
        int (*decode)(const char *, const char *) =
            (int (*)(const char *, const char *))dlsym(plugin, "plugin_decode");
        if (!decode || decode(arguments[3], arguments[2]) <= 0) {
            printf("FAILED: the plugin does not decode\n");
            return 1;
        }
        dlclose(plugin);
        if (dlopen(arguments[1], RTLD_NOW | RTLD_NOLOAD)) {
            printf("FAILED: the plugin stays\n");
            return 1;
        }
    }
    sleep((unsigned)atoi(arguments[4]));
    return 0;
}
