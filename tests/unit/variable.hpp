// SPDX-License-Identifier: BSD-2-Clause
// A variable of the environment for as long as this lives; null: it is not set.
#pragma once

#include <cstdlib>
#include <string>

#include "util/env.hpp"

namespace v3doff {

class Variable {
  public:
    Variable(const char *name, const char *value) : name_(name) {
        if (value)
            setenv(name, value, 1);
        else
            unsetenv(name);
        env::read();
    }
    ~Variable() {
        unsetenv(name_);
        env::read();
    }
    Variable(const Variable &) = delete;
    Variable &operator=(const Variable &) = delete;

  private:
    const char *name_;
};

// A setting of V3DOFF_DEBUG, "key=value", for as long as this lives, beside those that are there.
class DebugSetting {
  public:
    explicit DebugSetting(const char *setting) {
        if (const char *before = std::getenv(name)) before_ = before;
        setenv(name, (before_ + "," + setting).c_str(), 1);
        env::read();
    }
    ~DebugSetting() {
        if (before_.empty())
            unsetenv(name);
        else
            setenv(name, before_.c_str(), 1);
        env::read();
    }
    DebugSetting(const DebugSetting &) = delete;
    DebugSetting &operator=(const DebugSetting &) = delete;

  private:
    static constexpr const char *name = "V3DOFF_DEBUG";
    std::string before_;
};

} // namespace v3doff
