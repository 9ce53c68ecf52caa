// SPDX-License-Identifier: BSD-2-Clause
// Streams as they arrive damaged, cut, spliced, or from an encoder that means harm.
#pragma once

#include "random.hpp"
#include "stream.hpp"

namespace fuzz {

// All of one codec have to be among the sources, or none.
Stream mutate(Random &random, const std::vector<Stream> &sources);

} // namespace fuzz
