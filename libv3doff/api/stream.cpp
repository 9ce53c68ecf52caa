// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/stream.h"

#include <memory>
#include <utility>

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "util/process.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

v3doff_stream_info read_stream_info(const v3doff_stream_info *from) {
    const v3doff_stream_info info = read_struct(from, "info");
    if (info.codec < V3DOFF_CODEC_VP9 || info.codec > V3DOFF_CODEC_H264)
        refuse("info->codec: unknown");
    if (info.mode < V3DOFF_MODE_AUTO || info.mode > V3DOFF_MODE_CPU) refuse("info->mode: unknown");
    if (info.scope < V3DOFF_SCOPE_AUTO || info.scope > V3DOFF_SCOPE_RECONSTRUCTION)
        refuse("info->scope: unknown, or NONE");
    if (!info.threads) refuse("info->threads: 0");
    if (info.log_level < V3DOFF_LOG_ERROR || info.log_level > V3DOFF_LOG_DEBUG)
        refuse("info->log_level: unknown");
    return info;
}

Stream::Need read_need(const v3doff_stream_open_info &from) {
    if (from.bit_depth && (from.bit_depth < 8 || from.bit_depth > 14))
        refuse("info->bit_depth: not 0, nor from 8 to 14");
    if (from.chroma < V3DOFF_CHROMA_400 || from.chroma > V3DOFF_CHROMA_440)
        refuse("info->chroma: unknown");
    return {{64, 64, from.bit_depth, from.chroma},
            from.bit_depth != 0,
            from.mbaff != 0,
            from.begin != 0,
            from.wait != 0};
}

v3doff_result result_of(Stream::State state) {
    static constexpr v3doff_result results[] = {V3DOFF_NOT_READY, V3DOFF_OK,
                                                V3DOFF_ERROR_NO_DEVICE};
    return results[size_t(state)];
}

Policy::Question read_question(const v3doff_policy_question *from, const Stream &stream) {
    const v3doff_policy_question known = read_struct(from, "question");
    if (known.possible >> V3DOFF_FAMILIES) refuse("question->possible: unknown bits");
    if (stream.device() && (!known.width || !known.height)) refuse("question->width, height: 0");
    return {nullptr,        known.width,        known.height,  known.bit_depth > 8,
            known.possible, known.awaited != 0, known.obstacle};
}

} // namespace

v3doff_result v3doff_stream_create(v3doff_stream **out, const v3doff_stream_info *info) {
    return creating(__func__, out, [&]() -> v3doff_stream * {
        process::watch_main_thread();
        const v3doff_stream_info known = read_stream_info(info);
        auto stream = std::make_shared<Stream>(
            Policy::Settings{known.codec, known.mode, known.scope, known.threads, known.helpers},
            Stream::Lines{known.log, known.log_opaque, known.log_level});
        if (stream->settings().mode == V3DOFF_MODE_CPU) return nullptr;
        return slots<v3doff_stream>().give(std::move(stream));
    });
}

v3doff_result v3doff_stream_get_info(v3doff_stream *stream, v3doff_stream_info *info) {
    return guarded(__func__, [&] {
        const Stream &object = *resolve(stream, "stream");
        v3doff_stream_info result = read_struct(info, "info");
        const Policy::Settings &settings = object.settings();
        result.codec = settings.codec;
        result.mode = settings.mode;
        result.scope = settings.scope;
        result.threads = settings.threads;
        result.helpers = settings.helpers;
        result.log = object.log().write;
        result.log_opaque = object.log().opaque;
        result.log_level = object.log().level;
        write_struct(info, result);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_stream_lend(v3doff_stream *stream, v3doff_device *device) {
    return guarded(__func__, [&] {
        Stream &object = *resolve(stream, "stream");
        auto &lent = resolve(device, "device");
        if (!lent->vulkan) throw Error(V3DOFF_ERROR_UNSUPPORTED, "device: it is the CPU");
        return object.lend(lent) ? V3DOFF_OK : V3DOFF_NOT_READY;
    });
}

v3doff_result v3doff_stream_open(v3doff_stream *stream, const v3doff_stream_open_info *info) {
    return guarded(__func__, [&] {
        Stream &object = *resolve(stream, "stream");
        const v3doff_stream_open_info known = read_struct(info, "info");
        const Stream::Need need = read_need(known);
        refuse_in_callback();
        return result_of(object.open(need, {known.line, known.opaque}));
    });
}

v3doff_result v3doff_stream_state(v3doff_stream *stream) {
    return guarded(__func__, [&] { return result_of(resolve(stream, "stream")->state()); });
}

v3doff_result v3doff_stream_get_properties(v3doff_stream *stream,
                                           v3doff_device_properties *properties) {
    return guarded(__func__, [&] {
        const Stream &object = *resolve(stream, "stream");
        const OpenDevice *const device = object.device();
        if (!device || object.is_given_up()) return V3DOFF_NOT_READY;
        write_properties(*device, properties);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_stream_open_picture(v3doff_stream *stream, v3doff_picture **out,
                                         const v3doff_pool_info *format,
                                         const v3doff_planes *planes) {
    const v3doff_result result = creating(__func__, out, [&]() -> v3doff_picture * {
        Stream &object = *resolve(stream, "stream");
        const PoolKind kind = read_pool_kind(format);
        PictureView view;
        if (planes) view = read_planes(planes, kind.format);
        Picture *const picture = object.open_picture(kind, planes ? &view : nullptr);
        return picture ? give_picture(picture) : nullptr;
    });
    return result == V3DOFF_OK && !*out ? V3DOFF_NOT_READY : result;
}

v3doff_result v3doff_stream_ask(v3doff_stream *stream, const v3doff_policy_question *question,
                                v3doff_policy_answer *answer) {
    return guarded(__func__, [&] {
        Stream &object = *resolve(stream, "stream");
        v3doff_policy_answer result = read_struct(answer, "answer");
        const Policy::Answer found = object.ask(read_question(question, object));
        result.scope = found.decision.scope;
        result.families = found.decision.families;
        result.counted = found.counted;
        result.failed = found.failed;
        result.alone = found.alone;
        result.reason = found.decision.reason;
        write_struct(answer, result);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_stream_done(v3doff_stream *stream, v3doff_executor executor) {
    return guarded(__func__, [&] {
        Stream &object = *resolve(stream, "stream");
        if (executor < V3DOFF_EXECUTOR_NONE || executor > V3DOFF_EXECUTOR_CPU)
            refuse("executor: unknown");
        object.policy().done(executor);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_stream_give_up(v3doff_stream *stream, v3doff_result why) {
    return guarded(__func__, [&] {
        Stream &object = *resolve(stream, "stream");
        if (why >= 0) refuse("why: no error");
        object.give_up(why);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_stream_count(v3doff_stream *stream, v3doff_event event, const char *reason) {
    return guarded(__func__, [&] {
        Stream &object = *resolve(stream, "stream");
        if (event < V3DOFF_EVENT_CPU || event >= V3DOFF_EVENTS) refuse("event: unknown");
        if (event <= V3DOFF_EVENT_CPU_WHOLE) require_pointer(reason, "reason");
        if (object.counts().count(event, reason))
            LOG_INFO("a picture is decoded on the CPU: %s", reason);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_stream_end(v3doff_stream *stream, v3doff_log_callback line, void *opaque) {
    return guarded(__func__, [&] {
        resolve(stream, "stream")->end({line, opaque});
        return V3DOFF_OK;
    });
}

// A process that ends keeps the object, but may unload the library whose callback hears the log.
void v3doff_stream_destroy(v3doff_stream **stream) {
    ending(
        __func__, stream,
        [&] {
            resolve(*stream, "stream");
            refuse_in_callback();
            slots<v3doff_stream>().take(std::exchange(*stream, nullptr))->close();
        },
        [&] { resolve(*stream, "stream")->end_log(); });
}
