// SPDX-License-Identifier: BSD-2-Clause
// Parameter sets and the begin of slice headers of H.264 (7.3.2.1, 7.3.2.2, 7.3.3).
#include "headers.hpp"

namespace fuzz {
namespace {

constexpr int slice = 1, idr_slice = 5, sps = 7, pps = 8;

Bytes without_emulation_prevention(const Bytes &unit) {
    Bytes out;
    int zeros = 0;
    for (uint8_t byte : unit) {
        if (zeros >= 2 && byte == 3) {
            zeros = 0;
            continue;
        }
        zeros = byte ? 0 : zeros + 1;
        out.push_back(byte);
    }
    return out;
}

Bytes with_emulation_prevention(const Bytes &bytes) {
    Bytes out;
    int zeros = 0;
    for (uint8_t byte : bytes) {
        if (zeros >= 2 && byte <= 3) {
            out.push_back(3);
            zeros = 0;
        }
        zeros = byte ? 0 : zeros + 1;
        out.push_back(byte);
    }
    return out;
}

void scaling_list(FieldReader &in, int size) {
    int64_t last = 8, next = 8;
    for (int i = 0; i < size && next && !in.failed(); i++) {
        next = (last + in.signed_golomb("delta_scale") + 256) % 256;
        if (next) last = next;
    }
}

bool has_chroma_format(int64_t profile) {
    for (int64_t each : {100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134})
        if (profile == each) return true;
    return false;
}

void high_profile(FieldReader &in) {
    int64_t chroma = in.golomb("chroma_format_idc");
    if (chroma == 3) in.flag("separate_colour_plane_flag");
    in.golomb("bit_depth_luma_minus8");
    in.golomb("bit_depth_chroma_minus8");
    in.flag("qpprime_y_zero_transform_bypass_flag");
    if (!in.flag("seq_scaling_matrix_present_flag")) return;
    for (int i = 0; i < (chroma == 3 ? 12 : 8); i++)
        if (in.flag("seq_scaling_list_present_flag")) scaling_list(in, i < 6 ? 16 : 64);
}

void order_count(FieldReader &in) {
    int64_t type = in.golomb("pic_order_cnt_type");
    if (type == 0) in.golomb("log2_max_pic_order_cnt_lsb_minus4");
    if (type != 1) return;
    in.flag("delta_pic_order_always_zero_flag");
    in.signed_golomb("offset_for_non_ref_pic");
    in.signed_golomb("offset_for_top_to_bottom_field");
    int64_t count = in.golomb("num_ref_frames_in_pic_order_cnt_cycle");
    for (int64_t i = 0; i < count && !in.failed(); i++)
        in.signed_golomb("offset_for_ref_frame");
}

void sequence_parameters(FieldReader &in) {
    int64_t profile = in.fixed("profile_idc", 8);
    in.fixed("constraint_set_flags", 8);
    in.fixed("level_idc", 8);
    in.golomb("seq_parameter_set_id");
    if (has_chroma_format(profile)) high_profile(in);
    in.golomb("log2_max_frame_num_minus4");
    order_count(in);
    in.golomb("max_num_ref_frames");
    in.flag("gaps_in_frame_num_value_allowed_flag");
    in.golomb("pic_width_in_mbs_minus1");
    in.golomb("pic_height_in_map_units_minus1");
    if (!in.flag("frame_mbs_only_flag")) in.flag("mb_adaptive_frame_field_flag");
    in.flag("direct_8x8_inference_flag");
    if (in.flag("frame_cropping_flag"))
        for (int i = 0; i < 4; i++)
            in.golomb("frame_crop_offset");
    in.flag("vui_parameters_present_flag");
}

void picture_parameters(FieldReader &in) {
    in.golomb("pic_parameter_set_id");
    in.golomb("seq_parameter_set_id");
    in.flag("entropy_coding_mode_flag");
    in.flag("bottom_field_pic_order_in_frame_present_flag");
    if (in.golomb("num_slice_groups_minus1")) return;
    in.golomb("num_ref_idx_l0_default_active_minus1");
    in.golomb("num_ref_idx_l1_default_active_minus1");
    in.flag("weighted_pred_flag");
    in.fixed("weighted_bipred_idc", 2);
    in.signed_golomb("pic_init_qp_minus26");
    in.signed_golomb("pic_init_qs_minus26");
    in.signed_golomb("chroma_qp_index_offset");
    in.flag("deblocking_filter_control_present_flag");
    in.flag("constrained_intra_pred_flag");
    in.flag("redundant_pic_cnt_present_flag");
}

} // namespace

int nal_type(const Bytes &unit) {
    return unit.empty() ? 0 : unit[0] & 31;
}

ParsedUnit parse_h264(const Bytes &unit) {
    Bytes bytes = without_emulation_prevention(unit);
    FieldReader in(bytes);
    in.flag("forbidden_zero_bit");
    in.fixed("nal_ref_idc", 2);
    int64_t type = in.fixed("nal_unit_type", 5);
    if (type == sps) {
        sequence_parameters(in);
    } else if (type == pps) {
        picture_parameters(in);
    } else if (type == slice || type == idr_slice) {
        in.golomb("first_mb_in_slice");
        in.golomb("slice_type");
        in.golomb("pic_parameter_set_id");
    }
    if (in.failed()) return {};
    ParsedUnit parsed{in.take(), {}};
    std::vector<bool> &tail = parsed.header.tail;
    // Behind the stop bit only padding is left, of which the new length needs its own.
    if (type == sps || type == pps)
        while (!tail.empty() && !tail.back())
            tail.pop_back();
    return parsed;
}

Bytes build_h264(const ParsedUnit &parsed) {
    return with_emulation_prevention(write_header(parsed.header));
}

} // namespace fuzz
