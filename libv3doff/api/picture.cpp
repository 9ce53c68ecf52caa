// SPDX-License-Identifier: BSD-2-Clause
#include "picture/picture.hpp"

#include <algorithm>
#include <tuple>

#include "api/recording.hpp"
#include "policy/idle_pools.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

constexpr unsigned default_max_pictures = 64, most_pictures = 1024;

PictureFormat read_format(const v3doff_pool_info &info) {
    if (info.width < 1 || info.width > max_picture_side)
        refuse("info->width: " + std::to_string(info.width) + " is not 1 to 16384");
    if (info.height < 1 || info.height > max_picture_side)
        refuse("info->height: " + std::to_string(info.height) + " is not 1 to 16384");
    if (info.bit_depth < 8 || info.bit_depth > 14)
        refuse("info->bit_depth: " + std::to_string(info.bit_depth) + " is not 8 to 14");
    if (info.chroma < V3DOFF_CHROMA_400 || info.chroma > V3DOFF_CHROMA_440)
        refuse("info->chroma: unknown");
    return {info.width, info.height, info.bit_depth, info.chroma};
}

PlaneStrides read_strides(const v3doff_pool_info &info, const PictureFormat &format) {
    PlaneStrides strides = {};
    for (unsigned p = 0; p < format.planes(); p++) {
        const uint32_t width = ((format.width + 7) & ~7u) >> format.shift_x(p);
        strides[p] = info.stride[p];
        if (strides[p] && (strides[p] % 16 || strides[p] < width * format.sample_bytes() ||
                           strides[p] > 1u << 24))
            refuse("info->stride[" + std::to_string(p) +
                   "]: smaller than a row, or not whole 16 bytes");
    }
    if (strides[1] != strides[2]) refuse("info->stride: the chroma planes have different ones");
    return strides;
}

} // namespace

PoolKind api::read_pool_kind(const v3doff_pool_info *info) {
    const v3doff_pool_info known = read_struct(info, "info");
    const PictureFormat format = read_format(known);
    if (known.max_pictures > most_pictures) refuse("info->max_pictures: more than 1024");
    if (known.memory < V3DOFF_MEMORY_AUTO || known.memory > V3DOFF_MEMORY_CPU)
        refuse("info->memory: unknown");
    return {format, known.max_pictures ? known.max_pictures : default_max_pictures, known.memory,
            read_strides(known, format)};
}

PictureView api::read_planes(const v3doff_planes *from, const PictureFormat &format) {
    v3doff_planes planes = read_struct(from, "planes");
    if (planes.count != format.planes())
        refuse("planes->count: " + std::to_string(planes.count) + ", the format has " +
               std::to_string(format.planes()));
    if (planes.flags & ~uint32_t(V3DOFF_PLANES_SEPARATE)) refuse("planes->flags: unknown");
    PictureView view;
    view.format = format;
    view.one_allocation = !(planes.flags & V3DOFF_PLANES_SEPARATE);
    for (unsigned p = 0; p < planes.count; p++) {
        const std::string index = "[" + std::to_string(p) + "]";
        PlaneView &plane = view.plane[p];
        plane.data = static_cast<std::byte *>(planes.data[p]);
        plane.stride = planes.stride[p];
        plane.width = format.plane_width(p);
        plane.height = format.plane_height(p);
        plane.padded_width = planes.padded_width[p] ? planes.padded_width[p] : plane.width;
        plane.padded_height = planes.padded_height[p] ? planes.padded_height[p] : plane.height;
        if (!plane.data) refuse("planes->data" + index + ": null");
        if (reinterpret_cast<uintptr_t>(plane.data) % format.sample_bytes())
            refuse("planes->data" + index + ": not aligned to a sample");
        if (plane.padded_width < plane.width || plane.padded_width > 2 * max_picture_side)
            refuse("planes->padded_width" + index + ": smaller than the plane, or far larger");
        if (plane.padded_height < plane.height || plane.padded_height > 2 * max_picture_side)
            refuse("planes->padded_height" + index + ": smaller than the plane, or far larger");
        if (plane.stride < ptrdiff_t(plane.padded_width) * format.sample_bytes() ||
            plane.stride % format.sample_bytes() || plane.stride > ptrdiff_t(1) << 24)
            refuse("planes->stride" + index + ": smaller than a row, or not whole samples");
    }
    return view;
}

namespace {

Picture &picture_of(v3doff_picture *handle) {
    return *resolve(handle, "picture");
}

} // namespace

v3doff_picture *api::give_picture(Picture *picture) {
    try {
        return slots<v3doff_picture>().give(picture);
    } catch (...) { // no memory
        picture->pool().close(picture);
        throw;
    }
}

v3doff_result v3doff_pool_create(v3doff_pool **out, v3doff_device *device,
                                 const v3doff_pool_info *info) {
    return creating(__func__, out, [&] {
        auto &owner = resolve(device, "device");
        PoolKind kind = read_pool_kind(info);
        if (kind.path == V3DOFF_MEMORY_AUTO) kind.path = owner->memory;
        return slots<v3doff_pool>().give(IdlePools::open(owner->vulkan, kind));
    });
}

void v3doff_pool_destroy(v3doff_pool **pool) {
    ending(__func__, pool, [&] {
        resolve(*pool, "pool");
        refuse_in_callback();
        slots<v3doff_pool>().take(std::exchange(*pool, nullptr));
    });
}

v3doff_result v3doff_picture_open(v3doff_picture **out, v3doff_pool *pool,
                                  const v3doff_planes *planes) {
    return creating(__func__, out, [&] {
        auto &owner = resolve(pool, "pool");
        IdlePools::drop_old(owner->device());
        PictureView view;
        if (planes) view = read_planes(planes, owner->layout().format);
        return give_picture(owner->open(planes ? &view : nullptr));
    });
}

v3doff_result v3doff_picture_get_planes(v3doff_picture *picture, v3doff_planes *planes) {
    return guarded(__func__, [&] {
        const PictureView &view = picture_of(picture).view();
        v3doff_planes result = read_struct(planes, "planes");
        result.count = view.format.planes();
        for (unsigned p = 0; p < result.count; p++) {
            result.data[p] = view.plane[p].data;
            result.stride[p] = view.plane[p].stride;
            result.width[p] = view.plane[p].width;
            result.height[p] = view.plane[p].height;
            result.padded_width[p] = view.plane[p].padded_width;
            result.padded_height[p] = view.plane[p].padded_height;
        }
        write_struct(planes, result);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_picture_get_dma_buf(v3doff_picture *picture, v3doff_dma_buf *dma_buf) {
    return on_device(__func__, [&] {
        Picture &object = picture_of(picture);
        v3doff_dma_buf result = read_struct(dma_buf, "dma_buf");
        refuse_in_callback();
        const Surface &surface = object.share();
        const SampleMap &map = surface.map();
        result.fd = surface.gpu()->dma_buf_fd();
        result.size = surface.gpu()->size();
        result.count = map.format.planes();
        for (unsigned p = 0; p < result.count; p++) {
            result.offset[p] = map.offset_words[p] * 4;
            result.stride[p] = map.stride_words[p] * 4;
        }
        write_struct(dma_buf, result);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_picture_require(v3doff_picture *picture, uint32_t lane, uint32_t plane,
                                     uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
    return guarded(__func__, [&]() -> v3doff_result {
        Picture &object = picture_with_lane(picture, lane);
        if (plane >= object.format().planes())
            refuse("plane: " + std::to_string(plane) + ", the picture has " +
                   std::to_string(object.format().planes()));
        const PlaneView &view = object.view().plane[plane];
        Picture::LaneGuard guard(object, lane);
        if (x >= view.padded_width || y >= view.padded_height) return V3DOFF_OK;
        object.require(lane, plane,
                       {x, y, std::min(width, view.padded_width - x),
                        std::min(height, view.padded_height - y)});
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_picture_prepare(v3doff_picture *picture) {
    return on_device(__func__, [&] {
        picture_of(picture).plan();
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_picture_get_pass(v3doff_picture *picture, uint32_t index, v3doff_pass *pass) {
    return guarded(__func__, [&] {
        const Picture &object = picture_of(picture);
        v3doff_pass result = read_struct(pass, "pass");
        if (!object.fill_pass(index, result)) return V3DOFF_NOT_READY;
        write_struct(pass, result);
        return V3DOFF_OK;
    });
}

namespace {

// Counts a picture of a stream when it is done. The decoder's callback comes last, because it may
// let the decoder destroy everything.
struct Turn {
    std::shared_ptr<Stream> stream;
    bool counted, whole;
    v3doff_done_callback done;
    void *opaque;

    static void end(void *opaque, v3doff_picture *picture) {
        const std::unique_ptr<Turn> turn(static_cast<Turn *>(opaque));
        v3doff_picture_report report{};
        picture_of(picture).fill_report(report);
        if (turn->counted) turn->stream->policy().done(report.executor);
        turn->stream->counts().count_done(report, turn->whole);
        if (turn->done) turn->done(turn->opaque, picture);
    }
};

v3doff_result submit(const char *function, v3doff_picture *picture, const v3doff_submit_info *info,
                     Picture::By by) {
    return on_device(function, [&] {
        Picture &object = picture_of(picture);
        refuse_in_callback();
        v3doff_submit_info known{};
        if (info) known = read_struct(info, "info");
        std::unique_ptr<Turn> turn;
        if (known.stream) {
            turn = std::make_unique<Turn>(Turn{resolve(known.stream, "info->stream"),
                                               known.counted != 0, known.whole != 0, known.done,
                                               known.opaque});
            known.done = Turn::end, known.opaque = turn.get();
        }
        const std::shared_ptr<Stream> stream = turn && turn->counted ? turn->stream : nullptr;
        object.submit({picture, known.opaque, known.done, nullptr}, by);
        std::ignore = turn.release(); // the callback frees it, and may have done so
        if (stream) stream->policy().handed_over();
        return V3DOFF_OK;
    });
}

} // namespace

v3doff_result v3doff_picture_submit(v3doff_picture *picture, const v3doff_submit_info *info) {
    return submit(__func__, picture, info, Picture::By::device);
}

v3doff_result v3doff_picture_do_on_cpu(v3doff_picture *picture, const v3doff_submit_info *info) {
    return submit(__func__, picture, info, Picture::By::cpu);
}

v3doff_result v3doff_picture_submit_rows(v3doff_picture *picture, const v3doff_rows_info *info) {
    return on_device(__func__, [&] {
        Picture &object = picture_of(picture);
        refuse_in_callback();
        v3doff_rows_info known = read_struct(info, "info");
        return object.submit_rows(known.row_end, {picture, known.opaque, nullptr, known.done})
                   ? V3DOFF_OK
                   : V3DOFF_NOT_READY;
    });
}

v3doff_result v3doff_picture_wait(v3doff_picture *picture, uint64_t timeout_ns) {
    return guarded(__func__, [&] {
        Picture &object = picture_of(picture);
        refuse_in_callback();
        return object.wait(timeout_ns);
    });
}

v3doff_result v3doff_picture_discard(v3doff_picture *picture) {
    return guarded(__func__, [&] {
        picture_of(picture).discard();
        return V3DOFF_OK;
    });
}

// Also when the process ends: the caller frees what its callbacks use when this has waited for
// bands.
v3doff_result v3doff_picture_reopen(v3doff_picture *picture) {
    return guarded(__func__, [&] {
        Picture &object = picture_of(picture);
        refuse_in_callback();
        object.reopen();
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_picture_get_report(v3doff_picture *picture, v3doff_picture_report *report) {
    return guarded(__func__, [&] {
        Picture &object = picture_of(picture);
        v3doff_picture_report result = read_struct(report, "report");
        object.fill_report(result);
        write_struct(report, result);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_picture_get_timer(v3doff_picture *picture, uint32_t index, const char **name,
                                       uint64_t *ns) {
    return guarded(__func__, [&] {
        Picture &object = picture_of(picture);
        require_pointer(name, "name");
        require_pointer(ns, "ns");
        auto timer = object.timer(index);
        *name = timer.name;
        *ns = timer.ns;
        return V3DOFF_OK;
    });
}

// A process that ends waits, too: the caller frees its samples, and what its callbacks use.
void v3doff_picture_close(v3doff_picture **picture) {
    const auto wait = [&]() -> Picture & {
        Picture &object = picture_of(*picture);
        refuse_in_callback();
        object.wait_until_idle(); // callbacks still get the handle
        return object;
    };
    ending(
        __func__, picture,
        [&] {
            Picture &object = wait();
            slots<v3doff_picture>().take(std::exchange(*picture, nullptr));
            object.pool().close(&object);
        },
        wait);
}
