// SPDX-License-Identifier: BSD-2-Clause
#include "core/backup.hpp"

#include <cstring>

#include "core/grow.hpp"

namespace v3doff {

void Backup::begin(vk::Device &device, const PictureMemory &memory, const Rows &rows) {
    size_t end = marker_bytes;
    each_range(memory, rows,
               [&](unsigned, size_t, size_t bytes, size_t at) { end = aligned(at + bytes); });
    grow(buffer_, end, [&](size_t size) {
        auto buffer = vk::Buffer::create_readable(device, size);
        buffer->begin_cpu_access();
        std::memset(buffer->data(), 0, marker_bytes);
        buffer->end_cpu_access();
        return buffer;
    });
    if (++number_ == 0) number_++; // 0 is what a new one has
}

void Backup::restore(const PictureMemory &memory, const Rows &rows) const {
    buffer_->begin_cpu_access();
    const std::byte *kept = buffer_->data_to_read();
    uint32_t complete = 0;
    std::memcpy(&complete, kept, sizeof complete);
    if (complete == number_)
        each_range(memory, rows, [&](unsigned p, size_t from, size_t bytes, size_t at) {
            // Row by row: what lies between the rows may be another picture's, a field's.
            const size_t stride = size_t(memory.map().stride_words[p]) * 4;
            for (size_t row = 0; row < bytes; row += stride)
                std::memcpy(memory.gpu()->data() + from + row, kept + at + row,
                            memory.row_bytes(p));
        });
    buffer_->end_cpu_access();
}

} // namespace v3doff
