// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/metrics.h"

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "metrics/session.hpp"

using namespace v3doff;
using namespace v3doff::api;

struct v3doff_metrics : HandleSlot<std::shared_ptr<metrics::Session>> {};

namespace {

PictureView read_picture(const v3doff_planes *from, const metrics::Config &config,
                         const std::string &name) {
    v3doff_planes planes = read_struct(from, name.c_str());
    const PictureFormat &format = config.format;
    if (planes.count != format.planes())
        refuse(name + "->count: " + std::to_string(planes.count) + ", the format has " +
               std::to_string(format.planes()));
    PictureView view;
    view.format = format;
    for (unsigned p = 0; p < config.planes(); p++) {
        const std::string index = "[" + std::to_string(p) + "]";
        PlaneView &plane = view.plane[p];
        plane.data = static_cast<std::byte *>(planes.data[p]);
        plane.stride = planes.stride[p];
        if (!plane.data) refuse(name + "->data" + index + ": null");
        const ptrdiff_t row = ptrdiff_t(format.plane_width(p)) * format.sample_bytes();
        if (std::abs(plane.stride) < row) refuse(name + "->stride" + index + ": less than a row");
    }
    return view;
}

metrics::Config read_config(const v3doff_metrics_info *info) {
    v3doff_metrics_info known = read_struct(info, "info");
    if (known.bit_depth < 8 || known.bit_depth > 16) refuse("info->bit_depth: not 8 to 12");
    if (known.chroma < V3DOFF_CHROMA_400 || known.chroma > V3DOFF_CHROMA_440)
        refuse("info->chroma: unknown");
    return {{known.width, known.height, known.bit_depth, known.chroma}, known.metrics};
}

} // namespace

v3doff_result v3doff_metrics_create(v3doff_metrics **out, v3doff_device *device,
                                    const v3doff_metrics_info *info) {
    return creating(__func__, out, [&] {
        auto &owner = resolve(device, "device");
        auto session = std::make_shared<metrics::Session>(owner->vulkan, read_config(info));
        return slots<v3doff_metrics>().give(std::move(session));
    });
}

void v3doff_metrics_destroy(v3doff_metrics **metrics) {
    ending(__func__, metrics, [&] {
        resolve(*metrics, "metrics");
        refuse_in_callback();
        slots<v3doff_metrics>().take(std::exchange(*metrics, nullptr));
    });
}

v3doff_result v3doff_metrics_push(v3doff_metrics *metrics, const v3doff_planes *reference,
                                  const v3doff_planes *distorted) {
    return guarded(__func__, [&] {
        auto &session = *resolve(metrics, "metrics");
        refuse_in_callback();
        session.push(read_picture(reference, session.config(), "reference"),
                     read_picture(distorted, session.config(), "distorted"));
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_metrics_finish(v3doff_metrics *metrics) {
    return guarded(__func__, [&] {
        resolve(metrics, "metrics")->finish();
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_metrics_pull(v3doff_metrics *metrics, v3doff_metrics_scores *scores,
                                  uint64_t timeout_ns) {
    return guarded(__func__, [&] {
        auto &session = *resolve(metrics, "metrics");
        read_struct(scores, "scores");
        refuse_in_callback();
        v3doff_metrics_scores found{};
        v3doff_result result = session.pull(found, timeout_ns);
        if (result == V3DOFF_OK) write_struct(scores, found);
        return result;
    });
}

v3doff_result v3doff_metrics_get_timer(v3doff_metrics *metrics, uint32_t index, const char **name,
                                       uint64_t *ns) {
    return guarded(__func__, [&] {
        auto &session = *resolve(metrics, "metrics");
        require_pointer(name, "name");
        require_pointer(ns, "ns");
        vk::Commands::Timer timer = session.timer(index);
        *name = timer.name;
        *ns = timer.ns;
        return V3DOFF_OK;
    });
}
