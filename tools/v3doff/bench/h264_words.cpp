// SPDX-License-Identifier: BSD-2-Clause
// What residuals of whole H.264 pictures cost the decoder's thread: appended as words
// (v3doff/h264_words.h), and recorded later with the picture. Every macroblock is predicted from
// the same place of another picture, and has all blocks of luma coded or none.
#include <fmt/format.h>
#include <random>

#include "bench/bench.hpp"
#include "v3doff/h264_words.h"

namespace tool::bench {
namespace {

constexpr uint32_t mb_columns = 120, mb_rows = 68, mb_count = mb_columns * mb_rows; // 1920x1088
constexpr int flat = 128;                      // samples before
constexpr uint32_t p_16x16 = 1 << 3 | 1 << 12; // of mb_type: one part, from list 0

// A picture's arrays as decoders have them.
struct Arrays {
    std::vector<uint32_t> types = std::vector<uint32_t>(mb_count, p_16x16);
    std::vector<uint16_t> slices = std::vector<uint16_t>(mb_count);
    std::vector<int16_t> motion = std::vector<int16_t>(mb_count * 16 * 2);
    std::vector<int8_t> references = std::vector<int8_t>(mb_count * 4);
    std::vector<int8_t> qp = std::vector<int8_t>(mb_count, 30);
    struct Counts {
        uint8_t of_block[48];
    };
    std::vector<Counts> counts = std::vector<Counts>(mb_count);
    v3doff_h264_slice slice{};
    v3doff_h264_prediction prediction{};
    v3doff_h264_arrays arrays{};
    v3doff_h264_picture_info info{};

    explicit Arrays(v3doff_picture *reference) {
        arrays.struct_size = sizeof arrays;
        arrays.mb_stride = mb_columns;
        arrays.mb_type = types.data();
        arrays.slice_table = slices.data();
        arrays.qp = qp.data();
        arrays.non_zero_count = &counts.data()->of_block;
        arrays.slices = &slice;
        arrays.slice_count = 1;
        arrays.motion_stride = mb_columns * 4;
        arrays.motion_mb_stride = mb_columns * 16;
        arrays.motion[0] = reinterpret_cast<const int16_t(*)[2]>(motion.data());
        arrays.reference[0] = references.data();
        info.struct_size = sizeof info;
        info.reference[0] = reference;
        info.predictions = &prediction;
    }
};

// Luma's coefficients, of so few macroblocks that they stay in the L1 cache, as coefficients do
// that were just parsed.
class Coefficients {
  public:
    explicit Coefficients(bool eight) : eight_(eight) {
        std::mt19937 random(3);
        for (size_t i = 0; i < values_.size(); i++)
            values_.data()[i] = int16_t(random() % 201) - 100;
    }
    bool eight() const { return eight_; }
    const int16_t *of(uint32_t macroblock) const {
        return values_.data() + macroblock % kept * 256;
    }

  private:
    static constexpr uint32_t kept = 32;
    bool eight_;
    Aligned<int16_t> values_{kept * 256};
};

// Of so many coefficients each: a constant, as in decoders, so that a copy is a few instructions.
template <uint32_t count>
void append_blocks(v3doff_h264_words &words, const int16_t *coefficients) {
    for (uint32_t i = 0; i < 256; i += count)
        v3doff_h264_append_block(&words, coefficients + i, count * sizeof *coefficients);
}

void append(v3doff_picture *picture, const Coefficients &coefficients, bool coded) {
    v3doff_h264_words words{};
    check(v3doff_h264_make_room(picture, 0, &words, mb_count), "making room for words");
    for (uint32_t m = 0; m < mb_count; m++) {
        v3doff_h264_macroblock macroblock{m % mb_columns, m / mb_columns, {}, coefficients.eight()};
        if (coded) {
            macroblock.coded[0] = 0xffff;
            if (coefficients.eight())
                append_blocks<64>(words, coefficients.of(m));
            else
                append_blocks<16>(words, coefficients.of(m));
        }
        v3doff_h264_append_inter(&words, &macroblock);
    }
    check(v3doff_h264_end_lane(picture, 0, &words), "ending a lane");
}

void record_by_calls(v3doff_picture *picture, const Coefficients &coefficients) {
    const std::vector<uint8_t> nnz(5 * 8, 16);
    Aligned<int16_t> values(256);
    for (uint32_t m = 0; m < mb_count; m++) {
        std::copy_n(coefficients.of(m), 256, values.data()); // cleared by the call
        check(v3doff_h264_record_macroblock(
                  picture, 0, 0, m % mb_columns * 16, m / mb_columns * 16, V3DOFF_H264_FRAME_ROWS,
                  coefficients.eight() ? V3DOFF_H264_ADD4 : V3DOFF_H264_ADD16, values.data(),
                  nnz.data()),
              "recording a macroblock");
    }
}

// Both ways make the same picture.
void compare(const Coefficients &coefficients, v3doff_pool *pool) {
    Picture reference = open_picture(pool), by_words = open_picture(pool),
            by_calls = open_picture(pool);
    fill_samples(reference.get(), 8, flat, 1);
    fill_samples(by_calls.get(), 8, flat, 1);
    const Arrays arrays(reference.get());
    append(by_words.get(), coefficients, true);
    v3doff_h264_arrays unfiltered = arrays.arrays;
    unfiltered.flags = V3DOFF_H264_ARRAYS_UNFILTERED;
    check(v3doff_h264_record_rows(by_words.get(), V3DOFF_H264_FRAME, &unfiltered, 0,
                                  V3DOFF_H264_ALL_ROWS),
          "handing over macroblocks");
    check(v3doff_h264_record_picture(by_words.get(), &arrays.info), "recording words");
    record_by_calls(by_calls.get(), coefficients);
    run_picture(by_words.get(), V3DOFF_EXECUTOR_CPU);
    run_picture(by_calls.get(), V3DOFF_EXECUTOR_CPU);
    if (samples_of(by_words.get(), 1) != samples_of(by_calls.get(), 1))
        throw std::runtime_error("words and calls make different samples");
}

// Nanoseconds a macroblock; the first time warms up.
void time_both(const Coefficients &coefficients, bool coded, v3doff_pool *pool, unsigned repeats,
               Json &result) {
    Picture reference = open_picture(pool), picture = open_picture(pool);
    fill_samples(reference.get(), 8, flat, 1);
    const Arrays arrays(reference.get());
    std::vector<double> appended, recorded;
    for (unsigned i = 0; i <= repeats; i++) {
        const double start = thread_ns();
        append(picture.get(), coefficients, coded);
        const double appended_at = thread_ns();
        check(v3doff_h264_record_rows(picture.get(), V3DOFF_H264_FRAME, &arrays.arrays, 0,
                                      V3DOFF_H264_ALL_ROWS),
              "handing over macroblocks");
        const double middle = thread_ns();
        check(v3doff_h264_record_picture(picture.get(), &arrays.info), "recording words");
        const double end = thread_ns();
        check(v3doff_picture_discard(picture.get()), "discard");
        if (!i) continue;
        appended.push_back((appended_at - start) / mb_count);
        recorded.push_back((end - middle) / mb_count);
    }
    result["append_ns"] = spread(appended);
    result["record_picture_ns"] = spread(recorded);
}

void time_h264_words(const Session &session, Json &results) {
    Pool pool = make_pool(session.cpu, mb_columns * 16, mb_rows * 16);
    const unsigned repeats = std::max(5u, session.repeats / 10);
    for (bool eight : {false, true}) {
        const Coefficients coefficients(eight);
        compare(coefficients, pool.get());
        for (bool coded : {true, false}) {
            if (eight && !coded) continue; // the same as for 4x4
            const char *what = !coded ? "nothing coded" : eight ? "4 8x8 blocks" : "16 4x4 blocks";
            Json result{{"name", fmt::format("H.264 words, a macroblock, {}, 8 bit", what)},
                        {"repeats", repeats}};
            time_both(coefficients, coded, pool.get(), repeats, result);
            results.push_back(result);
        }
    }
}

} // namespace

void add_h264_words(Families &families) {
    families.push_back(
        {"h264_words", "CPU time of recording whole H.264 pictures", time_h264_words});
}

} // namespace tool::bench
