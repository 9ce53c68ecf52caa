// SPDX-License-Identifier: BSD-2-Clause
// File descriptors, of which a program has a limited number (RLIMIT_NOFILE) for itself and for this
// library.
#pragma once

namespace v3doff::descriptors {

// Whether fewer than 32 are free. A device and its pictures would take what the program needs.
bool are_scarce();

// Whether a descriptor's number is in the upper half of those that the program can have. The
// library keeps out of it, also because programs that call select() need small numbers.
bool is_high(int descriptor);

} // namespace v3doff::descriptors
