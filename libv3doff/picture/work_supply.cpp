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

std::unique_ptr<Backup> WorkSupply::take_backup(vk::Device &device, const SampleMap &map,
                                                const PlaneRows &rows) {
    const size_t bytes = Backup::bytes_for(map, rows);
    auto backup = backups.take(
        bytes, [](const auto &spare) { return spare->bytes(); }, bytes - bytes / 4);
    if (!backup) backup = std::make_unique<Backup>();
    backup->begin(device, bytes);
    return backup;
}

} // namespace v3doff
