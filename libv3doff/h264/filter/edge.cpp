// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter/edge.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace v3doff::h264 {
namespace {

constexpr int8_t unfiltered = -1, strong = 100;

// What the calls said of one macroblock of one plane.
struct PlaneMb {
    int16_t alpha[3] = {}, beta[3] = {}; // of the left, the upper and the inner edges; 0: no call
    int8_t tc0[2][4][4];                 // [direction][edge][segment]
    uint32_t first[2] = {UINT32_MAX, UINT32_MAX}, last[2] = {}; // tickets
    int8_t reached[2] = {-1, -1};                               // the last edge
    PlaneMb() { std::fill_n(&tc0[0][0][0], sizeof tc0, unfiltered); }
};

// A strength, as the tc0 that it stands for in each plane.
using Class = std::array<std::optional<int8_t>, 3>;

class Classes {
  public:
    // The number, 1 to 3, of a class with these values; 0: there would be a fourth.
    unsigned number_of(const Class &values) {
        // Prefers a class that has these values to one that they would fill up.
        for (unsigned n = 0; n < count_; n++)
            if (has(classes_[n], values)) return n + 1;
        for (unsigned n = 0; n < count_; n++)
            if (fits(classes_[n], values)) return take(n, values);
        return count_ < 3 ? take(count_++, values) : 0;
    }
    uint32_t packed(unsigned plane) const {
        uint32_t packed = 0;
        for (unsigned n = 0; n < count_; n++)
            packed |= pack_tc0(uint(classes_[n][plane].value_or(0)), n + 1);
        return packed;
    }

  private:
    static bool has(const Class &known, const Class &values) {
        for (unsigned p = 0; p < 3; p++)
            if (values[p] && known[p] != values[p]) return false;
        return true;
    }
    static bool fits(const Class &a, const Class &b) {
        for (unsigned p = 0; p < 3; p++)
            if (a[p] && b[p] && *a[p] != *b[p]) return false;
        return true;
    }
    unsigned take(unsigned n, const Class &values) {
        for (unsigned p = 0; p < 3; p++)
            if (values[p]) classes_[n][p] = values[p];
        return n + 1;
    }
    std::array<Class, 3> classes_;
    unsigned count_ = 0;
};

class Resolver {
  public:
    Resolver(const PictureFormat &format, const MacroblockArea &area)
        : format_(format), area_(area),
          mbs_(size_t(format.planes()) * area.mb_width * area.mb_height) {}

    const char *add(const PlacedEdge &edge) {
        const EdgeCall &call = edge.call;
        const uint32_t width = 16u >> format_.shift_x(edge.plane);
        const uint32_t height = 16u >> format_.shift_y(edge.plane);
        const uint32_t y = area_.field ? edge.y / 2 : edge.y;
        const uint32_t col = edge.x / width, row = y / height;
        const uint32_t across = edge.between_rows ? y % height : edge.x % width;
        const uint32_t along = edge.between_rows ? edge.x % width : y % height;
        if (along || across % 4 || call.lines() != (edge.between_rows ? width : height))
            return "an edge is not a whole one of a macroblock";
        if (col >= area_.mb_width || row >= area_.mb_height)
            return "an edge lies outside of the picture";
        if (call.chroma_style != (edge.plane > 0 && format_.chroma != V3DOFF_CHROMA_444))
            return "a plane is filtered as another kind of plane is";
        const unsigned edges = (edge.between_rows ? height : width) / 4;
        const unsigned number = across / 4 * (4 / edges);
        if (!(edge.between_rows ? row : col) && !number)
            return "the picture's own border is filtered";
        return take(mb(edge.plane, row, col), edge, number);
    }

    const char *finish(std::vector<FilterMb> &records) {
        records.assign(size_t(area_.mb_width) * area_.mb_height, FilterMb{});
        for (uint32_t row = 0; row < area_.mb_height; row++)
            for (uint32_t col = 0; col < area_.mb_width; col++) {
                for (unsigned p = 0; p < format_.planes(); p++)
                    if (!in_order(p, row, col)) return "its edges are not in raster order";
                if (!make(row, col, records[size_t(row) * area_.mb_width + col]))
                    return "a macroblock's edges do not have three strengths at most";
            }
        return nullptr;
    }

  private:
    const PlaneMb &mb(unsigned plane, uint32_t row, uint32_t col) const {
        return mbs_[(size_t(plane) * area_.mb_height + row) * area_.mb_width + col];
    }
    PlaneMb &mb(unsigned plane, uint32_t row, uint32_t col) {
        return mbs_[(size_t(plane) * area_.mb_height + row) * area_.mb_width + col];
    }

    const char *take(PlaneMb &to, const PlacedEdge &edge, unsigned number) {
        const EdgeCall &call = edge.call;
        const unsigned direction = edge.between_rows, group = number ? 2 : direction;
        if (int(number) <= to.reached[direction]) return "a macroblock's edges do not follow";
        to.reached[direction] = int8_t(number);
        to.first[direction] = std::min(to.first[direction], edge.ticket);
        to.last[direction] = std::max(to.last[direction], edge.ticket);
        if (!call.alpha || !call.beta) return nullptr; // filters nothing
        if (call.alpha > 255 || call.beta > 255) return "thresholds beyond the tables of 8.7.2.2";
        if (to.alpha[group] && (to.alpha[group] != call.alpha || to.beta[group] != call.beta))
            return "a macroblock's inner edges have different thresholds";
        to.alpha[group] = int16_t(call.alpha);
        to.beta[group] = int16_t(call.beta);
        if (call.strong && number) return "strength 4 inside a macroblock";
        for (unsigned segment = 0; segment < 4; segment++) {
            const int8_t tc0 = call.strong ? strong : call.tc0[segment];
            if (tc0 > 31 && tc0 != strong) return "tc0 beyond the table of 8.7.2.3";
            to.tc0[direction][number][segment] = std::max(tc0, unfiltered);
        }
        return nullptr;
    }

    // Edges of two macroblocks share samples only if the macroblocks are neighbours, so the order
    // of other macroblocks does not matter.
    bool in_order(unsigned plane, uint32_t row, uint32_t col) const {
        const PlaneMb &at = mb(plane, row, col);
        const uint32_t v = at.last[0], both = std::max(at.last[0], at.last[1]);
        if (v >= at.first[1]) return false;
        if (col + 1 < area_.mb_width && both >= mb(plane, row, col + 1).first[0]) return false;
        if (row + 1 == area_.mb_height) return true;
        const uint32_t below = mb(plane, row + 1, col).first[1];
        return both < below &&
               (col + 1 == area_.mb_width || mb(plane, row, col + 1).last[0] < below);
    }

    // Strengths that some planes share.
    struct Shared {
        unsigned direction;
        bool luma, chroma;
        uint32_t *words[2];
    };

    bool make(uint32_t row, uint32_t col, FilterMb &record) {
        const PlaneMb *planes[3] = {};
        for (unsigned p = 0; p < format_.planes(); p++)
            planes[p] = &mb(p, row, col);
        Classes classes[3];
        const bool same = format_.chroma == V3DOFF_CHROMA_444;
        const bool chroma = format_.planes() > 1;
        const Shared shared[3] = {
            {0, true, chroma, {&record.vertical[0], &record.vertical[1]}},
            {1, true, same, {&record.horizontal[0], &record.horizontal[1]}},
            {1, false, chroma && !same, {&record.chroma_left, &record.chroma_right}}};
        // First the strengths that have values in all planes. The others then find or complete a
        // class.
        for (bool whole : {true, false})
            for (const Shared &strengths : shared)
                if (!add_strengths(strengths, planes, classes, whole)) return false;
        uint32_t *const thresholds[3] = {record.luma, record.cb, record.cr};
        for (unsigned p = 0; p < format_.planes(); p++)
            for (unsigned group = 0; group < 3; group++)
                if (planes[p]->alpha[group])
                    thresholds[p][group] = pack(uint(planes[p]->alpha[group]), THRESHOLD_ALPHA) |
                                           pack(uint(planes[p]->beta[group]), THRESHOLD_BETA) |
                                           classes[group].packed(p);
        return true;
    }

    bool add_strengths(const Shared &to, const PlaneMb *const planes[3], Classes (&classes)[3],
                       bool whole) const {
        for (unsigned edge = 0; edge < 4; edge++)
            for (unsigned segment = 0; segment < 4; segment++) {
                const unsigned group = edge ? 2 : to.direction;
                Class values;
                unsigned known = 0, none = 0, four = 0;
                for (unsigned p = 0; p < format_.planes(); p++) {
                    if (!(p ? to.chroma : to.luma) || !has_edge(p, to.direction, edge)) continue;
                    if (!planes[p]->alpha[group]) continue; // of no consequence
                    const int8_t tc0 = planes[p]->tc0[to.direction][edge][segment];
                    known++;
                    none += tc0 == unfiltered;
                    four += tc0 == strong;
                    values[p] = tc0;
                }
                if (none == known) continue;
                if (none || (four && four != known)) return false;
                if ((known == format_.planes()) != whole) continue;
                const unsigned strength = four ? 4 : classes[group].number_of(values);
                if (!strength) return false;
                *to.words[segment / 2] |= strength << (segment % 2 * 16 + edge * 4);
            }
        return true;
    }

    bool has_edge(unsigned plane, unsigned direction, unsigned edge) const {
        const bool halved = direction ? format_.shift_y(plane) : format_.shift_x(plane);
        return !halved || edge % 2 == 0;
    }

    const PictureFormat &format_;
    const MacroblockArea area_;
    std::vector<PlaneMb> mbs_;
};

MacroblockArea area_of(const PictureFormat &format, bool field, unsigned parity) {
    return MacroblockArea(format, Lines(field, parity));
}

} // namespace

const char *resolve_edges(std::span<const PlacedEdge> edges, const PictureFormat &format,
                          std::vector<FilterRecords> &result) {
    result.clear();
    if (edges.empty()) return nullptr;
    const bool field = edges.front().field;
    for (unsigned parity = 0; parity < 1u + field; parity++) {
        Resolver resolver(format, area_of(format, field, parity));
        bool any = false;
        for (const PlacedEdge &edge : edges) {
            if (edge.field != field) return "frame and field macroblocks in one picture";
            if (field && edge.y % 2 != parity) continue;
            any = true;
            if (const char *problem = resolver.add(edge)) return problem;
        }
        if (!any) continue;
        FilterRecords &part = result.emplace_back();
        part.area = area_of(format, field, parity);
        if (const char *problem = resolver.finish(part.records)) return problem;
    }
    return nullptr;
}

} // namespace v3doff::h264
