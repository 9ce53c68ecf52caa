// SPDX-License-Identifier: BSD-2-Clause
// Whole pictures from random words, each predicted from those before it: the plain reconstruction
// beside the device's.
#pragma once

#include <array>

#include "picture_case.hpp"

namespace tool {

class WholeCase : public Case {
  public:
    Result run(Implementation implementation, Bench &bench) const override;
    std::string describe(const std::string &region, size_t byte) const override;

  protected:
    static constexpr unsigned chain_length = 4;
    using Chain = std::array<Picture, chain_length>;

    // Pictures take the shapes in turn.
    explicit WholeCase(std::vector<PictureShape> shapes) : shapes_(std::move(shapes)) {}

    const PictureShape &shape_of(unsigned picture) const {
        return shapes_[picture % shapes_.size()];
    }

  private:
    // Picture i of the chain; those before it are submitted.
    virtual void record(const Chain &chain, unsigned i) const = 0;

    std::vector<PictureShape> shapes_;
};

} // namespace tool
