// SPDX-License-Identifier: BSD-2-Clause
// H.264 residuals: whole pictures of blocks and macroblocks, in one submit each.
#include <fmt/format.h>

#include "ffdsp.h"
#include "h264_residual_ffmpeg.hpp"

namespace tool {
namespace {

const char *chroma_name(v3doff_chroma chroma) {
    static const char *const names[] = {"400", "420", "422", "444"};
    return names[chroma];
}

void transform_dc(const H264Operation &operation, const PictureShape &shape,
                  Coefficients &coefficients) {
    if (operation.call == H264Call::luma_dc) {
        Coefficients dc(operation.dc, shape.bit_depth);
        check(v3doff_h264_luma_dc_dequant(shape.bit_depth, coefficients.data(), dc.data(),
                                          operation.qmul),
              "luma DC");
    } else if (operation.call == H264Call::chroma_dc) {
        for (size_t first : {16 * 16, 32 * 16})
            check(v3doff_h264_chroma_dc_dequant(shape.bit_depth, shape.chroma,
                                                coefficients.at(first), operation.qmul),
                  "chroma DC");
    }
}

v3doff_h264_group group_of(H264Call call) {
    return call == H264Call::luma_dc ? V3DOFF_H264_ADD16_INTRA
           : call == H264Call::chroma_dc
               ? V3DOFF_H264_ADD8
               : v3doff_h264_group(unsigned(call) - unsigned(H264Call::add16));
}

void record_one(const H264Operation &o, v3doff_picture *picture, Coefficients &coefficients) {
    const H264Call call = o.call;
    if (call <= H264Call::bypass8)
        check(v3doff_h264_record_idct(picture, o.lane, o.plane, o.x, o.y, o.rows,
                                      v3doff_h264_transform(call), coefficients.data()),
              "recording a block");
    else if (is_predicted(call))
        check(v3doff_h264_record_predict_add(
                  picture, o.lane, o.plane, o.x, o.y, o.rows,
                  v3doff_h264_predict(unsigned(call) - unsigned(H264Call::predict4x4)), o.direction,
                  o.neighbours, coefficients.data()),
              "recording a predicted block");
    else
        check(v3doff_h264_record_macroblock(picture, o.lane, o.plane, o.x, o.y, o.rows,
                                            group_of(call), coefficients.data(), o.nnz.data()),
              "recording a macroblock");
}

class H264Case final : public PictureCase {
  public:
    H264Case(const H264Plan &plan, bool takes_back, Random &random)
        : PictureCase(make_picture(plan, random)), own_memory_(below(random, 2)),
          operations_(h264_operations(plan, picture_, random)) {
        if (takes_back) taken_back_ = TakenBack(shape(), random);
    }

  private:
    // FFmpeg's idct_add8 has one stride for both chroma planes.
    static GuardedPicture make_picture(const H264Plan &plan, Random &random) {
        PictureShape shape = random_shape(random, plan.bit_depth, plan.calls.size() > 1 ? 200 : 80);
        shape.chroma = plan.chroma;
        for (;;) {
            GuardedPicture picture(shape, random);
            if (!h264_call_exists(H264Call::add8, plan.chroma) ||
                picture.stride(1) == picture.stride(2))
                return picture;
        }
    }

    void run_library(CaseRun &run, v3doff_device *device, v3doff_executor expected) const override {
        run_in_library(run.copy, own_memory_, device, expected, [&](v3doff_picture *picture) {
            for (const H264Operation &operation : operations_) {
                Coefficients coefficients(operation.coefficients, shape().bit_depth);
                transform_dc(operation, shape(), coefficients);
                record_one(operation, picture, coefficients);
                coefficients.append_to(run.coefficients);
            }
            taken_back_.require(picture);
        });
    }

    void run_ffmpeg(CaseRun &run, bool simd) const override {
        call_h264_table(*ffdsp_h264(int(shape().bit_depth), int(shape().chroma), simd), operations_,
                        shape(), run.copy.planes(), run.coefficients);
        ffdsp_emms();
    }

    bool own_memory_;
    std::vector<H264Operation> operations_;
    TakenBack taken_back_;
};

std::vector<H264Call> existing_calls(v3doff_chroma chroma, bool predicted) {
    std::vector<H264Call> calls;
    for (unsigned n = 0; n < h264_calls; n++)
        if (h264_call_exists(H264Call(n), chroma) && (predicted || !is_predicted(H264Call(n))))
            calls.push_back(H264Call(n));
    return calls;
}

void add_format(Suites &suites, unsigned depth, v3doff_chroma chroma, bool each_call) {
    auto add = [&](const std::string &what, const std::string &summary, const H264Plan &plan,
                   unsigned cases, bool takes_back = false) {
        suites.push_back(
            {fmt::format("h264_residual_{}_{}bit_{}", what, depth, chroma_name(chroma)), summary,
             cases, !plan.wild && ffdsp_h264(int(depth), 1, 0) ? Ffmpeg::c_and_simd : Ffmpeg::none,
             [=](Random &random) { return std::make_unique<H264Case>(plan, takes_back, random); }});
    };
    for (H264Call call : existing_calls(chroma, true))
        if (each_call)
            add(h264_call_name(call), "one function, frame and field rows, guard bytes",
                {{call}, depth, chroma, false, is_predicted(call)}, 3);
    add("mixed", "pictures of all functions, predictions from pending blocks",
        {existing_calls(chroma, true), depth, chroma, false, true}, 3);
    add("lanes", "pictures of all functions that predict nothing, in 64 lanes",
        {existing_calls(chroma, false), depth, chroma, false, false}, 2);
    add("taken_back", "some of the blocks taken back by the CPU",
        {existing_calls(chroma, false), depth, chroma, false, false}, 2, true);
    add("wild", "coefficients that no stream holds: defined, and the same everywhere",
        {existing_calls(chroma, true), depth, chroma, true, true}, 2);
}

} // namespace

void add_h264_residual(Suites &suites) {
    for (v3doff_chroma chroma :
         {V3DOFF_CHROMA_400, V3DOFF_CHROMA_420, V3DOFF_CHROMA_422, V3DOFF_CHROMA_444})
        for (unsigned depth = 8; depth <= 14; depth++)
            add_format(suites, depth, chroma, depth != 11 && depth != 13); // as FFmpeg has them
}

} // namespace tool
