// SPDX-License-Identifier: BSD-2-Clause
#include "memory.hpp"

#include <utility>

namespace v3doff::order {

void Monitor::report(const char *what, const std::string &buffer, int x, int y) {
    if (!violations_++)
        first_ = std::string(what) + ": " + buffer + " x=" + std::to_string(x) +
                 " y=" + std::to_string(y) + " in dispatch " + std::to_string(dispatch_);
}

Memory::Memory(Monitor &monitor, std::string name, int buffer, int width, int height)
    : monitor_(monitor), name_(std::move(name)), buffer_(buffer), width_(width), height_(height),
      cells_(static_cast<size_t>(width) * static_cast<size_t>(height)) {}

void Memory::fill(const std::vector<Sample> &samples, bool constant) {
    constant_ = constant;
    for (size_t i = 0; i < cells_.size(); ++i) {
        cells_[i].value = samples[i];
        cells_[i].write_dispatch = 0;
    }
}

bool Memory::clash(uint16_t dispatch, uint32_t item) const {
    return dispatch == monitor_.dispatch() && !(monitor_.in_place() && item == monitor_.item());
}

Sample Memory::load(int x, int y, int part) {
    if (!inside(x, y)) {
        monitor_.report("read outside of the plane", name_, x, y);
        return 0;
    }
    Cell &cell = cells_[index(x, y)];
    ++monitor_.loads;
    monitor_.reach.note(part < 0 ? buffer_ : part, false, x, y);
    if (cell.write_dispatch == never)
        monitor_.report("read of a sample that nobody wrote", name_, x, y);
    else if (clash(cell.write_dispatch, cell.write_item))
        monitor_.report("read of a sample that the same dispatch writes", name_, x, y);
    const bool other =
        cell.read_dispatch == monitor_.dispatch() && cell.read_item != monitor_.item();
    cell.read_item = other ? several : monitor_.item();
    cell.read_dispatch = monitor_.dispatch();
    return cell.value;
}

void Memory::store(int x, int y, Sample value) {
    if (!inside(x, y)) {
        monitor_.report("write outside of the plane", name_, x, y);
        return;
    }
    Cell &cell = cells_[index(x, y)];
    ++monitor_.stores;
    monitor_.reach.note(buffer_, true, x, y);
    if (constant_) monitor_.report("write to a plane that must stay as it is", name_, x, y);
    if (clash(cell.write_dispatch, cell.write_item))
        monitor_.report("second write of a sample in one dispatch", name_, x, y);
    if (clash(cell.read_dispatch, cell.read_item))
        monitor_.report("write of a sample that the same dispatch reads", name_, x, y);
    cell.value = value;
    cell.write_item = monitor_.item();
    cell.write_dispatch = monitor_.dispatch();
}

long Memory::differences(const std::vector<Sample> &expected) const {
    long count = 0;
    for (size_t i = 0; i < cells_.size(); ++i)
        count += cells_[i].write_dispatch == never || cells_[i].value != expected[i];
    return count;
}

} // namespace v3doff::order
