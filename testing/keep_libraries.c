/* SPDX-License-Identifier: BSD-2-Clause */
/* Linked into sanitizer builds: an unloaded driver has no name in a leak report, so its leaks would
 * look like the library's. */
int dlclose(void *handle);

__attribute__((visibility("default"))) int dlclose(void *handle) {
    (void)handle;
    return 0;
}
