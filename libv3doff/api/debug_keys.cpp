// SPDX-License-Identifier: BSD-2-Clause
#include "api/debug_keys.hpp"

#include <algorithm>
#include <array>

#include "dsp/debug_keys.hpp"
#include "h264/debug_keys.hpp"
#include "picture/debug_keys.hpp"
#include "policy/debug_keys.hpp"
#include "vk/debug_keys.hpp"
#include "vp9/debug_keys.hpp"

namespace v3doff::debug {
namespace {

constexpr std::array all_keys = {
    &dsp,       &dump_pictures,  &h264_intra,     &local_memory, &piece_bytes,
    &self_test, &uncached_reads, &vp9_loopfilter, &band_rows,    &open,
    &report,    &vp9_passes,     &vp9_transforms,
};

// When the library is loaded, before anybody can ask for a key.
[[maybe_unused]] const bool told = (set_known(all_keys), true);

} // namespace

const Key *find_key(std::string_view name) {
    const auto found = std::find_if(all_keys.begin(), all_keys.end(),
                                    [&](const Key *key) { return key->name == name; });
    return found == all_keys.end() ? nullptr : *found;
}

} // namespace v3doff::debug
