/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CAPI_REFUSED_H
#define CAPI_REFUSED_H

#include <string.h>

#include "capi_helpers.h"

/* The call is refused, with one line that names the argument. */
#define REFUSED(call, expected, argument)                                                          \
    do {                                                                                           \
        int before_ = log_lines;                                                                   \
        EXPECT_RESULT(call, expected);                                                             \
        EXPECT(log_lines == before_ + 1);                                                          \
        EXPECT(strstr(last_log_line, argument) != NULL);                                           \
    } while (0)

#define BAD_ARGUMENT(call, argument) REFUSED(call, V3DOFF_ERROR_INVALID_ARGUMENT, argument)
#define BAD_HANDLE(call, argument) REFUSED(call, V3DOFF_ERROR_INVALID_HANDLE, argument)

#endif
