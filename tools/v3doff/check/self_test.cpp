// SPDX-License-Identifier: BSD-2-Clause
// A kernel that is wrong on purpose, so that a test can see the checker report it. It must be
// asked for by name.
#include <fmt/format.h>

#include "suite.hpp"

namespace tool {
namespace {

class WrongCase final : public Case {
  public:
    explicit WrongCase(Random &random) : input_(256) {
        for (auto &byte : input_)
            byte = uint8_t(random());
    }

    Result run(Implementation implementation, Bench &) const override {
        Result result;
        auto &output = result["bytes"] = input_;
        for (auto &byte : output)
            byte = uint8_t(byte + 1);
        // One bit of one byte, in one of the implementations.
        if (implementation == Implementation::vulkan) output[input_[0]] ^= 1;
        return result;
    }

    std::string describe(const std::string &, size_t byte) const override {
        return fmt::format("byte {}", byte);
    }

  private:
    std::vector<uint8_t> input_;
};

} // namespace

void add_self_test(Suites &suites) {
    suites.push_back({"self_test_wrong", "wrong on purpose: every case must fail", 4, Ffmpeg::none,
                      [](Random &random) { return std::make_unique<WrongCase>(random); }, true});
}

} // namespace tool
