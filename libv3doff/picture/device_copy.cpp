// SPDX-License-Identifier: BSD-2-Clause
#include "picture/device_copy.hpp"

#include "picture/backup.hpp"
#include "records/copy.h"
#include "util/divide.hpp"
#include "vk/shaders.hpp"

namespace v3doff::device_copy {
namespace {

// Bytes of a part, and the alignment of a workgroup's beginning in parts.
struct Way {
    uint32_t part, parts;
};
constexpr Way in{16, 1}, out{4, COPY_LINE_WORDS};
static_assert(COPY_LANES * in.part == COPY_GROUP_WORDS * sizeof(uint32_t));

uint32_t groups_for(uint32_t parts, uint32_t part) {
    return divide_up(parts, COPY_GROUP_WORDS * uint32_t(sizeof(uint32_t)) / part);
}

CopyPush rows_of(const SampleMap &map, const PlaneRows &rows, Way way) {
    static_assert(COPY_PLANES == max_planes);
    const uint32_t part = way.part;
    CopyPush push{};
    Backup::each_range(map, rows, [&](unsigned p, size_t at, size_t bytes, size_t kept) {
        push.beside[p] = uint32_t(at / part) % way.parts;
        push.at[p] = uint32_t(at / part) - push.beside[p];
        push.parts[p] = uint32_t((at + bytes + part - 1) / part) - push.at[p];
        push.kept[p] = uint32_t(kept / part);
    });
    for (unsigned p = 1; p < COPY_PLANES; p++)
        push.group[p] = push.group[p - 1] + groups_for(push.parts[p - 1], part);
    push.arena_group = push.group[COPY_PLANES - 1] + groups_for(push.parts[COPY_PLANES - 1], part);
    return push;
}

Dispatch copy(uint32_t shader, uint32_t groups, const CopyPush &push, vk::Access access) {
    Dispatch dispatch(shader, {groups, 1, 1}, push, access);
    dispatch.by_area = true;
    return dispatch;
}

} // namespace

std::vector<uint32_t> shaders() {
    return {vk::shader_index("copy_in"), vk::shader_index("copy_out")};
}

// A field, whose rows lie between those of another picture, is not copied: the copy back would
// overwrite what the other picture has become meanwhile.
bool wanted(const vk::Device &device, const Surface &surface) {
    if (!device.caps().passes_in_local_memory) return false;
    // Shaders must also reach the backup, to write it.
    if (surface.gpu()->size() + Backup::most_overhead > device.facts().buffer_reach()) return false;
    const SampleMap &map = surface.map();
    for (unsigned p = 0; p < map.format.planes(); p++)
        if (map.stride_bytes(p) >= 2 * map.row_bytes[p]) return false;
    return true;
}

void make(vk::Device &device, Surface &surface, const Plan &plan) {
    const auto make_one = [&](Surface &of) { // copies are made in parts
        of.make_device_copy(device, of.gpu()->size() + in.part);
    };
    make_one(surface);
    for (Surface *reference : plan.references)
        if (reference) make_one(*reference);
}

Dispatch copy_in(const Surface &surface, const Plan &plan, bool keep) {
    static const uint32_t shader = vk::shader_index("copy_in");
    static constexpr RowRange none[max_planes];
    CopyPush push = rows_of(surface.map(), plan.old == Plan::Old::gone ? none : plan.rows, in);
    push.keep = keep;
    push.arena_parts = divide_up(uint32_t(plan.arena.size() * sizeof(uint32_t)), in.part);
    return copy(shader, push.arena_group + groups_for(push.arena_parts, in.part), push,
                {0, vk::memory_samples | vk::memory_arena});
}

Dispatch copy_out(const Surface &surface, const Plan &plan) {
    static const uint32_t shader = vk::shader_index("copy_out");
    const CopyPush push = rows_of(surface.map(), plan.rows, out);
    return copy(shader, push.arena_group, push, {vk::memory_samples, 0});
}

} // namespace v3doff::device_copy
