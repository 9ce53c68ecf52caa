/* SPDX-License-Identifier: BSD-2-Clause */
/* The version of libv3doff, written here only: the build reads this file. */
#ifndef V3DOFF_VERSION_H
#define V3DOFF_VERSION_H

/* The major number is the ABI: it is the SONAME, and changes only when a program built against
 * an older header would break. */
#define V3DOFF_VERSION_MAJOR 0
#define V3DOFF_VERSION_MINOR 1
#define V3DOFF_VERSION_PATCH 0

/* One comparable number: 0x00MMmmpp. */
#define V3DOFF_VERSION                                                                             \
    ((V3DOFF_VERSION_MAJOR << 16) | (V3DOFF_VERSION_MINOR << 8) | V3DOFF_VERSION_PATCH)

#endif /* V3DOFF_VERSION_H */
