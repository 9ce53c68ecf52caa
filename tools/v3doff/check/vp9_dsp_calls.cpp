// SPDX-License-Identifier: BSD-2-Clause
// Calls of the VP9 DSP table in an order that no picture has: done at once, on the device. Filters
// are also called with a bound picture, and must then be done in the order of the calls.
#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "ffdsp.h"
#include "generators/vp9_filter.hpp"
#include "picture_case.hpp"
#include "v3doff/vp9dsp.h"
#include "vp9_residual_inputs.hpp"

namespace tool {
namespace {

enum class Function : unsigned { filter_8, filter_16, filter_mix2, transform, predict, scaled };

struct Call {
    Function function = Function::filter_8;
    unsigned plane = 0, x = 0, y = 0, dir = 0, first = 0,
             second = 0; // widths as the table has them
    int e = 0, i = 0, h = 0;
    ResidualKind kind;
    ResidualInput input;
    // Motion compensation; from (ref_x, ref_y) of the same plane as it was before all calls.
    unsigned size = 0, filter = 0, average = 0, ref_x = 0, ref_y = 0;
    int height = 0, mx = 0, my = 0, dx = 16, dy = 16;
};

int random_limit(Random &random, int most, bool two) {
    const int first = int(below(random, uint64_t(most) + 1));
    return two ? first | int(below(random, uint64_t(most) + 1)) << 8 : first;
}

Call random_prediction(Random &random, const GuardedPicture &picture, Call call) {
    const unsigned side = picture.padded_width(call.plane); // planes are square
    const bool scaled = call.function == Function::scaled;
    call.size = unsigned(below(random, 5));
    if (side == 64) call.size = std::max(call.size, 1u + scaled);
    if (scaled) call.size = std::max(call.size, 1u);
    const unsigned width = 64u >> call.size;
    // Heights of blocks only: FFmpeg's SIMD takes several rows at once.
    const unsigned most = std::min(side / 2, scaled ? width : 2 * width);
    call.height = 4 << below(random, 5);
    while (unsigned(call.height) > most)
        call.height /= 2;
    call.filter = unsigned(below(random, 4));
    call.average = unsigned(below(random, 2));
    call.mx = below(random, 3) ? int(below(random, 16)) : 0;
    call.my = below(random, 3) ? int(below(random, 16)) : 0;
    if (scaled) call.dx = int(between(random, 1, 32)), call.dy = int(between(random, 1, 32));
    call.x = unsigned(below(random, side / width)) * width;
    call.y = unsigned(below(random, (side - unsigned(call.height)) / 4 + 1)) * 4;
    const auto room = [&](int count, int step) {
        return side - 12 - unsigned((count * step + 15) / 16);
    };
    call.ref_x = 4 + unsigned(below(random, room(int(width), call.dx)));
    call.ref_y = 4 + unsigned(below(random, room(call.height, call.dy)));
    return call;
}

// Anywhere in a plane of at least 64x64 where FFmpeg's SIMD can take it.
Call random_call(Random &random, const GuardedPicture &picture, bool any_function) {
    Call call;
    call.plane = unsigned(below(random, 3));
    call.function = Function(below(random, any_function ? 6 : 3));
    if (call.function == Function::predict || call.function == Function::scaled)
        return random_prediction(random, picture, call);
    const unsigned width = picture.padded_width(call.plane);
    const unsigned height = picture.padded_height(call.plane);
    if (call.function == Function::transform) {
        const unsigned tx = unsigned(below(random, 5));
        call.kind = {v3doff_vp9_tx(tx), v3doff_vp9_tx_type(tx < 3 ? below(random, 4) : 0)};
        const unsigned size = unsigned(call.kind.size());
        call.x = unsigned(below(random, width / size)) * size;
        call.y = unsigned(below(random, height / size)) * size;
        call.input = conformant_input(call.kind, picture.shape().bit_depth, random);
        return call;
    }
    call.dir = unsigned(below(random, 2));
    call.first = unsigned(below(random, call.function == Function::filter_8 ? 3 : 2));
    call.second = unsigned(below(random, 2));
    const bool two = call.function == Function::filter_mix2;
    call.e = random_limit(random, 254, two);
    call.i = random_limit(random, 63, two);
    call.h = random_limit(random, 15, two);
    const bool wide = call.function == Function::filter_16 || call.first == 2;
    const unsigned unit = wide ? 8 : 4, across = call.dir ? height : width;
    const unsigned at = 8 + unsigned(below(random, (across - 16) / unit + 1)) * unit;
    const unsigned along = unsigned(below(random, (call.dir ? width : height) / 16)) * 16;
    call.x = call.dir ? along : at;
    call.y = call.dir ? at : along;
    return call;
}

template <typename Table>
void make_call(const Table &table, const Call &call, uint8_t *at, ptrdiff_t stride,
               const uint8_t *ref, unsigned bit_depth) {
    if (call.function == Function::predict)
        return table.mc[call.size][call.filter][call.average][call.mx != 0][call.my != 0](
            at, stride, ref, stride, call.height, call.mx, call.my);
    if (call.function == Function::scaled)
        return table.smc[call.size][call.filter][call.average](at, stride, ref, stride, call.height,
                                                               call.mx, call.my, call.dx, call.dy);
    if (call.function == Function::filter_8)
        return table.loop_filter_8[call.first][call.dir](at, stride, call.e, call.i, call.h);
    if (call.function == Function::filter_16)
        return table.loop_filter_16[call.dir](at, stride, call.e, call.i, call.h);
    if (call.function == Function::filter_mix2)
        return table.loop_filter_mix2[call.first][call.second][call.dir](at, stride, call.e, call.i,
                                                                         call.h);
    alignas(64) uint8_t block[32 * 32 * 4];
    for (size_t i = 0; i < call.input.coefficients.size(); i++) {
        const int16_t narrow = int16_t(call.input.coefficients[i]);
        if (bit_depth == 8)
            std::memcpy(block + 2 * i, &narrow, 2);
        else
            std::memcpy(block + 4 * i, &call.input.coefficients[i], 4);
    }
    table.itxfm_add[call.kind.tx][call.kind.type](at, stride, reinterpret_cast<int16_t *>(block),
                                                  int(call.input.eob));
    const uint8_t *end = block + call.input.coefficients.size() * (bit_depth == 8 ? 2 : 4);
    if (std::any_of(static_cast<const uint8_t *>(block), end, [](uint8_t byte) { return byte; }))
        throw std::runtime_error("a transform left coefficients behind");
}

v3doff_dsp_counts counts_now() {
    v3doff_dsp_counts counts{};
    counts.struct_size = sizeof counts;
    check(v3doff_dsp_get_counts(&counts), "counting");
    return counts;
}

class CallsCase final : public Case {
  public:
    CallsCase(unsigned bit_depth, bool bound, Random &random)
        : generator_(uint32_t(random())), bound_(bound),
          picture_({128, 128, bit_depth, V3DOFF_CHROMA_420}, random) {
        for (unsigned p = 0; p < 3; p++)
            v3doff::check::random_samples(picture_.writable(p), picture_.stride(p),
                                          picture_.padded_width(p), picture_.padded_height(p),
                                          bit_depth, generator_);
        for (unsigned n = 0; n < (bound ? 200u : 30u); n++)
            calls_.push_back(random_call(random, picture_, !bound));
    }

    Result run(Implementation implementation, Bench &bench) const override {
        Result result;
        const bool gpu = implementation == Implementation::vulkan;
        if (implementation == Implementation::ffmpeg || implementation == Implementation::ffmpeg_c)
            result["samples"] = run_ffmpeg(implementation == Implementation::ffmpeg);
        else if (bound_)
            // On any device: no shader can do these calls, and the report must say so.
            result["samples"] =
                run_in_library(picture_, false, gpu ? bench.vulkan.get() : bench.cpu.get(),
                               V3DOFF_EXECUTOR_CPU, [&](v3doff_picture *picture) {
                                   v3doff_planes planes = planes_of(picture);
                                   check(v3doff_dsp_bind(picture, 1), "binding");
                                   make_calls(table(), planes);
                                   v3doff_dsp_unbind();
                               });
        else
            result["samples"] = run_at_once(gpu ? bench.vulkan.get() : bench.cpu.get(), gpu);
        return result;
    }

    std::string describe(const std::string &, size_t byte) const override {
        return picture_.describe(byte);
    }

  private:
    v3doff_vp9dsp table() const {
        v3doff_vp9dsp table{};
        table.struct_size = sizeof table;
        check(v3doff_vp9dsp_init(&table, picture_.shape().bit_depth), "filling the table");
        return table;
    }

    template <typename Table>
    void make_calls(const Table &table, const v3doff_planes &planes) const {
        GuardedPicture::Copy before(picture_);
        const unsigned bytes = picture_.shape().sample_bytes();
        for (const Call &call : calls_) {
            const ptrdiff_t stride = planes.stride[call.plane];
            make_call(table, call,
                      static_cast<uint8_t *>(planes.data[call.plane]) + ptrdiff_t(call.y) * stride +
                          call.x * bytes,
                      stride,
                      before.plane(call.plane) + ptrdiff_t(call.ref_y) * stride +
                          call.ref_x * bytes,
                      picture_.shape().bit_depth);
        }
    }

    std::vector<uint8_t> run_at_once(v3doff_device *device, bool gpu) const {
        GuardedPicture::Copy copy(picture_);
        check(v3doff_dsp_set_device(device), "choosing the device");
        const v3doff_dsp_counts before = counts_now();
        make_calls(table(), copy.planes());
        const v3doff_dsp_counts after = counts_now();
        check(v3doff_dsp_set_device(nullptr), "letting go of the device");
        const uint64_t there = gpu ? after.at_once_gpu - before.at_once_gpu + after.at_once_large -
                                         before.at_once_large
                                   : after.at_once_cpu - before.at_once_cpu;
        if (there != calls_.size() || after.refused != before.refused)
            throw std::runtime_error(fmt::format(
                "only {} of {} calls were executed in the right place", there, calls_.size()));
        return copy.bytes();
    }

    std::vector<uint8_t> run_ffmpeg(bool simd) const {
        GuardedPicture::Copy copy(picture_);
        make_calls(*ffdsp_vp9(int(picture_.shape().bit_depth), simd), copy.planes());
        ffdsp_emms();
        return copy.bytes();
    }

    std::mt19937 generator_;
    bool bound_;
    GuardedPicture picture_;
    std::vector<Call> calls_;
};

} // namespace

void add_vp9_dsp_calls(Suites &suites) {
    for (bool bound : {false, true})
        for (unsigned bit_depth : {8u, 10u, 12u})
            suites.push_back(
                {fmt::format("vp9_dsp_{}_{}bit", bound ? "any_order" : "at_once", bit_depth),
                 bound ? "bound filters with any limits, places and order: as called, on the CPU"
                       : "calls without a picture, any limits: each a submit",
                 5, Ffmpeg::c_and_simd, [=](Random &random) {
                     return std::make_unique<CallsCase>(bit_depth, bound, random);
                 }});
}

} // namespace tool
