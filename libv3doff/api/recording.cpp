// SPDX-License-Identifier: BSD-2-Clause
#include "api/recording.hpp"

namespace v3doff::api {

Picture &reference_of(Picture &picture, v3doff_picture *reference, const std::string &argument) {
    Picture &other = *resolve(reference, argument.c_str());
    if (picture.pool().device() != other.pool().device())
        refuse(argument + ": a picture of another device");
    const PictureFormat &ours = picture.format(), &theirs = other.format();
    if (ours.bit_depth != theirs.bit_depth || ours.chroma != theirs.chroma)
        refuse(argument + ": of another bit depth or chroma format");
    return other;
}

std::shared_ptr<Surface> surface_of(Picture &picture, const v3doff_picture *own,
                                    v3doff_picture *reference) {
    if (reference == own) refuse("info->reference: the picture itself");
    return reference_of(picture, reference, "info->reference").as_surface();
}

} // namespace v3doff::api
