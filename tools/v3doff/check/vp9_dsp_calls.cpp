// SPDX-License-Identifier: BSD-2-Clause
// Calls of the VP9 DSP table in an order that no picture has: done at once, on the device. Filters
// are also called with a bound picture, and must then be done in the order of the calls.
#include <algorithm>
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
    if (!add_residual(table, call.kind, call.input, bit_depth, at, stride).all_zero())
        throw std::runtime_error("a transform left coefficients behind");
}

class CallsCase final : public PictureCase {
  public:
    CallsCase(unsigned bit_depth, bool bound, Random &random)
        : PictureCase({{128, 128, bit_depth, V3DOFF_CHROMA_420}, random}), bound_(bound) {
        std::mt19937 generator{uint32_t(random())};
        for (unsigned p = 0; p < 3; p++)
            v3doff::check::random_samples(picture_.writable(p), bit_depth, generator);
        for (unsigned n = 0; n < (bound ? 200u : 30u); n++)
            calls_.push_back(random_call(random, picture_, !bound));
    }

  private:
    v3doff_vp9dsp table() const {
        v3doff_vp9dsp table{};
        table.struct_size = sizeof table;
        check(v3doff_vp9dsp_init(&table, shape().bit_depth), "filling the table");
        return table;
    }

    template <typename Table>
    void make_calls(const Table &table, const v3doff_planes &planes) const {
        GuardedPicture::Copy before(picture_);
        const v3doff_planes references = before.planes();
        for (const Call &call : calls_)
            make_call(table, call, sample_at(planes, shape(), call.plane, call.x, call.y),
                      planes.stride[call.plane],
                      sample_at(references, shape(), call.plane, call.ref_x, call.ref_y),
                      shape().bit_depth);
    }

    // Bound calls are done by the CPU on any device: no shader can do them, and the report must say
    // so.
    void run_library(CaseRun &run, v3doff_device *device, v3doff_executor expected) const override {
        if (!bound_) return run_at_once(run, device, expected == V3DOFF_EXECUTOR_GPU);
        run_in_library(run.copy, false, device, V3DOFF_EXECUTOR_CPU, [&](v3doff_picture *picture) {
            check(v3doff_dsp_bind(picture, 1), "binding");
            make_calls(table(), planes_of(picture));
            v3doff_dsp_unbind();
        });
    }

    void run_at_once(CaseRun &run, v3doff_device *device, bool gpu) const {
        const v3doff_dsp_counts counts =
            count_at_once(device, [&] { make_calls(table(), run.copy.planes()); });
        const uint64_t there = gpu ? counts.at_once_gpu + counts.at_once_large : counts.at_once_cpu;
        if (there != calls_.size() || counts.refused)
            throw std::runtime_error(fmt::format(
                "only {} of {} calls were executed in the right place", there, calls_.size()));
    }

    void run_ffmpeg(CaseRun &run, bool simd) const override {
        make_calls(*ffdsp_vp9(int(shape().bit_depth), simd), run.copy.planes());
        ffdsp_emms();
    }

    bool bound_;
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
