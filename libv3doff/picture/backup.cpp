// SPDX-License-Identifier: BSD-2-Clause
#include "picture/backup.hpp"

#include <cstring>
#include <new>

#include "picture/grow.hpp"

namespace v3doff {

size_t Backup::bytes_for(const Surface &surface, const Rows &rows) {
    size_t end = marker_bytes;
    each_range(surface, rows,
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

void Backup::restore(const Surface &surface, const Rows &rows) const {
    buffer_->begin_cpu_access();
    const std::byte *kept = buffer_->data_to_read();
    uint32_t complete = 0;
    std::memcpy(&complete, kept, sizeof complete);
    if (complete == number_)
        each_range(surface, rows, [&](unsigned p, size_t from, size_t bytes, size_t at) {
            // Row by row: between a field's rows there is another picture.
            const size_t stride = size_t(surface.map().stride_words[p]) * 4;
            for (size_t row = 0; row < bytes; row += stride)
                std::memcpy(surface.gpu()->data() + from + row, kept + at + row,
                            surface.row_bytes(p));
        });
    buffer_->end_cpu_access();
}

// The smallest with enough room, or one with nearly enough, so that their number stays small.
std::unique_ptr<Backup> Backups::take_free(size_t bytes) {
    std::lock_guard lock(mutex_);
    size_t found = free_.size(), most = SIZE_MAX;
    for (size_t i = 0; i < free_.size(); i++) {
        const size_t has = free_[i]->bytes(), rank = has < bytes ? SIZE_MAX - has : has;
        if (has < bytes - bytes / 4 || rank >= most) continue;
        found = i;
        most = rank;
    }
    if (found == free_.size()) return nullptr;
    std::swap(free_[found], free_.back());
    auto backup = std::move(free_.back());
    free_.pop_back();
    return backup;
}

std::unique_ptr<Backup> Backups::take(vk::Device &device, const Surface &surface,
                                      const Backup::Rows &rows) {
    const size_t bytes = Backup::bytes_for(surface, rows);
    auto backup = take_free(bytes);
    if (!backup) backup = std::make_unique<Backup>();
    backup->begin(device, bytes);
    return backup;
}

void Backups::give(std::unique_ptr<Backup> backup) noexcept {
    std::lock_guard lock(mutex_);
    try {
        free_.push_back(std::move(backup));
    } catch (const std::bad_alloc &) { // then there is one less
    }
}

} // namespace v3doff
