// SPDX-License-Identifier: BSD-2-Clause
// The VP9 loop filter in bands of superblock rows, compared with the whole picture. Each band is
// submitted before the rows below exist.
#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "vp9_filter_case.hpp"

namespace tool {
namespace {

constexpr const char *band_orders[] = {"wave", "cuts", "cuts-phased", "fewest"};

// Hides the rows of each plane from a luma row on, while the decoder has not delivered them.
class RowsBelow {
  public:
    RowsBelow(v3doff_picture *picture, const PictureShape &shape, uint32_t row)
        : planes_(planes_of(picture)) {
        for (unsigned p = 0; p < planes_.count; p++) {
            const uint32_t first = planes_.height[p] < shape.height ? row / 2 : row;
            uint8_t *from = static_cast<uint8_t *>(planes_.data[p]) + first * planes_.stride[p];
            // The last row ends with its samples.
            const size_t bytes =
                size_t(planes_.stride[p]) * (planes_.padded_height[p] - first - 1) +
                size_t(planes_.padded_width[p]) * shape.sample_bytes();
            kept_.push_back({from, {from, from + bytes}});
        }
    }
    void spoil(uint8_t with) const {
        for (const auto &[at, bytes] : kept_)
            std::memset(at, with, bytes.size());
    }
    void put_back() const {
        for (const auto &[at, bytes] : kept_)
            std::memcpy(at, bytes.data(), bytes.size());
    }

  private:
    v3doff_planes planes_;
    std::vector<std::pair<uint8_t *, std::vector<uint8_t>>> kept_;
};

struct Told {
    uint32_t rows = 0;
    uint32_t due = 0; // of the last band that was submitted
    bool in_order = true;
};

void tell(void *opaque, v3doff_picture *, uint32_t row_end) {
    auto &told = *static_cast<Told *>(opaque);
    told.in_order &= row_end > told.rows;
    told.rows = row_end;
}

class BandCase final : public FilterCase {
  public:
    BandCase(const PictureShape &shape, const char *order, Random &random)
        : FilterCase(shape, order, random, below(random, 4) == 0) {
        const uint32_t rows = (shape.height + 63) / 64;
        const unsigned often = 1 + unsigned(below(random, 4));
        for (uint32_t row = 1; row < rows; row++)
            if (below(random, often) == 0) ends_.push_back(row);
        spoil_ = uint8_t(random());
    }

  protected:
    void record(v3doff_picture *picture, const Superblocks &superblocks,
                v3doff_executor expected) const override {
        if (expected != V3DOFF_EXECUTOR_GPU)
            return FilterCase::record(picture, superblocks, expected);
        uint32_t row = 0;
        told_ = {};
        for (uint32_t end : ends_) {
            const RowsBelow below(picture, shape(), end * 64);
            below.spoil(spoil_);
            record_rows(picture, superblocks, row, end);
            v3doff_rows_info info{sizeof info, end * 64, tell, &told_};
            const v3doff_result result = v3doff_picture_submit_rows(picture, &info);
            check(result, "submitting rows");
            if (result == V3DOFF_OK) told_.due = end * 64;
            below.put_back();
            row = end;
        }
        record_rows(picture, superblocks, row, (shape().height + 63) / 64);
    }

    void run_library(CaseRun &run, v3doff_device *device, v3doff_executor expected) const override {
        FilterCase::run_library(run, device, expected);
        if (expected == V3DOFF_EXECUTOR_GPU && (!told_.in_order || told_.rows != told_.due))
            throw std::runtime_error("bands were not reported in their order");
    }

  private:
    void record_rows(v3doff_picture *picture, const Superblocks &superblocks, uint32_t row,
                     uint32_t end) const {
        const uint32_t cols = (shape().width + 63) / 64;
        check(v3doff_vp9_record_loopfilter_rows(
                  picture, sharpness(),
                  reinterpret_cast<const v3doff_vp9_superblock *>(&superblocks[row * cols]), row,
                  end - row),
              "recording rows of the loop filter");
    }

    std::vector<uint32_t> ends_; // rows of superblocks
    uint8_t spoil_;
    mutable Told told_;
};

} // namespace

void add_vp9_filter_bands(Suites &suites) {
    for (const char *order : band_orders)
        suites.push_back(
            {fmt::format("vp9_filter_bands_{}", order), "any format, submitted in bands of rows",
             24, Ffmpeg::none, [order](Random &random) {
                 const uint32_t width = uint32_t(1 + below(random, 400));
                 const uint32_t height = uint32_t(65 + below(random, 700));
                 const unsigned bit_depth = 8 + 2 * unsigned(below(random, 3));
                 const auto chroma = v3doff_chroma(V3DOFF_CHROMA_420 + below(random, 4));
                 return std::make_unique<BandCase>(PictureShape{width, height, bit_depth, chroma},
                                                   order, random);
             }});
}

} // namespace tool
