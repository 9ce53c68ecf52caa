// SPDX-License-Identifier: BSD-2-Clause
// The uncompressed header of a VP9 frame (VP9 bitstream specification, 7.2).
#include "headers.hpp"

namespace fuzz {
namespace {

void color_config(FieldReader &in, int64_t profile) {
    if (profile >= 2) in.flag("ten_or_twelve_bit");
    bool rgb = in.fixed("color_space", 3) == 7;
    if (!rgb) in.flag("color_range");
    if (!(profile & 1)) return;
    if (!rgb) {
        in.flag("subsampling_x");
        in.flag("subsampling_y");
    }
    in.flag("reserved_zero");
}

int frame_size(FieldReader &in) {
    int width = int(in.fixed("frame_width_minus_1", 16)) + 1;
    in.fixed("frame_height_minus_1", 16);
    return width;
}

void render_size(FieldReader &in) {
    if (!in.flag("render_and_frame_size_different")) return;
    in.fixed("render_width_minus_1", 16);
    in.fixed("render_height_minus_1", 16);
}

int key_frame(FieldReader &in, int64_t profile) {
    in.fixed("frame_sync_code", 24);
    color_config(in, profile);
    int width = frame_size(in);
    render_size(in);
    return width;
}

int intra_only_frame(FieldReader &in, int64_t profile) {
    in.fixed("frame_sync_code", 24);
    if (profile > 0) color_config(in, profile);
    in.fixed("refresh_frame_flags", 8);
    int width = frame_size(in);
    render_size(in);
    return width;
}

int inter_frame(FieldReader &in, int width) {
    in.fixed("refresh_frame_flags", 8);
    for (int i = 0; i < 3; i++) {
        in.fixed("ref_frame_idx", 3);
        in.flag("ref_frame_sign_bias");
    }
    bool found = false;
    for (int i = 0; i < 3 && !found; i++)
        found = in.flag("found_ref");
    if (!found) width = frame_size(in);
    render_size(in);
    in.flag("allow_high_precision_mv");
    if (!in.flag("is_filter_switchable")) in.fixed("interpolation_filter", 2);
    return width;
}

void loop_filter(FieldReader &in) {
    in.fixed("loop_filter_level", 6);
    in.fixed("loop_filter_sharpness", 3);
    if (!in.flag("loop_filter_delta_enabled") || !in.flag("loop_filter_delta_update")) return;
    for (int i = 0; i < 6; i++)
        if (in.flag("update_delta")) in.fixed("loop_filter_delta", 7);
}

void quantization(FieldReader &in) {
    in.fixed("base_q_idx", 8);
    for (int i = 0; i < 3; i++)
        if (in.flag("delta_coded")) in.fixed("delta_q", 5);
}

void segmentation(FieldReader &in) {
    static const int bits[] = {9, 7, 2, 0};
    if (!in.flag("segmentation_enabled")) return;
    if (in.flag("segmentation_update_map")) {
        for (int i = 0; i < 7; i++)
            if (in.flag("prob_coded")) in.fixed("segmentation_tree_prob", 8);
        if (in.flag("segmentation_temporal_update"))
            for (int i = 0; i < 3; i++)
                if (in.flag("prob_coded")) in.fixed("segmentation_pred_prob", 8);
    }
    if (!in.flag("segmentation_update_data")) return;
    in.flag("segmentation_abs_delta");
    for (int i = 0; i < 8; i++)
        for (int feature = 0; feature < 4; feature++)
            if (in.flag("feature_enabled") && bits[feature])
                in.fixed("feature_value", bits[feature]);
}

void tiles(FieldReader &in, int width) {
    int columns = (width + 63) / 64, least = 0, most = 1;
    while ((64 << least) < columns)
        least++;
    while (columns >> most >= 4)
        most++;
    for (int i = least; i < most - 1; i++)
        if (!in.flag("increment_tile_cols_log2")) break;
    if (in.flag("tile_rows_log2")) in.flag("increment_tile_rows_log2");
}

// The width of the frame; 0: it shows another one.
int uncompressed_header(FieldReader &in, int width) {
    in.fixed("frame_marker", 2);
    int64_t profile = in.flag("profile_low_bit");
    profile |= in.flag("profile_high_bit") << 1;
    if (profile == 3) in.flag("reserved_zero");
    if (in.flag("show_existing_frame")) {
        in.fixed("frame_to_show", 3);
        return 0;
    }
    bool inter = in.flag("frame_type"), shown = in.flag("show_frame");
    bool resilient = in.flag("error_resilient_mode");
    if (!inter) {
        width = key_frame(in, profile);
    } else {
        bool intra_only = !shown && in.flag("intra_only");
        if (!resilient) in.fixed("reset_frame_context", 2);
        width = intra_only ? intra_only_frame(in, profile) : inter_frame(in, width);
    }
    if (!resilient) {
        in.flag("refresh_frame_context");
        in.flag("frame_parallel_decoding_mode");
    }
    in.fixed("frame_context_idx", 2);
    loop_filter(in);
    quantization(in);
    segmentation(in);
    tiles(in, width);
    in.fixed("header_size_in_bytes", 16);
    return width;
}

} // namespace

ParsedUnit parse_vp9(const Bytes &unit, int width) {
    FieldReader in(unit);
    uncompressed_header(in, width);
    if (in.failed()) return {};
    size_t bytes = (in.position() + 7) / 8;
    ParsedUnit parsed{in.take(), {unit.begin() + long(bytes), unit.end()}};
    parsed.header.tail.clear();
    return parsed;
}

Bytes build_vp9(const ParsedUnit &parsed) {
    Bytes unit = write_header(parsed.header);
    unit.insert(unit.end(), parsed.rest.begin(), parsed.rest.end());
    return unit;
}

int width_of_key_frame(const Bytes &unit) {
    ParsedUnit parsed = parse_vp9(unit, 64);
    const Field *type = parsed.header.find("frame_type");
    const Field *width = parsed.header.find("frame_width_minus_1");
    return type && !type->value && width ? int(width->value) + 1 : 0;
}

} // namespace fuzz
