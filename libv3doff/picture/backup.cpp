// SPDX-License-Identifier: BSD-2-Clause
#include "picture/backup.hpp"

#include <cstring>

#include "picture/grow.hpp"

namespace v3doff {

size_t Backup::bytes_for(const SampleMap &map, const PlaneRows &rows) {
    size_t end = marker_bytes;
    each_range(map, rows,
               [&](unsigned, size_t, size_t bytes, size_t at) { end = aligned(at + bytes); });
    return end;
}

void Backup::begin(vk::Device &device, size_t bytes) {
    grow(buffer_, bytes, [&](size_t size) {
        auto buffer = vk::Buffer::create_readable(device, size);
        buffer->begin_cpu_access();
        std::memset(buffer->data(), 0, marker_bytes);
        buffer->end_cpu_access();
        return buffer;
    });
    if (++number_ == 0) number_++; // 0 is what a new one has
}

void Backup::restore(const Surface &surface, const PlaneRows &rows) const {
    const SampleMap &map = surface.map();
    buffer_->begin_cpu_access();
    const std::byte *kept = buffer_->data_to_read();
    uint32_t complete = 0;
    std::memcpy(&complete, kept, sizeof complete);
    if (complete == number_)
        each_range(map, rows, [&](unsigned p, size_t from, size_t bytes, size_t at) {
            // Row by row: between a field's rows there is another picture.
            for (size_t row = 0; row < bytes; row += map.stride_bytes(p))
                std::memcpy(surface.gpu()->data() + from + row, kept + at + row, map.row_bytes[p]);
        });
    buffer_->end_cpu_access();
}

} // namespace v3doff
