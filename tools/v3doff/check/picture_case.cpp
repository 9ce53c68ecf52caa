// SPDX-License-Identifier: BSD-2-Clause
#include "picture_case.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace tool {
namespace {

constexpr size_t guard = 192; // a multiple of the alignment
constexpr size_t alignment = 64;

size_t align(size_t value) {
    return (value + alignment - 1) / alignment * alignment;
}

unsigned shift_x(const PictureShape &shape, unsigned plane) {
    return plane && (shape.chroma == V3DOFF_CHROMA_420 || shape.chroma == V3DOFF_CHROMA_422);
}

unsigned shift_y(const PictureShape &shape, unsigned plane) {
    return plane && (shape.chroma == V3DOFF_CHROMA_420 || shape.chroma == V3DOFF_CHROMA_440);
}

// Flat, extreme and noisy pictures reach different ends of the clipping.
uint32_t random_sample(Random &random, unsigned style, uint32_t most) {
    switch (style) {
    case 0:
        return uint32_t(below(random, uint64_t(most) + 1));
    case 1:
        return below(random, 2) ? most : 0;
    case 2:
        return most - uint32_t(below(random, 4));
    default:
        return uint32_t(below(random, 4));
    }
}

} // namespace

uint32_t PictureShape::plane_width(unsigned plane) const {
    unsigned shift = shift_x(*this, plane);
    return (width + (1u << shift) - 1) >> shift;
}

uint32_t PictureShape::plane_height(unsigned plane) const {
    unsigned shift = shift_y(*this, plane);
    return (height + (1u << shift) - 1) >> shift;
}

PictureShape random_shape(Random &random, uint32_t bit_depth, uint32_t largest) {
    PictureShape shape;
    shape.width = uint32_t(1 + below(random, largest));
    shape.height = uint32_t(1 + below(random, largest));
    shape.bit_depth = bit_depth;
    shape.chroma = v3doff_chroma(below(random, 5));
    return shape;
}

GuardedPicture::GuardedPicture(const PictureShape &shape, Random &random) : shape_(shape) {
    size_t end = guard;
    uint64_t gap = below(random, 3);
    for (unsigned p = 0; p < shape.planes(); p++) {
        Plane plane;
        plane.width = uint32_t(align(shape.width)) >> shift_x(shape, p);
        plane.height = uint32_t(align(shape.height)) >> shift_y(shape, p);
        if (below(random, 4) == 0) gap = below(random, 3); // chroma strides may differ
        plane.stride = ptrdiff_t(align(size_t(plane.width) * shape.sample_bytes() + gap * 64));
        plane.offset = end;
        end += size_t(plane.stride) * plane.height + guard;
        plane_.push_back(plane);
    }
    bytes_.resize(end);
    for (size_t at = 0; at < end; at += sizeof(Random::result_type)) {
        const Random::result_type bytes = random();
        std::memcpy(&bytes_[at], &bytes, std::min(sizeof bytes, end - at));
    }
    const uint32_t most = (1u << shape.bit_depth) - 1;
    const unsigned style = unsigned(below(random, 6));
    for (const Plane &plane : plane_)
        for (uint32_t y = 0; y < plane.height; y++)
            for (uint32_t x = 0; x < plane.width; x++) {
                uint32_t sample = random_sample(random, style, most);
                uint8_t *at = &bytes_[plane.offset + y * size_t(plane.stride)];
                if (shape.sample_bytes() == 1) {
                    at[x] = uint8_t(sample);
                } else {
                    uint16_t wide = uint16_t(sample);
                    std::memcpy(at + 2 * size_t(x), &wide, 2);
                }
            }
}

v3doff::PlaneView GuardedPicture::writable(unsigned p) {
    const Plane &plane = plane_[p];
    return {reinterpret_cast<std::byte *>(&bytes_[plane.offset]),
            plane.stride,
            shape_.plane_width(p),
            shape_.plane_height(p),
            plane.width,
            plane.height};
}

GuardedPicture::Copy::Copy(const GuardedPicture &from)
    : from_(from), storage_(from.bytes_.size() + alignment) {
    size_t skip =
        (alignment - reinterpret_cast<uintptr_t>(storage_.data()) % alignment) % alignment;
    data_ = storage_.data() + skip;
    std::memcpy(data_, from.bytes_.data(), from.bytes_.size());
}

v3doff_planes GuardedPicture::Copy::planes() {
    v3doff_planes planes{};
    planes.struct_size = sizeof planes;
    planes.count = from_.shape_.planes();
    for (unsigned p = 0; p < planes.count; p++) {
        planes.data[p] = plane(p);
        planes.stride[p] = from_.plane_[p].stride;
        planes.padded_width[p] = from_.plane_[p].width;
        planes.padded_height[p] = from_.plane_[p].height;
    }
    return planes;
}

void GuardedPicture::restore_outside_blocks(std::vector<uint8_t> &bytes) const {
    std::vector<uint8_t> restored = bytes_;
    for (unsigned p = 0; p < plane_.size(); p++) {
        const size_t width = (shape_.width + 7) / 8 * 8 >> shift_x(shape_, p);
        const size_t height = (shape_.height + 7) / 8 * 8 >> shift_y(shape_, p);
        for (size_t y = 0; y < height; y++) {
            const size_t at = plane_[p].offset + y * size_t(plane_[p].stride);
            std::memcpy(&restored[at], &bytes[at], width * shape_.sample_bytes());
        }
    }
    bytes = std::move(restored);
}

SampleWindow::SampleWindow(const GuardedPicture &from, unsigned plane, int64_t x, int64_t y,
                           int cols, int rows, int64_t width, int64_t height) {
    const size_t bytes = from.shape().sample_bytes();
    const int64_t left = x - margin, all = cols + 3 * margin;
    const int64_t first = std::clamp<int64_t>(-left, 0, all); // column inside the picture
    const int64_t last = std::clamp<int64_t>(width - left, first, all);
    for (int64_t row = 0; row < before + rows + behind; row++) {
        const uint8_t *line =
            from.readable(plane) +
            std::clamp<int64_t>(y - before + row, 0, height - 1) * from.stride(plane);
        uint8_t *to = data_ + row * stride;
        for (int64_t i = 0; i < first; i++)
            std::memcpy(to + i * int64_t(bytes), line, bytes);
        if (first < last)
            std::memcpy(to + first * int64_t(bytes), line + (left + first) * int64_t(bytes),
                        size_t(last - first) * bytes);
        for (int64_t i = last; i < all; i++)
            std::memcpy(to + i * int64_t(bytes), line + (width - 1) * int64_t(bytes), bytes);
    }
    first_ = data_ + before * stride + margin * bytes;
}

std::string GuardedPicture::describe(size_t byte) const {
    for (unsigned p = 0; p < plane_.size(); p++) {
        const Plane &plane = plane_[p];
        if (byte < plane.offset || byte >= plane.offset + size_t(plane.stride) * plane.height)
            continue;
        size_t at = byte - plane.offset;
        size_t x = at % size_t(plane.stride) / shape_.sample_bytes(), y = at / size_t(plane.stride);
        return fmt::format("plane {} of {}x{} ({} bit, chroma {}), {} x={} y={}", p, shape_.width,
                           shape_.height, shape_.bit_depth, int(shape_.chroma),
                           x < plane.width ? "sample" : "guard behind a row,", x, y);
    }
    return fmt::format("guard bytes at {}", byte);
}

namespace {

// Calls visit(the picture's row, the copy's row, bytes).
template <typename Visit>
void each_row(GuardedPicture::Copy &copy, v3doff_picture *picture, Visit visit) {
    const GuardedPicture &of = copy.original();
    const v3doff_planes own = planes_of(picture);
    for (unsigned p = 0; p < of.shape().planes(); p++)
        for (uint32_t y = 0; y < of.padded_height(p); y++)
            visit(static_cast<uint8_t *>(own.data[p]) + y * own.stride[p],
                  copy.plane(p) + y * of.stride(p),
                  size_t(of.padded_width(p)) * of.shape().sample_bytes());
}

// Opens a picture with the copy's samples: in the copy's memory, or in memory of its own.
Picture open_copy(GuardedPicture::Copy &copy, bool own_memory, v3doff_device *device) {
    const PictureShape &shape = copy.original().shape();
    const Pool pool = make_pool(device, shape.width, shape.height, shape.bit_depth, shape.chroma);
    const v3doff_planes guarded = copy.planes();
    Picture picture = open_picture(pool.get(), own_memory ? nullptr : &guarded);
    if (own_memory)
        each_row(copy, picture.get(), [](uint8_t *library, uint8_t *ours, size_t bytes) {
            std::memcpy(library, ours, bytes);
        });
    return picture;
}

} // namespace

void run_in_library(GuardedPicture::Copy &copy, bool own_memory, v3doff_device *device,
                    v3doff_executor expected, const std::function<void(v3doff_picture *)> &record) {
    const Picture picture = open_copy(copy, own_memory, device);
    record(picture.get());
    run_picture(picture.get(), expected);
    if (own_memory)
        each_row(copy, picture.get(), [](uint8_t *library, uint8_t *ours, size_t bytes) {
            std::memcpy(ours, library, bytes);
        });
}

v3doff_dsp_counts count_at_once(v3doff_device *device, const std::function<void()> &calls) {
    v3doff_dsp_counts before{}, after{};
    before.struct_size = after.struct_size = sizeof before;
    check(v3doff_dsp_set_device(device), "choosing the device");
    check(v3doff_dsp_get_counts(&before), "counting");
    calls();
    check(v3doff_dsp_get_counts(&after), "counting");
    check(v3doff_dsp_set_device(nullptr), "letting go of the device");
    after.at_once_gpu -= before.at_once_gpu;
    after.at_once_cpu -= before.at_once_cpu;
    after.at_once_large -= before.at_once_large;
    after.refused -= before.refused;
    return after;
}

std::vector<Picture> open_references(const std::vector<GuardedReference> &references,
                                     v3doff_device *device, v3doff_executor expected,
                                     std::vector<GuardedPicture::Copy> &copies) {
    std::vector<Picture> pictures;
    copies.reserve(references.size());
    for (const GuardedReference &reference : references) {
        GuardedPicture::Copy &copy = copies.emplace_back(reference.picture);
        pictures.push_back(open_copy(copy, reference.own_memory, device));
        run_picture(pictures.back().get(), expected);
    }
    return pictures;
}

TakenBack::TakenBack(const PictureShape &shape, Random &random) {
    for (unsigned i = 0; i < 20; i++)
        areas_.push_back(
            {uint32_t(below(random, V3DOFF_LANES)), uint32_t(below(random, shape.planes())),
             uint32_t(below(random, shape.width)), uint32_t(below(random, shape.height)),
             uint32_t(below(random, 70)), uint32_t(below(random, 70))});
}

void TakenBack::require(v3doff_picture *picture) const {
    for (const Area &area : areas_)
        check(v3doff_picture_require(picture, area.lane, area.plane, area.x, area.y, area.width,
                                     area.height),
              "asking for samples");
}

Result PictureCase::run(Implementation implementation, Bench &bench) const {
    CaseRun run{GuardedPicture::Copy(picture_), {}};
    if (implementation == Implementation::ffmpeg || implementation == Implementation::ffmpeg_c)
        run_ffmpeg(run, implementation == Implementation::ffmpeg);
    else if (implementation == Implementation::vulkan)
        run_library(run, bench.vulkan.get(), V3DOFF_EXECUTOR_GPU);
    else
        run_library(run, bench.cpu.get(), V3DOFF_EXECUTOR_CPU);
    return {{"samples", run.copy.bytes()}, {"coefficients", std::move(run.coefficients)}};
}

std::string PictureCase::describe(const std::string &region, size_t byte) const {
    return region == "samples" ? picture_.describe(byte)
                               : fmt::format("coefficient left behind at byte {}", byte);
}

} // namespace tool
