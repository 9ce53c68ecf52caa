// SPDX-License-Identifier: BSD-2-Clause
#include "bench/whole.hpp"

namespace tool::bench {

void WholePicture::make_reference(v3doff_device *device) {
    const Pool pool = make_pool(device, format_.width, format_.height);
    reference_ = open_picture(pool.get());
    fill_samples(reference_.get(), 8, 0, 256);
    check(v3doff_picture_submit(reference_.get(), nullptr), "submitting the reference");
    check(v3doff_picture_wait(reference_.get(), UINT64_MAX), "waiting for the reference");
}

Json run_whole(const Session &session, const std::string &codec,
               const std::shared_ptr<WholePicture> &whole) {
    Work work;
    work.width = whole->format().width, work.height = whole->format().height;
    work.name =
        fmt::format("{} whole pictures, 8 bit, {}x{} 4:2:0", codec, work.width, work.height);
    work.prepare = [whole](v3doff_device *device) { whole->make_reference(device); };
    work.fill = [](v3doff_picture *) {}; // everything is written
    work.record = [whole](v3doff_picture *picture) { whole->record(picture); };
    work.record_bytes = whole->word_bytes();
    work.ffmpeg = [whole](const v3doff_planes &planes, bool simd) {
        whole->reconstruct_by_ffmpeg(planes, simd);
    };
    return measure(session, work);
}

} // namespace tool::bench
