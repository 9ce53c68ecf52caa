// SPDX-License-Identifier: BSD-2-Clause
#include "policy/idle_pools.hpp"

#include <algorithm>
#include <new>

namespace v3doff {
namespace {

// Whether it is useful to keep pools with this device.
bool keeps_pools(const vk::Device *device) {
    return device && device->options().keep && !device->bad() && !device->abandoned();
}

void retire(std::unique_ptr<Pool> pool) noexcept {
    if (!keeps_pools(pool->device())) return;
    // A kept pool does not keep the device alive, because the device owns it.
    const auto device = pool->leave_device();
    device->companion<IdlePools>().give(std::move(pool));
}

} // namespace

std::shared_ptr<Pool> IdlePools::open(std::shared_ptr<vk::Device> device, const PoolKind &kind) {
    if (!keeps_pools(device.get())) return std::make_shared<Pool>(std::move(device), kind);
    auto &idle = device->companion<IdlePools>(); // here, so that it is there when the pool retires
    idle.drop_old();
    auto pool = idle.take(kind);
    if (pool)
        pool->renew(std::move(device));
    else
        pool = std::make_unique<Pool>(std::move(device), kind);
    return {pool.release(), [](Pool *unused) { retire(std::unique_ptr<Pool>(unused)); }};
}

void IdlePools::drop_old(vk::Device *device) {
    if (keeps_pools(device)) device->companion<IdlePools>().drop_old();
}

// Needs mutex_. The caller destroys the result after it has released the lock.
std::vector<IdlePools::Idle> IdlePools::take_until(size_t end) {
    const auto from = idle_.begin(), to = from + ptrdiff_t(end);
    std::vector<Idle> taken(std::make_move_iterator(from), std::make_move_iterator(to));
    idle_.erase(from, to);
    count_.store(idle_.size(), std::memory_order_relaxed);
    return taken;
}

std::unique_ptr<Pool> IdlePools::take(const PoolKind &kind) {
    std::lock_guard lock(mutex_);
    for (size_t i = idle_.size(); i-- > 0;)
        if (idle_[i].pool->kind() == kind) {
            auto found = std::move(idle_[i].pool);
            idle_.erase(idle_.begin() + ptrdiff_t(i));
            count_.store(idle_.size(), std::memory_order_relaxed);
            return found;
        }
    return nullptr;
}

void IdlePools::give(std::unique_ptr<Pool> pool, Clock::time_point now) noexcept {
    if (pool->picture_bytes() > most_bytes) return;
    std::vector<Idle> dropped;
    try {
        std::lock_guard lock(mutex_);
        idle_.push_back({std::move(pool), now});
        size_t bytes = 0, dropping = idle_.size();
        while (dropping && idle_.size() - dropping < most_pools &&
               (bytes += idle_[dropping - 1].pool->picture_bytes()) <= most_bytes)
            dropping--;
        dropped = take_until(dropping);
    } catch (const std::bad_alloc &) { // then the pool is destroyed now
    }
}

void IdlePools::drop_older_than(Clock::time_point time) noexcept {
    std::vector<Idle> dropped;
    try {
        std::lock_guard lock(mutex_);
        const auto end = std::find_if(idle_.begin(), idle_.end(),
                                      [&](const Idle &idle) { return idle.since > time; });
        dropped = take_until(size_t(end - idle_.begin()));
    } catch (const std::bad_alloc &) { // tried again later
    }
}

} // namespace v3doff
