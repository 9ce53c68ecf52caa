// SPDX-License-Identifier: BSD-2-Clause
// Handles of the C API, for tests that look behind them.
#pragma once

#include <gtest/gtest.h>
#include <memory>

#include "picture/format.hpp"

namespace v3doff {

struct Close {
    void operator()(v3doff_device *handle) const { v3doff_device_destroy(&handle); }
    void operator()(v3doff_pool *handle) const { v3doff_pool_destroy(&handle); }
    void operator()(v3doff_picture *handle) const { v3doff_picture_close(&handle); }
};
using OwnedDevice = std::unique_ptr<v3doff_device, Close>;
using OwnedPool = std::unique_ptr<v3doff_pool, Close>;
using OwnedPicture = std::unique_ptr<v3doff_picture, Close>;

// Null: there is no such device.
inline OwnedDevice open_handle(v3doff_mode mode, v3doff_device_info info = {}) {
    info.struct_size = sizeof info;
    info.mode = mode;
    v3doff_device *device = nullptr;
    v3doff_device_create(&device, &info);
    return OwnedDevice(device);
}

inline OwnedPool open_pool(v3doff_device *device, const PictureFormat &format) {
    v3doff_pool_info info{.struct_size = sizeof info};
    info.width = format.width, info.height = format.height;
    info.bit_depth = format.bit_depth, info.chroma = format.chroma;
    v3doff_pool *pool = nullptr;
    EXPECT_EQ(v3doff_pool_create(&pool, device, &info), V3DOFF_OK);
    return OwnedPool(pool);
}

inline OwnedPicture open_picture(const OwnedPool &pool) {
    v3doff_picture *picture = nullptr;
    EXPECT_EQ(v3doff_picture_open(&picture, pool.get(), nullptr), V3DOFF_OK);
    return OwnedPicture(picture);
}

inline void expect_done_by(v3doff_executor executor, v3doff_picture *picture) {
    ASSERT_EQ(v3doff_picture_submit(picture, nullptr), V3DOFF_OK);
    ASSERT_EQ(v3doff_picture_wait(picture, UINT64_MAX), V3DOFF_OK);
    v3doff_picture_report report{.struct_size = sizeof report};
    ASSERT_EQ(v3doff_picture_get_report(picture, &report), V3DOFF_OK);
    EXPECT_EQ(report.executor, executor) << report.reason;
}

} // namespace v3doff
