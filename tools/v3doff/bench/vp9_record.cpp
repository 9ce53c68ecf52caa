// SPDX-License-Identifier: BSD-2-Clause
// What residuals of VP9 cost the decoder's thread: appended as words (v3doff/vp9_words.h), and
// recorded by a call for each transform, compared with FFmpeg's SIMD, which adds them at once.
// Words become records of the stages later, on the thread that records the picture.
#include <array>
#include <fmt/format.h>
#include <random>

#include "bench/bench.hpp"
#include "v3doff/vp9_words.h"

namespace tool::bench {
namespace {

constexpr uint32_t width = 1920, height = 1088, columns = width / 64, rows = height / 64;
constexpr uint32_t coded = 4; // coefficients of a transform
constexpr int flat = 128;     // samples before

// What a decoder has parsed of a transform.
struct Tokens {
    std::array<uint16_t, coded> place;
    std::array<int16_t, coded> value;
};

// Few enough to stay in the L1 cache, as tokens do that were just parsed.
std::array<Tokens, 64> make_tokens(uint32_t edge) {
    std::array<Tokens, 64> all;
    std::mt19937 random(5);
    for (Tokens &tokens : all)
        for (uint32_t i = 0; i < coded; i++) {
            tokens.place[i] = uint16_t(i / 2 * edge + i % 2);
            tokens.value[i] = int16_t(random() % 201) - 100;
        }
    return all;
}

// A luma picture, every transform coded, in superblocks from left to right.
class Luma {
  public:
    explicit Luma(uint32_t tx) : tx_(tx), edge_(4u << tx), tokens_(make_tokens(edge_)) {}
    uint32_t count() const { return columns * rows * (64 / edge_) * (64 / edge_); }

    // Visits (x, y, tokens) of the transforms of one superblock.
    template <typename Visit>
    void each(uint32_t superblock, Visit visit) const {
        const uint32_t left = superblock % columns * 64, top = superblock / columns * 64;
        size_t number = superblock;
        for (uint32_t y = 0; y < 64; y += edge_)
            for (uint32_t x = 0; x < 64; x += edge_)
                visit(left + x, top + y, tokens_[number++ % tokens_.size()]);
    }

    // Each superblock is one inter block.
    void append(v3doff_picture *picture) const {
        static constexpr int reference[2] = {0, -1};
        static constexpr int16_t vector[4][2][2] = {};
        v3doff_vp9_words words{};
        for (uint32_t n = 0; n < columns * rows; n++) {
            if (!v3doff_vp9_has_room(&words))
                check(v3doff_vp9_make_room(picture, 0, &words), "making room for words");
            each(n, [&](uint32_t x, uint32_t y, const Tokens &tokens) {
                for (uint32_t i = 0; i < coded; i++)
                    *words.coefficient++ = v3doff_vp9_coefficient(tokens.place[i], tokens.value[i]);
                v3doff_vp9_append_transform(&words, 0, x / 4, y / 4, tx_, V3DOFF_VP9_DCT_DCT,
                                            eob());
            });
            const v3doff_vp9_block block{n / columns * 8, n % columns * 8, 0, 0, tx_};
            v3doff_vp9_append_inter(&words, &block, reference, V3DOFF_VP9_FILTER_REGULAR, vector,
                                    0);
        }
        check(v3doff_vp9_end_lane(picture, 0, &words), "ending a lane");
    }

    void record(v3doff_picture *picture) const {
        alignas(64) int16_t block[32 * 32] = {}; // cleared by each call
        for (uint32_t n = 0; n < columns * rows; n++)
            each(n, [&](uint32_t x, uint32_t y, const Tokens &tokens) {
                fill(tokens, block);
                check(v3doff_vp9_record_itx(picture, 0, 0, x, y, v3doff_vp9_tx(tx_),
                                            V3DOFF_VP9_DCT_DCT, eob(), block),
                      "recording a block");
            });
    }

    void add_by_ffmpeg(const v3doff_planes &planes) const {
        const auto function = ffdsp_vp9(8, 1)->itxfm_add[tx_][0];
        alignas(64) int16_t block[32 * 32] = {};
        for (uint32_t n = 0; n < columns * rows; n++)
            each(n, [&](uint32_t x, uint32_t y, const Tokens &tokens) {
                fill(tokens, block);
                function(static_cast<uint8_t *>(planes.data[0]) + y * planes.stride[0] + x,
                         planes.stride[0], block, int(eob()));
            });
        ffdsp_emms();
    }

  private:
    static constexpr uint32_t eob() { return 10; } // after 2x2 in every scan
    // A coefficient of 32x32 is half its token times the factor, which is 2.
    void fill(const Tokens &tokens, int16_t *block) const {
        for (uint32_t i = 0; i < coded; i++)
            block[tokens.place[i]] = int16_t(tokens.value[i] * (tx_ == 3 ? 1 : 2));
    }

    uint32_t tx_, edge_;
    std::array<Tokens, 64> tokens_;
};

void fill_flat(v3doff_picture *picture) {
    fill_samples(picture, 8, flat, 1);
}

v3doff_vp9_picture_info info_of(v3doff_picture *reference) {
    v3doff_vp9_picture_info info{};
    info.struct_size = sizeof info;
    info.reference[0] = reference;
    for (auto &segment : info.dequantisation)
        for (auto &plane : segment)
            plane[0] = plane[1] = 2;
    return info;
}

std::vector<uint8_t> run_and_read(v3doff_picture *picture) {
    run_picture(picture, V3DOFF_EXECUTOR_CPU);
    return samples_of(picture, 1);
}

// Both ways make the same picture.
void compare(const Luma &luma, v3doff_pool *pool) {
    Picture reference = open_picture(pool), by_words = open_picture(pool),
            by_calls = open_picture(pool);
    fill_flat(reference.get());
    fill_flat(by_calls.get());
    luma.append(by_words.get());
    const v3doff_vp9_picture_info info = info_of(reference.get());
    check(v3doff_vp9_record_picture(by_words.get(), &info), "recording words");
    luma.record(by_calls.get());
    if (run_and_read(by_words.get()) != run_and_read(by_calls.get()))
        throw std::runtime_error("words and calls make different samples");
}

// Nanoseconds a transform; the first time warms up.
template <typename Do>
Json time_each(const Luma &luma, unsigned repeats, v3doff_picture *picture, Do each) {
    std::vector<double> ns;
    for (unsigned i = 0; i <= repeats; i++) {
        const double start = thread_ns();
        each();
        if (i) ns.push_back((thread_ns() - start) / luma.count());
        check(v3doff_picture_discard(picture), "discard");
    }
    return spread(ns);
}

void time_vp9_record(const Session &session, Json &results) {
    Pool pool = make_pool(session.cpu, width, height);
    const unsigned repeats = std::max(5u, session.repeats / 10);
    for (uint32_t tx = 0; tx < 4; tx++) {
        const Luma luma(tx);
        compare(luma, pool.get());
        Picture reference = open_picture(pool.get()), picture = open_picture(pool.get());
        const v3doff_vp9_picture_info info = info_of(reference.get());
        Json result{{"name", fmt::format("VP9 recording, a transform of {0}x{0}, {1} coefficients, "
                                         "8 bit",
                                         4u << tx, coded)},
                    {"repeats", repeats}};
        result["append_ns"] =
            time_each(luma, repeats, picture.get(), [&] { luma.append(picture.get()); });
        result["record_ns"] =
            time_each(luma, repeats, picture.get(), [&] { luma.record(picture.get()); });
        std::vector<double> ns;
        for (unsigned i = 0; i <= repeats; i++) {
            luma.append(picture.get());
            const double start = thread_ns();
            check(v3doff_vp9_record_picture(picture.get(), &info), "recording words");
            if (i) ns.push_back((thread_ns() - start) / luma.count());
            check(v3doff_picture_discard(picture.get()), "discard");
        }
        result["record_picture_ns"] = spread(ns);
        const v3doff_planes planes = planes_of(picture.get());
        fill_flat(picture.get());
        if (ffdsp_version())
            result["ffmpeg_simd_ns"] =
                time_each(luma, repeats, picture.get(), [&] { luma.add_by_ffmpeg(planes); });
        results.push_back(result);
    }
}

} // namespace

void add_vp9_record(Families &families) {
    families.push_back({"vp9_record", "CPU time of recording VP9 residuals", time_vp9_record});
}

} // namespace tool::bench
