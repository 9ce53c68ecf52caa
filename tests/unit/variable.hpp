// SPDX-License-Identifier: BSD-2-Clause
// A variable of the environment for as long as this lives; null: it is not set.
#pragma once

#include <cstdlib>

namespace v3doff {

class Variable {
  public:
    Variable(const char *name, const char *value) : name_(name) {
        if (value)
            setenv(name, value, 1);
        else
            unsetenv(name);
    }
    ~Variable() { unsetenv(name_); }
    Variable(const Variable &) = delete;
    Variable &operator=(const Variable &) = delete;

  private:
    const char *name_;
};

} // namespace v3doff
