// SPDX-License-Identifier: BSD-2-Clause
#include "picture/work_supply.hpp"

#include "picture/grow.hpp"

namespace v3doff {

std::shared_ptr<vk::Buffer> SubmitMemory::take(vk::Device &device, size_t bytes) {
    std::lock_guard lock(mutex_);
    // Submits that have not ended keep what is too small.
    if (!newest_ || newest_->size() < bytes)
        newest_ = vk::Buffer::create_private(device, stepped(bytes));
    return newest_;
}

} // namespace v3doff
