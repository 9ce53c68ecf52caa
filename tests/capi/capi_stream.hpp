// SPDX-License-Identifier: BSD-2-Clause
// What the tests of streams have in common.
#pragma once

#include <string>
#include <vector>

#include "capi_helpers.h"
#include "v3doff/stream.h"

inline std::vector<std::string> lines; // that a stream gives its decoder

inline v3doff_stream_info info_of(uint32_t threads, v3doff_mode mode) {
    v3doff_stream_info info{.struct_size = sizeof info};
    info.mode = mode;
    info.threads = threads;
    return info;
}

inline void keep_line(void *opaque, v3doff_log_level, const char *line) {
    static_cast<std::vector<std::string> *>(opaque)->push_back(line);
}

inline v3doff_result open(v3doff_stream *stream, bool begin, bool wait = false) {
    v3doff_stream_open_info info{.struct_size = sizeof info};
    info.bit_depth = 8;
    info.chroma = V3DOFF_CHROMA_420;
    info.begin = begin;
    info.wait = wait;
    info.line = keep_line;
    info.opaque = &lines;
    return v3doff_stream_open(stream, &info);
}

inline constexpr uint32_t filter = 1u << V3DOFF_FAMILY_VP9_LOOPFILTER;

inline v3doff_policy_question question_of(uint32_t possible, bool awaited = true) {
    v3doff_policy_question question{.struct_size = sizeof question};
    question.width = 640;
    question.height = 360;
    question.possible = possible;
    question.awaited = awaited;
    return question;
}

inline v3doff_policy_answer ask(v3doff_stream *stream, const v3doff_policy_question &question) {
    v3doff_policy_answer answer{.struct_size = sizeof answer};
    EXPECT_OK(v3doff_stream_ask(stream, &question, &answer));
    return answer;
}
