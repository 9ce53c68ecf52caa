// SPDX-License-Identifier: BSD-2-Clause
#include "policy/balance.hpp"

#include <mutex>
#include <utility>

#include "api/guard.hpp"
#include "api/handle.hpp"
#include "policy/tune.hpp"
#include "util/fault.hpp"
#include "v3doff/recipe.h"

using namespace v3doff;
using namespace v3doff::api;

namespace v3doff::api {

// One decoder's, for all its threads.
class SharedBalance {
  public:
    explicit SharedBalance(uint32_t threads) : balance_(threads) {}

    Verdict next(bool awaited) {
        std::lock_guard lock(mutex_);
        const Verdict verdict = balance_.next(steady_ns(), awaited);
        if (fault::armed(fault::Point::turns)) return ++turn_ % 3 ? Verdict::gpu : Verdict::cpu;
        if (fault::armed(fault::Point::switching))
            return fault::hit(fault::Point::switching) ? Verdict::cpu : Verdict::gpu;
        if (fault::armed(fault::Point::awaited)) return awaited ? Verdict::cpu : Verdict::gpu;
        return verdict;
    }
    void done() {
        std::lock_guard lock(mutex_);
        balance_.done(steady_ns());
    }

  private:
    std::mutex mutex_;
    Balance balance_;
    uint32_t turn_ = 0;
};

} // namespace v3doff::api

struct v3doff_balance : HandleSlot<std::unique_ptr<SharedBalance>> {};

v3doff_result v3doff_balance_create(v3doff_balance **out, uint32_t threads) {
    return guarded(__func__, [&] {
        require_pointer(out, "out");
        *out = nullptr;
        if (!threads) refuse("threads: 0");
        *out = slots<v3doff_balance>().give(std::make_unique<SharedBalance>(threads));
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_balance_next(v3doff_balance *balance, int32_t awaited, v3doff_choice *choice) {
    return guarded(__func__, [&] {
        require_pointer(choice, "choice");
        const Verdict verdict = resolve(balance, "balance")->next(awaited);
        *choice = verdict == Verdict::gpu ? V3DOFF_CHOICE_GPU : V3DOFF_CHOICE_CPU;
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_balance_done(v3doff_balance *balance) {
    return guarded(__func__, [&] {
        resolve(balance, "balance")->done();
        return V3DOFF_OK;
    });
}

void v3doff_balance_destroy(v3doff_balance **balance) {
    guarded(__func__, [&] {
        if (!balance || !*balance) return V3DOFF_OK;
        resolve(*balance, "balance");
        slots<v3doff_balance>().take(std::exchange(*balance, nullptr));
        return V3DOFF_OK;
    });
}
