// SPDX-License-Identifier: BSD-2-Clause
#include "mutate_headers.hpp"

#include <cstring>

#include "headers.hpp"

namespace fuzz {
namespace {

int64_t pick_size(Random &random, int64_t old) {
    return random.pick<int64_t>({old / 2, old * 2, old + 1, old - 1, old + 8, old + 64, 64, 63, 1,
                                 8, random.between(1, 400)});
}

bool is_size(const char *name) {
    return !std::strcmp(name, "frame_width_minus_1") || !std::strcmp(name, "frame_height_minus_1");
}

// Where a unit takes its size from the frame before, this is what it is.
int width_at(const Stream &stream, size_t unit) {
    int width = 64;
    for (size_t i = 0; i <= unit; i++)
        if (int found = width_of_key_frame(stream.units[i])) width = found;
    return width;
}

void change_some_field(Random &random, Header &header) {
    Field &field = header.fields[random.below(header.fields.size())];
    if (is_size(field.name))
        field.value = (pick_size(random, field.value + 1) - 1) & 0xffff;
    else
        change_field(random, field);
}

// Filters are what is offloaded: they are wanted in all their kinds.
void change_named_field(Random &random, Header &header, std::initializer_list<const char *> names) {
    Field *field = header.find(random.pick(names));
    if (field && is_size(field->name))
        field->value = (pick_size(random, field->value + 1) - 1) & 0xffff;
    else if (field)
        change_field(random, *field);
    else
        change_some_field(random, header);
}

// An inter frame of a size of its own: its references are scaled.
void give_size(Random &random, Header &header, int width) {
    size_t at = header.index_of("found_ref");
    if (at == header.fields.size()) return;
    while (at < header.fields.size() && !std::strcmp(header.fields[at].name, "found_ref"))
        header.fields.erase(header.fields.begin() + long(at));
    std::vector<Field> size(3, {"found_ref", Field::fixed, 1, 0});
    size.push_back(
        {"frame_width_minus_1", Field::fixed, 16, (pick_size(random, width) - 1) & 0xffff});
    size.push_back(
        {"frame_height_minus_1", Field::fixed, 16, (pick_size(random, width) - 1) & 0xffff});
    header.fields.insert(header.fields.begin() + long(at), size.begin(), size.end());
}

// A key frame becomes an intra-only one, which nobody sees until it is asked for.
void hide_key_frame(Random &random, Header &header) {
    Field *type = header.find("frame_type"), *shown = header.find("show_frame");
    size_t sync = header.index_of("frame_sync_code"), size = header.index_of("frame_width_minus_1");
    if (!type || type->value || size == header.fields.size()) return;
    const Field *resilient = header.find("error_resilient_mode");
    std::vector<Field> put{{"intra_only", Field::fixed, 1, 1}};
    if (!resilient->value) put.push_back({"reset_frame_context", Field::fixed, 2, 0});
    type->value = 1;
    shown->value = 0;
    Field refresh{"refresh_frame_flags", Field::fixed, 8, int64_t(random.bits() & 0xff)};
    const Field *low = header.find("profile_low_bit"), *high = header.find("profile_high_bit");
    size_t colors = sync + 1;
    if (!low->value && !high->value) { // profile 0 does not say what it always is
        header.fields.erase(header.fields.begin() + long(colors),
                            header.fields.begin() + long(size));
        size = colors;
    }
    header.fields.insert(header.fields.begin() + long(size), refresh);
    header.fields.insert(header.fields.begin() + long(sync), put.begin(), put.end());
}

Bytes show_existing(Random &random, const Bytes &like) {
    Header header;
    bool low = like[0] & 0x20, high = like[0] & 0x10;
    header.fields = {{"frame_marker", Field::fixed, 2, 2},
                     {"profile_low_bit", Field::fixed, 1, low},
                     {"profile_high_bit", Field::fixed, 1, high}};
    if (low && high) header.fields.push_back({"reserved_zero", Field::fixed, 1, 0});
    header.fields.push_back({"show_existing_frame", Field::fixed, 1, 1});
    header.fields.push_back({"frame_to_show", Field::fixed, 3, int64_t(random.below(8))});
    return write_header(header);
}

void change_vp9(Random &random, Stream &stream) {
    size_t at = random.below(stream.units.size());
    if (random.chance(15)) {
        Bytes unit = show_existing(random, stream.units[at]);
        stream.units.insert(stream.units.begin() + long(random.below(stream.units.size() + 1)),
                            unit);
        return;
    }
    int width = width_at(stream, at);
    ParsedUnit parsed = parse_vp9(stream.units[at], width);
    Header &header = parsed.header;
    if (header.fields.empty()) return;
    switch (random.below(6)) {
    case 0:
        give_size(random, header, width);
        break;
    case 1:
        hide_key_frame(random, header);
        break;
    case 2:
        change_named_field(random, header,
                           {"loop_filter_level", "loop_filter_sharpness", "loop_filter_delta",
                            "base_q_idx", "refresh_frame_flags", "ref_frame_idx", "show_frame",
                            "segmentation_enabled", "loop_filter_delta_enabled", "tile_rows_log2"});
        break;
    case 3:
        change_named_field(random, header,
                           {"frame_width_minus_1", "frame_height_minus_1", "error_resilient_mode",
                            "profile_low_bit", "profile_high_bit", "subsampling_x", "subsampling_y",
                            "color_space", "frame_type", "show_existing_frame", "intra_only"});
        break;
    default:
        for (int i = random.between(1, 3); i > 0; i--)
            change_some_field(random, header);
    }
    stream.units[at] = build_vp9(parsed);
}

bool is_parameter_set(const Bytes &unit) {
    return nal_type(unit) == 7 || nal_type(unit) == 8;
}

size_t pick_parameter_set(Random &random, const Stream &stream) {
    std::vector<size_t> found;
    for (size_t i = 0; i < stream.units.size(); i++)
        if (is_parameter_set(stream.units[i])) found.push_back(i);
    return found.empty() ? stream.units.size() : random.pick(found);
}

// A field with another number of bits would move all bits behind it.
void change_slice(Random &random, Header &header) {
    const size_t bytes = write_header({header.fields, {}}).size();
    for (int tries = 0; tries < 8; tries++) {
        Header changed = header;
        if (random.chance(30) && !header.tail.empty()) {
            size_t at = random.below(std::min<size_t>(header.tail.size(), 48));
            changed.tail[at] = !changed.tail[at];
        } else {
            change_some_field(random, changed);
        }
        if (write_header({changed.fields, {}}).size() != bytes) continue;
        header = changed;
        return;
    }
}

void change_parameters(Random &random, Header &header) {
    if (random.chance(50))
        change_named_field(random, header,
                           {"pic_width_in_mbs_minus1", "pic_height_in_map_units_minus1",
                            "bit_depth_luma_minus8", "chroma_format_idc", "max_num_ref_frames",
                            "frame_mbs_only_flag", "frame_crop_offset",
                            "mb_adaptive_frame_field_flag", "gaps_in_frame_num_value_allowed_flag",
                            "chroma_qp_index_offset", "pic_init_qp_minus26", "weighted_pred_flag",
                            "entropy_coding_mode_flag", "deblocking_filter_control_present_flag",
                            "constrained_intra_pred_flag"});
    else
        change_some_field(random, header);
    // Both depths are one, or no decoder takes them.
    Field *luma = header.find("bit_depth_luma_minus8"),
          *chroma = header.find("bit_depth_chroma_minus8");
    if (luma && chroma && random.chance(80)) chroma->value = luma->value;
}

void change_h264(Random &random, Stream &stream, const Stream &other) {
    size_t set = pick_parameter_set(random, stream);
    size_t at =
        set < stream.units.size() && random.chance(60) ? set : random.below(stream.units.size());
    Bytes &unit = stream.units[at];
    if (random.chance(15)) { // of another stream, from here on
        size_t from = pick_parameter_set(random, other);
        if (from == other.units.size()) return;
        Bytes copy = other.units[from];
        stream.units.insert(stream.units.begin() + long(random.below(stream.units.size() + 1)),
                            copy);
        return;
    }
    ParsedUnit parsed = parse_h264(unit);
    if (parsed.header.fields.empty()) return;
    if (!is_parameter_set(unit)) {
        change_slice(random, parsed.header);
        unit = build_h264(parsed);
        return;
    }
    for (int i = random.between(1, 2); i > 0; i--)
        change_parameters(random, parsed.header);
    Bytes changed = build_h264(parsed);
    // Instead of the old one, or from somewhere behind it.
    if (random.chance(60))
        unit = changed;
    else
        stream.units.insert(
            stream.units.begin() + long(at + random.below(stream.units.size() - at + 1)), changed);
}

} // namespace

void change_headers(Random &random, Stream &stream, const Stream &other) {
    if (stream.codec == Codec::vp9)
        change_vp9(random, stream);
    else
        change_h264(random, stream, other);
}

} // namespace fuzz
