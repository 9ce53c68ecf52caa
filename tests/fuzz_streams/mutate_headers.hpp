// SPDX-License-Identifier: BSD-2-Clause
// Changes of what headers say, with the rest of the unit as it was.
#pragma once

#include "random.hpp"
#include "stream.hpp"

namespace fuzz {

void change_headers(Random &random, Stream &stream, const Stream &other);

} // namespace fuzz
