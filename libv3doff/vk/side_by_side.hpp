// SPDX-License-Identifier: BSD-2-Clause
// Where the steps of several submits go in one command buffer. A barrier waits for all that is
// before it on the queue, so the first passes of many pictures followed by one barrier take hardly
// longer than that of one picture alone: what a small pass costs is its start and its end.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace v3doff::vk {

// Every part begins with the first step, but for those whose chain has one before: they begin when
// that has ended. first: each part's first step, at its place. Returns how many steps there are.
template <typename Part>
size_t place_side_by_side(std::span<const Part *const> parts, std::vector<size_t> &first) {
    size_t steps = 0;
    first.assign(parts.size(), 0);
    for (size_t i = 0; i < parts.size(); i++) {
        for (size_t before = i; before-- && !first[i];)
            if (parts[before]->chain() == parts[i]->chain())
                first[i] = first[before] + parts[before]->steps();
        steps = std::max(steps, first[i] + parts[i]->steps());
    }
    return steps;
}

} // namespace v3doff::vk
