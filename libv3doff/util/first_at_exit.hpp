// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace v3doff {

// A handler that exit() calls before all others. exit() calls first what was registered last, so the handler is
// registered again whenever others may have been. It must not be called at the same time by two threads.
class FirstAtExit {
  public:
    using Handler = void (*)(int status);

    explicit FirstAtExit(Handler handler) : handler_(handler) {}
    FirstAtExit(const FirstAtExit &) = delete;
    FirstAtExit &operator=(const FirstAtExit &) = delete;

    void come_first() noexcept;

  private:
    static void be_called(void *self, int status);
    void withdraw() noexcept;

    const Handler handler_;
    unsigned registered_ = 0; // how often
};

} // namespace v3doff
