// SPDX-License-Identifier: BSD-2-Clause
#include "h264/motion_tables.hpp"

#include <algorithm>
#include <cstring>

#include "h264/inter_pack.hpp"
#include "h264/words_motion.hpp"
#include "util/error.hpp"

namespace v3doff::h264 {
namespace {

constexpr size_t most_tables = 256;   // a byte for each macroblock
constexpr size_t most_weights = 8192; // 256 KiB of records
// Each is compared with the tables of others. With 65,280 slices this took 150 ms on a desktop CPU.
constexpr size_t most_slices = 1024;

// Whether the same indices mean the same; what is not in use may differ.
bool predict_alike(const v3doff_h264_prediction &a, const v3doff_h264_prediction &b) {
    if (std::memcmp(a.reference, b.reference, sizeof a.reference) || a.weighting != b.weighting)
        return false;
    if (a.weighting == V3DOFF_H264_WEIGHTS_IMPLICIT)
        return !std::memcmp(a.implicit, b.implicit, sizeof a.implicit);
    return a.weighting == V3DOFF_H264_WEIGHTS_DEFAULT ||
           (!std::memcmp(a.denominator, b.denominator, sizeof a.denominator) &&
            !std::memcmp(a.weight, b.weight, sizeof a.weight) &&
            !std::memcmp(a.offset, b.offset, sizeof a.offset));
}

// Whether every macroblock is of the same slice.
bool is_one_slice(const StrengthInput &arrays) {
    const uint16_t first = arrays.slice_table[0];
    uint32_t others = 0;
    for (uint32_t y = 0; y < arrays.mb_height; y++) {
        const uint16_t *const row = arrays.slice_table + y * arrays.mb_stride;
        uint16_t different = 0;
        for (uint32_t x = 0; x < arrays.mb_width; x++)
            different |= row[x] ^ first;
        others |= different;
    }
    return !others;
}

} // namespace

bool MotionTables::make(const PictureFormat &format, const WordsFrame &frame,
                        const PackedStrengths &packed) {
    if (!packed.complete || !keep_slices(frame, packed)) return false;
    weights_.assign(1, {});
    weight_records_.clear();
    sources_.fill(0);
    parts_ = {};
    sources_of_pictures_ = {};
    tables_.assign(slice_of_table_.size() * MOTION_TABLE_WORDS, 0);
    for (uint32_t table = 0; table < slice_of_table_.size(); table++)
        if (!fill(format, frame, packed, table) || weights_.size() > most_weights) return false;
    const StrengthInput &arrays = frame.arrays;
    for (unsigned list = 0; list < 2; list++) {
        indices_[list].clear();
        if (arrays.reference[list] && arrays.motion[list] && (!list || packed.two_lists))
            keep_indices(arrays, list);
        if (!indices_agree(arrays, packed, list)) return false;
    }
    return true;
}

// The records have the pictures, and there is room for as many predictions from each as they say.
// What an index leads to in the tables must be the same: the caller may have changed its arrays,
// and of slices with one table only the first has filled it.
bool MotionTables::indices_agree(const StrengthInput &arrays, const PackedStrengths &packed,
                                 unsigned list) const {
    uint32_t last_pictures = ~0u, last_index = 0;
    const StrengthSlice *last_slice = nullptr;
    for (uint32_t at = 0; at < packed.count(); at++) {
        const uint32_t pictures = packed.macroblocks[at].reference[list];
        if (pictures == ~0u) continue; // intra, or the other list alone
        if (indices_[list].empty()) return false;
        const uint32_t index = indices_[list][at];
        const StrengthSlice *const slice =
            &arrays.slices[slice_of_table_[slices_.empty() ? 0 : slices_[at]]];
        if (pictures == last_pictures && index == last_index && slice == last_slice) continue;
        for (unsigned block = 0; block < 32; block += 8) {
            const uint32_t picture = pictures >> block & 255, i = index >> block & 255;
            if (picture != 255 && (i >= MOTION_LIST || slice->picture[list][i] != picture))
                return false;
        }
        last_pictures = pictures, last_index = index, last_slice = slice;
    }
    return true;
}

void MotionTables::keep_indices(const StrengthInput &arrays, unsigned list) {
    indices_[list].resize(size_t(arrays.mb_width) * arrays.mb_height);
    for (uint32_t y = 0; y < arrays.mb_height; y++)
        std::memcpy(&indices_[list][size_t(y) * arrays.mb_width],
                    arrays.reference[list] + 4 * y * arrays.mb_stride, 4 * size_t(arrays.mb_width));
}

bool MotionTables::keep_slices(const WordsFrame &frame, const PackedStrengths &packed) {
    const StrengthInput &arrays = frame.arrays;
    if (arrays.slice_count > most_slices) return false;
    slice_of_table_.clear();
    slices_.clear();
    table_of_slice_.assign(arrays.slice_count, -1);
    if (is_one_slice(arrays)) return add_slice(frame, arrays.slice_table[0]);
    slices_.reserve(packed.count());
    for (uint32_t y = 0; y < arrays.mb_height; y++)
        for (uint32_t x = 0; x < arrays.mb_width; x++) {
            const uint16_t slice = arrays.slice_table[y * arrays.mb_stride + x];
            if (!add_slice(frame, slice)) return false;
            slices_.push_back(uint8_t(table_of_slice_[slice]));
        }
    slices_.resize((slices_.size() + 3) / 4 * 4); // the shader reads words
    return true;
}

// Those that predict alike have one table.
inline bool MotionTables::add_slice(const WordsFrame &frame, uint16_t slice) {
    if (slice >= table_of_slice_.size()) return false;
    if (table_of_slice_[slice] >= 0) return true;
    const auto *const predictions = frame.predictions;
    const auto known =
        std::find_if(slice_of_table_.begin(), slice_of_table_.end(), [&](uint16_t other) {
            return predict_alike(predictions[other], predictions[slice]);
        });
    table_of_slice_[slice] = int16_t(known - slice_of_table_.begin());
    if (known == slice_of_table_.end()) slice_of_table_.push_back(slice);
    return slice_of_table_.size() <= most_tables;
}

bool MotionTables::fill(const PictureFormat &format, const WordsFrame &frame,
                        const PackedStrengths &packed, uint32_t table) {
    const uint16_t number = slice_of_table_[table];
    const v3doff_h264_prediction &from = frame.predictions[number];
    const StrengthSlice &slice = frame.arrays.slices[number];
    if (slice.flags & V3DOFF_H264_SLICE_SWITCHING) return false; // its motion is not packed
    check_weights(from);
    std::array<Indices, 2> used;
    for (unsigned list = 0; list < 2; list++)
        for (uint8_t i = 0; i < MOTION_LIST; i++) {
            const uint8_t picture = slice.picture[list][i];
            if (picture == 255 || !packed.used[list][picture]) continue;
            const uint8_t source = from.reference[list][i];
            if (!frame.has_source(source)) return false; // a macroblock may be without it
            const bool moves =
                frame.lines.field && chroma_down(format, frame.lines.parity, source & 1) != 0;
            tables_[table * MOTION_TABLE_WORDS + list * MOTION_LIST + i] =
                source | (moves ? MOTION_MOVES_CHROMA : 0);
            used[list].index[used[list].count++] = i;
            count_parts(packed, list, picture, source);
        }
    fill_pairs(format, from, used, table);
    return true;
}

// A picture may have several indices, and slices may mean several sources by it.
void MotionTables::count_parts(const PackedStrengths &packed, unsigned list, uint8_t picture,
                               uint8_t source) {
    uint32_t &known = sources_of_pictures_[list][picture];
    if (!(known >> source & 1)) parts_[list][source] += packed.used[list][picture];
    known |= uint32_t(1) << source;
}

// Of all pairs that macroblocks may have: what becomes of the predictions.
void MotionTables::fill_pairs(const PictureFormat &format, const v3doff_h264_prediction &from,
                              const std::array<Indices, 2> &used, uint32_t table) {
    if (from.weighting != V3DOFF_H264_WEIGHTS_DEFAULT) {
        tables_[table * MOTION_TABLE_WORDS + 2 * MOTION_LIST] = uint32_t(tables_.size());
        tables_.resize(tables_.size() + MOTION_PAIRS * MOTION_PAIRS);
    }
    const auto one = [&](unsigned list, int index) {
        const bool weighted =
            list ? weighs(format, from, table, -1, index) : weighs(format, from, table, index, -1);
        note(weighted ? InterMode::weighted : InterMode::put, from.reference[list][index]);
    };
    for (unsigned list = 0; list < 2; list++)
        for (unsigned i = 0; i < used[list].count; i++)
            one(list, used[list].index[i]);
    for (unsigned i = 0; i < used[0].count; i++)
        for (unsigned j = 0; j < used[1].count; j++) {
            const int first = used[0].index[i], second = used[1].index[j];
            note(InterMode::put, from.reference[0][first]);
            note(weighs(format, from, table, first, second) ? InterMode::weighted_second
                                                            : InterMode::average,
                 from.reference[1][second]);
        }
}

// Enters the weights of a pair, unless they are the default.
bool MotionTables::weighs(const PictureFormat &format, const v3doff_h264_prediction &from,
                          uint32_t table, int first, int second) {
    InterWeights weights;
    InterWeightRecord record;
    const unsigned use = first < 0 ? 1 : second < 0 ? 0 : 2;
    if (!pair_weights(from, {first, second}, weights) ||
        !pack_weights(weights, use, format, record))
        return false;
    const uint32_t pairs = tables_[table * MOTION_TABLE_WORDS + 2 * MOTION_LIST];
    tables_[pairs + uint32_t(first + 1) * MOTION_PAIRS + uint32_t(second + 1)] =
        uint32_t(weights_.size());
    weights_.push_back(weights);
    weight_records_.push_back(record);
    return true;
}

int MotionTables::source(size_t at, unsigned list, int index) const {
    return index < 0 ? -1 : int(table_of(at)[list * MOTION_LIST + unsigned(index)] & 255);
}

uint16_t MotionTables::weights(size_t at, int first, int second) const {
    return uint16_t(pair(table_of(at), first, second));
}

} // namespace v3doff::h264
