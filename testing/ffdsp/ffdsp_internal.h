// SPDX-License-Identifier: BSD-2-Clause
// Shared by the files of ffdsp: which SIMD a table is made for, and checked copies of tables.
#ifndef FFDSP_INTERNAL_H
#define FFDSP_INTERNAL_H

#include <string.h>

#include "ffdsp.h"

// FFmpeg chooses functions while a table is initialised, by one flag word for the whole process.
// Between these two calls that word is zero for simd == 0, and no other ffdsp call runs.
void ffdsp_lock(int simd);
void ffdsp_unlock(void);

// Copies one member of an FFmpeg table, array or not. Not memcpy alone: a member whose signature
// or dimensions differ from ours must not compile.
#define FFDSP_TAKE(to, from)                                                                       \
    do {                                                                                           \
        _Static_assert(__builtin_types_compatible_p(__typeof__(to), __typeof__(from)),             \
                       "this FFmpeg declares " #from " otherwise than ffdsp.h");                   \
        memcpy(&(to), &(from), sizeof(to));                                                        \
    } while (0)

#endif
