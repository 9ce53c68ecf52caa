// SPDX-License-Identifier: BSD-2-Clause
// The C API's opaque structs.
#pragma once

#include <memory>

#include "api/handle.hpp"
#include "picture/picture.hpp"
#include "policy/open_device.hpp"
#include "policy/stream.hpp"

namespace v3doff::api {

// On the completion thread, a wait would wait for itself.
inline void refuse_in_callback() {
    if (Picture::in_callback())
        throw Error(V3DOFF_ERROR_WRONG_THREAD, "not possible inside a done callback");
}

void write_properties(const OpenDevice &device, v3doff_device_properties *properties);
// As the functions of pools and pictures check them.
PoolKind read_pool_kind(const v3doff_pool_info *info);
PictureView read_planes(const v3doff_planes *from, const PictureFormat &format);
// An open picture's handle. If there is none, closes the picture.
v3doff_picture *give_picture(Picture *picture);

} // namespace v3doff::api

struct v3doff_device : v3doff::api::HandleSlot<std::shared_ptr<const v3doff::OpenDevice>> {};
struct v3doff_pool : v3doff::api::HandleSlot<std::shared_ptr<v3doff::Pool>> {};
struct v3doff_picture : v3doff::api::HandleSlot<v3doff::Picture *> {};
struct v3doff_stream : v3doff::api::HandleSlot<std::shared_ptr<v3doff::Stream>> {};
