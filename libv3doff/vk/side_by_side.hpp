// SPDX-License-Identifier: BSD-2-Clause
// What goes into one submit. A barrier waits for all that is before it on the queue, so the first
// passes of many pictures followed by one barrier take hardly longer than that of one picture
// alone: what a small pass costs is its start and its end.
#pragma once

#include <algorithm>
#include <vector>

namespace v3doff::vk {

// Moves to group what may run side by side, at most so many: of each chain the first one. A second
// one would have to come behind it, and all of the group would be done later.
template <typename Link>
void take_side_by_side(std::vector<Link *> &waiting, std::vector<Link *> &group, size_t most) {
    group.clear();
    const auto joins = [&](const Link *link) {
        return group.size() < most && std::none_of(group.begin(), group.end(), [&](Link *other) {
                   return other->chain() == link->chain();
               });
    };
    size_t left = 0;
    for (Link *link : waiting)
        if (joins(link))
            group.push_back(link);
        else
            waiting[left++] = link;
    waiting.resize(left);
}

} // namespace v3doff::vk
