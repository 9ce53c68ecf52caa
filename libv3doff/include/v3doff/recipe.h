/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The recipe is what the streams decoded on this machine have taught: what pictures of their kind
 * cost with this device and without it. Streams (stream.h) write it, and use it from the first
 * picture of the next such stream. It is a file, which people can read and override.
 *
 * The environment's V3DOFF_RECIPE is gpu or cpu (for everything), or the path of a file that
 * replaces $XDG_CACHE_HOME/v3doff/recipe-DEVICE.json.
 */
#ifndef V3DOFF_RECIPE_H
#define V3DOFF_RECIPE_H

#include "v3doff/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum v3doff_choice V3DOFF_ENUM {
    V3DOFF_CHOICE_UNKNOWN = 0, /* not measured yet */
    V3DOFF_CHOICE_CPU = 1,
    V3DOFF_CHOICE_GPU = 2
} v3doff_choice;

/* Times are those of one picture; 0: unknown. */
typedef struct v3doff_recipe_entry {
    size_t struct_size;
    v3doff_codec codec;
    v3doff_scope scope;     /* what the device does */
    uint32_t width, height; /* of the class of sizes */
    int32_t high;           /* not 0: more than 8 bits */
    uint32_t threads, helpers;
    double cpu_us_without, cpu_us_with; /* CPU time without the device, and with it */
    double us_without, us_with;         /* from one picture to the next */
    v3doff_choice choice;               /* what needs less CPU time, or what a person has decided */
    int32_t overridden;                 /* by the environment or in the file */
    char reason[256];                   /* in words */
} v3doff_recipe_entry;

/*
 * Reads an entry of the recipe. Of a file that was made with another device, driver, CPU or
 * library, only overrides count; a damaged one is ignored (see the log). LIMIT: no such entry.
 */
V3DOFF_API v3doff_result v3doff_recipe_get(v3doff_device *device, uint32_t index,
                                           v3doff_recipe_entry *entry);

/* The path of a device's recipe. */
V3DOFF_API v3doff_result v3doff_recipe_path(v3doff_device *device, char *path, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_RECIPE_H */
