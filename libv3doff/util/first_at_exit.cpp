// SPDX-License-Identifier: BSD-2-Clause
#include "util/first_at_exit.hpp"

#include <cxxabi.h>

namespace v3doff {
namespace {

thread_local bool withdraws = false;

} // namespace

// exit() has memory for each entry, and a program may open devices and fork for years. Only what is registered for a
// dynamic library can be withdrawn, when that is unloaded: this object stands for one.
void FirstAtExit::come_first() noexcept {
    constexpr unsigned most = 500;
    if (registered_ == most) withdraw();
    // glibc gives each handler the status, as those of on_exit().
    const auto handler = reinterpret_cast<void (*)(void *)>(reinterpret_cast<void (*)()>(be_called));
    if (!abi::__cxa_atexit(handler, this, this)) registered_++;
}

// This calls all that it withdraws.
void FirstAtExit::withdraw() noexcept {
    withdraws = true;
    abi::__cxa_finalize(this);
    withdraws = false;
    registered_ = 0;
}

void FirstAtExit::be_called(void *self, int status) {
    if (!withdraws) static_cast<const FirstAtExit *>(self)->handler_(status);
}

} // namespace v3doff
