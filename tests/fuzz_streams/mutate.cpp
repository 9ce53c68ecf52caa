// SPDX-License-Identifier: BSD-2-Clause
#include "mutate.hpp"

#include <algorithm>

#include "mutate_headers.hpp"

namespace fuzz {
namespace {

constexpr size_t most_units = 36, most_bytes = 100'000;

// One of the codec, the smaller of two: decoding a large one takes the time of several.
const Stream &pick_source(Random &random, const std::vector<Stream> &sources, Codec codec) {
    const Stream *found = nullptr;
    for (int tries = random.chance(25) ? 1 : 2; tries > 0;) {
        const Stream &stream = random.pick(sources);
        if (stream.codec != codec) continue;
        if (!found || stream.size() < found->size()) found = &stream;
        tries--;
    }
    return *found;
}

// Headers are where damage goes far.
size_t pick_position(Random &random, const Bytes &unit) {
    return random.below(random.chance(30) ? std::min<size_t>(unit.size(), 24) : unit.size());
}

void flip_bits(Random &random, Bytes &unit) {
    for (int i = random.between(1, 6); i > 0; i--) {
        uint8_t &byte = unit[pick_position(random, unit)];
        byte = uint8_t(byte ^ 1 << random.below(8));
    }
}

void change_bytes(Random &random, Bytes &unit) {
    size_t at = pick_position(random, unit);
    size_t end = std::min(unit.size(), at + size_t(random.between(1, 8)));
    for (; at < end; at++)
        unit[at] = random.pick<uint8_t>({0, 0xff, uint8_t(random.bits())});
}

void cut_end(Random &random, Bytes &unit) {
    unit.resize(1 + pick_position(random, unit));
}

void cut_middle(Random &random, Bytes &unit) {
    size_t at = 1 + pick_position(random, unit);
    size_t end = std::min(unit.size(), at + size_t(random.between(1, 60)));
    if (at < end) unit.erase(unit.begin() + long(at), unit.begin() + long(end));
}

void put_in(Random &random, Bytes &unit, const Bytes &other) {
    size_t from = random.below(other.size());
    size_t end = std::min(other.size(), from + size_t(random.between(1, 60)));
    Bytes piece(other.begin() + long(from), other.begin() + long(end));
    unit.insert(unit.begin() + long(pick_position(random, unit)), piece.begin(), piece.end());
}

using Units = std::vector<Bytes>;

void reorder(Random &random, Units &units) {
    size_t first = random.below(units.size());
    size_t second = random.chance(70) ? (first + 1) % units.size() : random.below(units.size());
    std::swap(units[first], units[second]);
}

void repeat(Random &random, Units &units) {
    Bytes copy = random.pick(units);
    units.insert(units.begin() + long(random.below(units.size() + 1)), copy);
}

void lose(Random &random, Units &units) {
    size_t at = random.below(units.size());
    size_t count = std::min(units.size() - at, size_t(random.between(1, 3)));
    if (count < units.size())
        units.erase(units.begin() + long(at), units.begin() + long(at + count));
}

// Another stream, whatever its size, bit depth and chroma format, goes on from here.
void splice(Random &random, Units &units, const Units &other) {
    size_t at = random.below(units.size() + 1);
    size_t from = random.chance(60) ? 0 : random.below(other.size());
    size_t count = random.chance(50) ? other.size() - from : random.below(other.size() - from) + 1;
    if (random.chance(40)) units.resize(at);
    units.insert(units.begin() + long(at), other.begin() + long(from),
                 other.begin() + long(from + count));
}

// Two units arrive as one.
void join(Random &random, Units &units) {
    size_t at = random.below(units.size());
    if (at + 1 == units.size()) return;
    units[at].insert(units[at].end(), units[at + 1].begin(), units[at + 1].end());
    units.erase(units.begin() + long(at + 1));
}

void change_units(Random &random, Stream &stream, const Stream &other) {
    switch (random.below(8)) {
    case 0:
        reorder(random, stream.units);
        break;
    case 1:
        repeat(random, stream.units);
        break;
    case 2:
    case 3:
        lose(random, stream.units);
        break;
    case 4:
    case 5:
    case 6:
        splice(random, stream.units, other.units);
        break;
    case 7:
        join(random, stream.units);
        break;
    }
}

void change_content(Random &random, Bytes &unit, const Stream &other) {
    switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
        flip_bits(random, unit);
        break;
    case 3:
    case 4:
        change_bytes(random, unit);
        break;
    case 5:
        cut_end(random, unit);
        break;
    case 6:
        cut_middle(random, unit);
        break;
    case 7:
        put_in(random, unit, random.pick(other.units));
        break;
    }
}

void limit(Stream &stream) {
    std::erase_if(stream.units, [](const Bytes &unit) { return unit.empty(); });
    if (stream.units.size() > most_units) stream.units.resize(most_units);
    while (stream.units.size() > 1 && stream.size() > most_bytes)
        stream.units.pop_back();
}

} // namespace

Stream mutate(Random &random, const std::vector<Stream> &sources) {
    Codec codec = random.pick(sources).codec;
    Stream stream = pick_source(random, sources, codec);
    // Some as they are: the modes alone are worth a look.
    int count = random.chance(5) ? 0 : 1;
    while (count && count < 12 && random.chance(65))
        count++;
    for (int i = 0; i < count; i++) {
        const Stream &other = pick_source(random, sources, codec);
        size_t kind = random.below(10);
        if (kind < 3)
            change_units(random, stream, other);
        else if (kind < 6)
            change_headers(random, stream, other);
        else
            change_content(random, stream.units[random.below(stream.units.size())], other);
        limit(stream);
    }
    // What is decoded is what a file of it says.
    std::string name = stream.name;
    stream = parse_stream(codec, to_file(stream));
    stream.name = name;
    return stream;
}

} // namespace fuzz
