// SPDX-License-Identifier: BSD-2-Clause
// A header as a list of its fields, so that one can be changed and the rest stays what it was.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "random.hpp"

namespace fuzz {

using Bytes = std::vector<uint8_t>;

struct Field {
    enum Kind { fixed, golomb, signed_golomb };
    const char *name;
    Kind kind;
    int bits; // of a fixed one
    int64_t value;
};

// Bits behind the last field that is understood follow as they are.
struct Header {
    std::vector<Field> fields;
    std::vector<bool> tail;

    Field *find(const char *name);
    size_t index_of(const char *name) const; // fields.size(): there is none
};

class FieldReader {
  public:
    explicit FieldReader(const Bytes &bytes) : bytes_(bytes) {}

    int64_t fixed(const char *name, int bits);
    bool flag(const char *name) { return fixed(name, 1) != 0; }
    int64_t golomb(const char *name);
    int64_t signed_golomb(const char *name);

    bool failed() const { return failed_; }
    size_t position() const { return at_; }
    Header take(); // with what has not been read as its tail

  private:
    bool bit();
    int64_t number(int bits);
    int64_t read_golomb();

    const Bytes &bytes_;
    size_t at_ = 0;
    bool failed_ = false;
    std::vector<Field> fields_;
};

// Whole bytes; zeros fill the last one.
Bytes write_header(const Header &header);

// Another value for one of the fields, any or one near it.
void change_field(Random &random, Field &field);

} // namespace fuzz
