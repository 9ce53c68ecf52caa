// SPDX-License-Identifier: BSD-2-Clause
#include "vk/self_tests.hpp"

namespace v3doff::vk {

SelfTests::Claim SelfTests::claim(uint32_t kind) {
    if (!open_) return {};
    std::lock_guard lock(mutex_);
    const Claim claim{(open_ & kind & ~claimed_) != 0, claimed_ & open_};
    if (claim.compare) claimed_ |= kind;
    return claim;
}

void SelfTests::end(uint32_t kind, bool passed) {
    std::lock_guard lock(mutex_);
    ended_ |= kind;
    if (passed) open_ &= ~kind, passed_ |= kind;
    changed_.notify_all();
}

bool SelfTests::passed(uint32_t kinds) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return (ended_ & kinds) == kinds; });
    return !(open_ & kinds);
}

} // namespace v3doff::vk
