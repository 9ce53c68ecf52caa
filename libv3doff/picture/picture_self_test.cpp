// SPDX-License-Identifier: BSD-2-Clause
// The first whole picture of a kind that a device makes is also made by the plain code, and
// compared. It becomes done after that, and so do the pictures that the device completes meanwhile.
#include <cstring>

#include "picture/picture.hpp"
#include "util/background_work.hpp"
#include "util/fault.hpp"
#include "util/log.hpp"
#include "vk/device.hpp"

namespace v3doff {
namespace {

// Only visible ones: padding has whatever the passes leave there.
bool same_samples(const PictureView &one, const PictureView &other) {
    for (unsigned p = 0; p < one.format.planes(); p++) {
        const PlaneView &a = one.plane[p], &b = other.plane[p];
        for (uint32_t y = 0; y < a.height; y++)
            if (std::memcmp(a.data + ptrdiff_t(y) * a.stride, b.data + ptrdiff_t(y) * b.stride,
                            size_t(a.width) * one.format.sample_bytes()))
                return false;
    }
    return true;
}

} // namespace

// Plain code takes a while, and waiting for it too. Later submits of other pictures must complete
// in the meantime, so each picture gets a thread of its own. If there is none, it runs here: what
// it waits for has one, or is done.
bool Picture::hold_back(Submission &submission) noexcept {
    const bool whole = submission.use == Surface::Use::make;
    if (whole && fault::hit(fault::Point::wrong)) view().plane[0].data[0] ^= std::byte(1);
    if (submission.rows != Submission::Rows::all) return false; // bands complete in order
    if (!submission.work->references_held()) return false; // made from wrong samples, and fails
    vk::SelfTests &tests = pool_->device()->self_tests();
    const SelfTest own = whole ? submission.work->self_test() : SelfTest();
    const vk::SelfTests::Claim claim = tests.claim(own.kind);
    if (!claim) return false;
    const auto rest = [this, &submission, &tests, own, claim] {
        const bool passed =
            claim.compare ? passes(*submission.work, own) : tests.passed(claim.pending);
        conclude(submission, passed, "the device fails its self-test");
    };
    try {
        background::run("v3doff-test", rest);
    } catch (const std::exception &) {
        rest();
    }
    return true;
}

// Whether the plain code gives the same samples. If not, the device is not used any more.
bool Picture::passes(Work &work, const SelfTest &test) noexcept {
    vk::Device &device = *pool_->device();
    const char *problem = "gives other bits";
    try {
        const auto plain = Surface::create(nullptr, pool_->layout(), V3DOFF_MEMORY_CPU);
        work.run_cpu(*plain);
        if (same_samples(plain->view(), view())) problem = nullptr;
    } catch (const std::exception &) {
        problem = "cannot be compared";
    }
    if (problem) {
        char line[96];
        std::snprintf(line, sizeof line, "self-test: %s %s", test.name, problem);
        device.mark_bad(line);
    } else {
        LOG_INFO("device: %s gives the bits of the plain code (%s)", device.facts().name.c_str(),
                 test.name);
    }
    device.self_tests().end(test.kind, !problem);
    return !problem;
}

} // namespace v3doff
