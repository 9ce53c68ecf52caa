// SPDX-License-Identifier: BSD-2-Clause
// A picture with the work of a trial, which the device must do.
#pragma once

#include <gtest/gtest.h>

#include "common/trial.hpp"
#include "picture/picture.hpp"

namespace v3doff {

inline void expect_done_by_gpu(Pool &pool, const Trial &trial) {
    Picture *picture = pool.open(nullptr), *reference = nullptr;
    if (trial.predict_from) trial.predict_from(*(reference = pool.open(nullptr)));
    trial.record(*picture);
    picture->submit({});
    EXPECT_EQ(picture->wait(UINT64_MAX), V3DOFF_OK);
    v3doff_picture_report report{};
    picture->fill_report(report);
    EXPECT_EQ(report.executor, V3DOFF_EXECUTOR_GPU) << report.reason;
    pool.close(picture);
    if (reference) pool.close(reference);
}

} // namespace v3doff
