// SPDX-License-Identifier: BSD-2-Clause
#include <memory>
#include <utility>

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "util/process.hpp"
#include "v3doff/policy.h"

using namespace v3doff;
using namespace v3doff::api;

namespace {

v3doff_policy_info read_policy_info(const v3doff_policy_info *from) {
    const v3doff_policy_info info = read_struct(from, "info");
    if (info.codec < V3DOFF_CODEC_VP9 || info.codec > V3DOFF_CODEC_H264)
        refuse("info->codec: unknown");
    if (info.mode < V3DOFF_MODE_AUTO || info.mode > V3DOFF_MODE_CPU) refuse("info->mode: unknown");
    if (info.scope < V3DOFF_SCOPE_AUTO || info.scope > V3DOFF_SCOPE_RECONSTRUCTION)
        refuse("info->scope: unknown, or NONE");
    if (!info.threads) refuse("info->threads: 0");
    return info;
}

Policy::Question read_question(const v3doff_policy_question *from) {
    const v3doff_policy_question known = read_struct(from, "question");
    if (known.possible >> V3DOFF_FAMILIES) refuse("question->possible: unknown bits");
    Policy::Question question{
        nullptr,        known.width,        known.height,  known.bit_depth > 8,
        known.possible, known.awaited != 0, known.obstacle};
    if (!known.device) return question;
    question.device = resolve(known.device, "question->device")->vulkan.get();
    if (!question.device) throw Error(V3DOFF_ERROR_UNSUPPORTED, "question->device: it is the CPU");
    if (!known.width || !known.height) refuse("question->width, height: 0");
    return question;
}

} // namespace

v3doff_result v3doff_policy_create(v3doff_policy **out, const v3doff_policy_info *info) {
    return creating(__func__, out, [&] {
        process::watch_main_thread();
        const v3doff_policy_info known = read_policy_info(info);
        return slots<v3doff_policy>().give(std::make_shared<Policy>(
            Policy::Settings{known.codec, known.mode, known.scope, known.threads, known.helpers}));
    });
}

v3doff_result v3doff_policy_get_info(v3doff_policy *policy, v3doff_policy_info *info) {
    return guarded(__func__, [&] {
        const Policy &object = *resolve(policy, "policy");
        v3doff_policy_info result = read_struct(info, "info");
        const Policy::Settings &settings = object.settings();
        result.codec = settings.codec;
        result.mode = settings.mode;
        result.scope = settings.scope;
        result.threads = settings.threads;
        result.helpers = settings.helpers;
        write_struct(info, result);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_policy_ask(v3doff_policy *policy, const v3doff_policy_question *question,
                                v3doff_policy_answer *answer) {
    return guarded(__func__, [&] {
        Policy &object = *resolve(policy, "policy");
        v3doff_policy_answer result = read_struct(answer, "answer");
        const Policy::Answer found = object.ask(read_question(question));
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

v3doff_result v3doff_policy_done(v3doff_policy *policy, v3doff_executor executor) {
    return guarded(__func__, [&] {
        Policy &object = *resolve(policy, "policy");
        if (executor < V3DOFF_EXECUTOR_NONE || executor > V3DOFF_EXECUTOR_CPU)
            refuse("executor: unknown");
        object.done(executor);
        return V3DOFF_OK;
    });
}

void v3doff_policy_destroy(v3doff_policy **policy) {
    ending(__func__, policy, [&] {
        resolve(*policy, "policy")->end();
        slots<v3doff_policy>().take(std::exchange(*policy, nullptr));
    });
}
