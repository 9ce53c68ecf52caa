// SPDX-License-Identifier: BSD-2-Clause
#include "fields.hpp"

#include <cstring>

namespace fuzz {
namespace {

class BitWriter {
  public:
    void bit(bool value) {
        if (used_ % 8 == 0) bytes_.push_back(0);
        if (value) bytes_.back() = uint8_t(bytes_.back() | 0x80 >> used_ % 8);
        used_++;
    }
    void number(uint64_t value, int bits) {
        while (bits--)
            bit(value >> bits & 1);
    }
    void golomb(uint64_t value) {
        int bits = 0;
        while ((value + 1) >> (bits + 1))
            bits++;
        number(0, bits);
        number(value + 1, bits + 1);
    }
    Bytes take() { return std::move(bytes_); }

  private:
    Bytes bytes_;
    size_t used_ = 0;
};

} // namespace

Field *Header::find(const char *name) {
    size_t at = index_of(name);
    return at < fields.size() ? &fields[at] : nullptr;
}

size_t Header::index_of(const char *name) const {
    size_t at = 0;
    while (at < fields.size() && std::strcmp(fields[at].name, name))
        at++;
    return at;
}

bool FieldReader::bit() {
    if (at_ >= bytes_.size() * 8) {
        failed_ = true;
        return false;
    }
    bool value = bytes_[at_ / 8] >> (7 - at_ % 8) & 1;
    at_++;
    return value;
}

int64_t FieldReader::number(int bits) {
    uint64_t value = 0;
    while (bits-- && !failed_)
        value = value << 1 | uint64_t(bit());
    return int64_t(value);
}

int64_t FieldReader::read_golomb() {
    int zeros = 0;
    while (!failed_ && !bit())
        zeros++;
    if (zeros > 31) failed_ = true;
    return failed_ ? 0 : int64_t((uint64_t(1) << zeros) - 1 + uint64_t(number(zeros)));
}

int64_t FieldReader::fixed(const char *name, int bits) {
    int64_t value = number(bits);
    fields_.push_back({name, Field::fixed, bits, value});
    return value;
}

int64_t FieldReader::golomb(const char *name) {
    int64_t value = read_golomb();
    fields_.push_back({name, Field::golomb, 0, value});
    return value;
}

int64_t FieldReader::signed_golomb(const char *name) {
    int64_t code = read_golomb(), value = code & 1 ? (code + 1) / 2 : -(code / 2);
    fields_.push_back({name, Field::signed_golomb, 0, value});
    return value;
}

Header FieldReader::take() {
    Header header{std::move(fields_), {}};
    while (at_ < bytes_.size() * 8)
        header.tail.push_back(bit());
    return header;
}

Bytes write_header(const Header &header) {
    BitWriter writer;
    for (const Field &field : header.fields) {
        switch (field.kind) {
        case Field::fixed:
            writer.number(uint64_t(field.value), field.bits);
            break;
        case Field::golomb:
            writer.golomb(uint64_t(field.value));
            break;
        case Field::signed_golomb:
            writer.golomb(uint64_t(field.value > 0 ? 2 * field.value - 1 : -2 * field.value));
            break;
        }
    }
    for (bool bit : header.tail)
        writer.bit(bit);
    return writer.take();
}

void change_field(Random &random, Field &field) {
    const int64_t old = field.value;
    int64_t most = field.kind == Field::fixed ? int64_t((uint64_t(1) << field.bits) - 1) : 60;
    int64_t least = field.kind == Field::signed_golomb ? -30 : 0;
    if (random.chance(40))
        field.value = old + random.pick({-1, 1, 2, -2});
    else if (random.chance(30))
        field.value = random.pick({old / 2, old * 2, old + 8});
    else
        field.value = least + int64_t(random.below(size_t(most - least + 1)));
    if (field.value < least || field.value > (field.kind == Field::fixed ? most : 1 << 16))
        field.value = least;
    if (field.value == old) field.value = old == least ? least + 1 : least;
}

} // namespace fuzz
