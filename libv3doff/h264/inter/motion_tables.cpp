// SPDX-License-Identifier: BSD-2-Clause
#include "h264/inter/motion_tables.hpp"

#include <algorithm>
#include <cstring>

#include "common/word_lanes.hpp"

namespace v3doff::h264 {
namespace {

// A weight that does nothing.
bool is_neutral(const v3doff_h264_prediction &from, unsigned list, unsigned index) {
    for (unsigned p = 0; p < 3; p++)
        if (from.weight[list][index][p] != 1 << from.denominator[p > 0] ||
            from.offset[list][index][p])
            return false;
    return true;
}

bool within(int value, int least, int most) {
    return value >= least && value <= most;
}

// What a block is that uses one list or both.
constexpr InterInput one_list[3] = {
    {0, 0, 4, 4, {0, -1}, 0, {}}, {0, 0, 4, 4, {-1, 0}, 0, {}}, {0, 0, 4, 4, {0, 0}, 0, {}}};

// Whether the combination gives what the default gives.
bool is_default(const InterCombination &c, bool both) {
    const int one = both ? 1 << (c.shift - 1) : 1 << c.shift;
    return c.second == one && c.first == (both ? one : 0) && !c.offset;
}

constexpr size_t most_weights = 65535; // a uint16_t
// 16 MiB. Pairs of weights of a slice that has some take 4 KiB.
constexpr size_t most_words = size_t(1) << 22;
// Each slice is compared with so many tables of others.
constexpr ptrdiff_t most_compared = 64;

// Whether the same indices mean the same; what is not in use may differ.
bool predict_alike(const PictureSources &from, uint16_t slice, uint16_t other) {
    const v3doff_h264_prediction &a = from.predictions[slice], &b = from.predictions[other];
    if (std::memcmp(a.reference, b.reference, sizeof a.reference) || a.weighting != b.weighting)
        return false;
    if (a.weighting == V3DOFF_H264_WEIGHTS_IMPLICIT) {
        const auto *const fields = from.field_implicit;
        return !std::memcmp(a.implicit, b.implicit, sizeof a.implicit) &&
               (!fields || !std::memcmp(fields[slice], fields[other], sizeof *fields));
    }
    return a.weighting == V3DOFF_H264_WEIGHTS_DEFAULT ||
           (!std::memcmp(a.denominator, b.denominator, sizeof a.denominator) &&
            !std::memcmp(a.weight, b.weight, sizeof a.weight) &&
            !std::memcmp(a.offset, b.offset, sizeof a.offset));
}

// Throws INVALID_ARGUMENT for what a slice cannot have.
void check_weights(const v3doff_h264_prediction &of) {
    if (of.weighting > V3DOFF_H264_WEIGHTS_IMPLICIT) bad_words("an unknown weighting");
    if (of.weighting == V3DOFF_H264_WEIGHTS_EXPLICIT &&
        (of.denominator[0] > 7 || of.denominator[1] > 7))
        bad_words("a denominator above 7");
}

// How predictions by these indices, which are in their lists, are combined; negative: the list is
// not used. field: 1 for field macroblocks. False: as by default. Throws INVALID_ARGUMENT for a
// weight that a slice cannot have.
bool pair_weights(const v3doff_h264_prediction &from, const int16_t (*implicit)[32], unsigned field,
                  const int (&index)[2], InterWeights &to) {
    to = {};
    if (from.weighting == V3DOFF_H264_WEIGHTS_DEFAULT) return false;
    if (from.weighting == V3DOFF_H264_WEIGHTS_IMPLICIT) {
        if (index[0] < 0 || index[1] < 0) return false;
        const int weight = implicit[index[0]][index[1]];
        if (!within(weight, -64, 128)) bad_words("an implicit weight outside -64 to 128");
        if (weight == 32) return false;
        to.denominator[0] = to.denominator[1] = 5;
        for (unsigned p = 0; p < 3; p++)
            to.weight[0][p] = int16_t(weight), to.weight[1][p] = int16_t(64 - weight);
        return true;
    }
    bool neutral = true;
    for (unsigned list = 0; list < 2; list++) {
        if (index[list] < 0) continue;
        const unsigned i = unsigned(index[list]) >> field;
        neutral &= is_neutral(from, list, i);
        for (unsigned p = 0; p < 3; p++) {
            to.weight[list][p] = from.weight[list][i][p];
            to.offset[list][p] = from.offset[list][i][p];
            if (!within(to.weight[list][p], -128, 128) || !within(to.offset[list][p], -128, 127))
                bad_words("an explicit weight or offset out of range");
        }
    }
    std::memcpy(to.denominator, from.denominator, sizeof to.denominator);
    return !neutral;
}

// What the weights make of predictions from list 0, from list 1, from both. False: the same as the
// default.
bool pack_weights(const InterWeights &weights, unsigned use, const PictureFormat &format,
                  InterWeightRecord &record) {
    uint32_t words[sizeof record / 4] = {};
    bool all_default = true;
    for (unsigned p = 0; p < format.planes(); p++) {
        const InterCombination c = inter_combination(weights, one_list[use], p, format.bit_depth);
        words[2 * p] = pack_signed(c.first, LOWER_HALF) | pack_signed(c.second, UPPER_HALF);
        words[2 * p + 1] = pack_signed(c.offset, LOWER_HALF) | pack(uint(c.shift), UPPER_HALF);
        all_default &= is_default(c, use == 2);
    }
    std::memcpy(&record, words, sizeof record);
    return !all_default;
}

} // namespace

// A slice's prediction, as a unit of its macroblocks sees it.
struct MotionTables::SliceUnit {
    const v3doff_h264_prediction &slice;
    const int16_t (*implicit)[32];
    MotionUnit unit;
    uint32_t table;

    SliceUnit(const PictureSources &from, uint16_t number, MotionUnit of, uint32_t its_table)
        : slice(from.predictions[number]), implicit(slice.implicit), unit(of), table(its_table) {
        if (!field() || slice.weighting != V3DOFF_H264_WEIGHTS_IMPLICIT) return;
        if (!from.field_implicit) bad_words("field macroblocks without implicit weights");
        implicit = from.field_implicit[number][unsigned(of) - 1];
    }
    unsigned field() const { return unit != MotionUnit::frame; }
    uint8_t source(unsigned list, int index) const {
        return slice.reference[list][unsigned(index) >> field()];
    }
    size_t pairs_word() const {
        return table * MOTION_TABLE_WORDS + 2 * MOTION_LIST + unsigned(unit);
    }
};

void MotionTables::make(const PictureFormat &format, const PictureSources &from,
                        const MacroblockTable &macroblocks) {
    find_tables(from, macroblocks);
    weights_.assign(1, {});
    weight_records_.clear();
    sources_.fill(0);
    parts_ = {};
    sources_of_indices_ = {};
    lacks_sources_ = false;
    tables_.assign(slice_of_table_.size() * MOTION_TABLE_WORDS, 0);
    for (uint32_t table = 0; table < slice_of_table_.size(); table++) {
        fill(format, from, macroblocks, table);
        if (weights_.size() > most_weights || tables_.size() > most_words)
            throw Error(V3DOFF_ERROR_LIMIT,
                        "info->predictions: too many slices with different weights");
    }
    if (lacks_sources_) check_sources(from, macroblocks);
}

void MotionTables::find_tables(const PictureSources &from, const MacroblockTable &macroblocks) {
    const auto slices = std::span(macroblocks.slices).first(macroblocks.count());
    slice_of_table_.clear();
    numbers_.clear();
    table_of_slice_.assign(macroblocks.slice_count, -1);
    uint16_t others = 0;
    for (const uint16_t slice : slices)
        others |= slice ^ slices[0];
    if (!others) {
        table_of(from, slices[0]);
        return;
    }
    numbers_.reserve(slices.size() + 1);
    for (const uint16_t slice : slices)
        numbers_.push_back(slice < table_of_slice_.size() ? table_of(from, slice)
                                                          : uint16_t(0)); // it has no motion
    numbers_.resize((numbers_.size() + 1) / 2 * 2);                       // the shader reads words
}

// Those that predict alike have one table.
inline uint16_t MotionTables::table_of(const PictureSources &from, uint16_t slice) {
    int32_t &number = table_of_slice_[slice];
    if (number < 0) {
        const auto end = slice_of_table_.end();
        const auto known =
            std::find_if(end - std::min(end - slice_of_table_.begin(), most_compared), end,
                         [&](uint16_t other) { return predict_alike(from, other, slice); });
        number = int32_t(known - slice_of_table_.begin());
        if (known == end) slice_of_table_.push_back(slice);
    }
    return uint16_t(number);
}

void MotionTables::fill(const PictureFormat &format, const PictureSources &from,
                        const MacroblockTable &macroblocks, uint32_t table) {
    const uint16_t slice = slice_of_table_[table];
    check_weights(from.predictions[slice]);
    const auto fill_unit = [&](MotionUnit unit, const std::array<Indices, 2> &used) {
        fill_pairs(format, SliceUnit(from, slice, unit, table), used);
    };
    fill_unit(MotionUnit::frame, fill_sources(format, from, macroblocks, table, false));
    if (!macroblocks.mbaff) return;
    const std::array<Indices, 2> used = fill_sources(format, from, macroblocks, table, true);
    if (!used[0].count && !used[1].count) return;
    fill_unit(MotionUnit::upper_field, used);
    if (from.predictions[slice].weighting == V3DOFF_H264_WEIGHTS_IMPLICIT)
        return fill_unit(MotionUnit::lower_field, used);
    uint32_t *const pairs = &tables_[table * MOTION_TABLE_WORDS + 2 * MOTION_LIST];
    pairs[unsigned(MotionUnit::lower_field)] = pairs[unsigned(MotionUnit::upper_field)];
}

// Enters the sources of all indices that frame or field macroblocks have, and returns these
// indices.
std::array<MotionTables::Indices, 2> MotionTables::fill_sources(const PictureFormat &format,
                                                                const PictureSources &sources,
                                                                const MacroblockTable &macroblocks,
                                                                uint32_t table, bool is_field) {
    const v3doff_h264_prediction &from = sources.predictions[slice_of_table_[table]];
    std::array<Indices, 2> used;
    for (unsigned list = 0; list < 2; list++) {
        const auto &count = macroblocks.used[is_field][list];
        for (uint8_t i = 0; i < 128; i++) {
            if (!count[i]) continue;
            const unsigned entry = unsigned(i) >> unsigned(is_field);
            const uint8_t source =
                i < MOTION_LIST ? from.reference[list][entry] : uint8_t(V3DOFF_H264_NO_REFERENCE);
            if (!sources.has(source)) {
                lacks_sources_ = true;
                continue;
            }
            const bool moves =
                sources.lines.field && chroma_down(format, sources.lines.parity, source & 1) != 0;
            tables_[table * MOTION_TABLE_WORDS + list * MOTION_LIST + entry] =
                source | (moves ? MOTION_MOVES_CHROMA : 0);
            used[list].index[used[list].count++] = i;
            // Slices may mean several sources by an index.
            uint32_t &known = sources_of_indices_[is_field][list][i];
            if (!(known >> source & 1)) parts_[list][source] += count[i];
            known |= uint32_t(1) << source;
        }
    }
    return used;
}

// What a slice lacks, macroblocks of other slices may have.
void MotionTables::check_sources(const PictureSources &from,
                                 const MacroblockTable &macroblocks) const {
    for (uint32_t at = 0; at < macroblocks.count(); at++)
        for (unsigned list = 0; list < 2; list++)
            for (unsigned block = 0; block < 32; block += 8) {
                if ((macroblocks.macroblocks[at].reference[list] >> block & 255) == 255) continue;
                const unsigned field = (macroblocks.macroblocks[at].bits & MB_FIELD) != 0;
                const uint32_t index = macroblocks.indices[list][at] >> block & 255;
                const uint16_t slice = slice_of_table_[number_at(at)];
                if (index >= MOTION_LIST ||
                    !from.has(from.predictions[slice].reference[list][index >> field]))
                    bad_words("a macroblock of a reference that the picture does not have");
            }
}

// Notes what becomes of the predictions of all pairs that macroblocks may have.
void MotionTables::fill_pairs(const PictureFormat &format, const SliceUnit &from,
                              const std::array<Indices, 2> &used) {
    if (from.slice.weighting != V3DOFF_H264_WEIGHTS_DEFAULT) {
        tables_[from.pairs_word()] = uint32_t(tables_.size());
        tables_.resize(tables_.size() + MOTION_PAIRS * MOTION_PAIRS);
    }
    const auto one = [&](unsigned list, int index) {
        const bool weighted =
            list ? weighs(format, from, -1, index) : weighs(format, from, index, -1);
        note(weighted ? InterMode::weighted : InterMode::put, from.source(list, index));
    };
    for (unsigned list = 0; list < 2; list++)
        for (unsigned i = 0; i < used[list].count; i++)
            one(list, used[list].index[i]);
    for (unsigned i = 0; i < used[0].count; i++)
        for (unsigned j = 0; j < used[1].count; j++) {
            const int first = used[0].index[i], second = used[1].index[j];
            note(InterMode::put, from.source(0, first));
            note(weighs(format, from, first, second) ? InterMode::weighted_second
                                                     : InterMode::average,
                 from.source(1, second));
        }
}

// Enters the weights of a pair, unless they are the default.
bool MotionTables::weighs(const PictureFormat &format, const SliceUnit &from, int first,
                          int second) {
    InterWeights weights;
    InterWeightRecord record;
    const unsigned use = first < 0 ? 1 : second < 0 ? 0 : 2;
    if (!pair_weights(from.slice, from.implicit, from.field(), {first, second}, weights) ||
        !pack_weights(weights, use, format, record))
        return false;
    const uint32_t pairs = tables_[from.pairs_word()];
    tables_[pairs + uint32_t(first + 1) * MOTION_PAIRS + uint32_t(second + 1)] =
        uint32_t(weights_.size());
    weights_.push_back(weights);
    weight_records_.push_back(record);
    return true;
}

int MotionTables::source(size_t at, MotionUnit unit, unsigned list, int index) const {
    if (index < 0) return -1;
    const unsigned entry = unsigned(index) >> unsigned(unit != MotionUnit::frame);
    return int(table_at(at)[list * MOTION_LIST + entry] & 255);
}

uint16_t MotionTables::weights(size_t at, MotionUnit unit, int first, int second) const {
    return uint16_t(pair(table_at(at), unit, first, second));
}

} // namespace v3doff::h264
