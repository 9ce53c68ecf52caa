// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <charconv>

#include "util/error.hpp"
#include "vk/instance.hpp"

namespace v3doff::vk {
namespace {

std::string lower(std::string text) {
    for (char &c : text)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return text;
}

std::string hex(const std::array<uint8_t, 16> &uuid) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (uint8_t byte : uuid) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

// Returns nothing if the text is not an index.
std::optional<size_t> as_index(const std::string &text) {
    size_t index = 0;
    auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), index);
    // A number too large for an index names no device, but it is still a number.
    if (problem == std::errc::result_out_of_range) return SIZE_MAX;
    if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return index;
}

std::optional<size_t> find_named(const std::vector<Instance::Candidate> &candidates,
                                 const std::string &select) {
    if (auto index = as_index(select)) return *index < candidates.size() ? index : std::nullopt;
    std::string wanted = lower(select), uuid = wanted;
    uuid.erase(std::remove(uuid.begin(), uuid.end(), '-'), uuid.end());
    for (size_t i = 0; i < candidates.size(); i++)
        if (hex(candidates[i].facts.uuid) == uuid) return i;
    for (size_t i = 0; i < candidates.size(); i++)
        if (lower(candidates[i].facts.name).find(wanted) != std::string::npos) return i;
    return std::nullopt;
}

int rank(const Caps &caps) {
    switch (caps.kind) {
    case V3DOFF_DEVICE_KIND_DISCRETE:
        return 0;
    case V3DOFF_DEVICE_KIND_INTEGRATED:
        return 1;
    case V3DOFF_DEVICE_KIND_VIRTUAL:
        return 2;
    case V3DOFF_DEVICE_KIND_SOFTWARE:
        return 4;
    default:
        return 3;
    }
}

size_t find_best(const std::vector<Instance::Candidate> &candidates, bool allow_software) {
    std::optional<size_t> best;
    std::string why = candidates.empty() ? "no Vulkan device on this machine" : "";
    for (size_t i = 0; i < candidates.size(); i++) {
        const Caps &caps = candidates[i].caps;
        const std::string &name = candidates[i].facts.name;
        if (!caps.missing.empty())
            why += (why.empty() ? "" : "; ") + name + " lacks " + caps.missing;
        else if (caps.software && !allow_software)
            why += (why.empty() ? "" : "; ") + name + " is a software device";
        else if (!best || rank(caps) < rank(candidates[*best].caps))
            best = i;
    }
    if (!best) throw Error(V3DOFF_ERROR_NO_DEVICE, why);
    return *best;
}

} // namespace

size_t select_device(const std::vector<Instance::Candidate> &candidates, const std::string &select,
                     bool allow_software) {
    if (select.empty()) return find_best(candidates, allow_software);
    auto found = find_named(candidates, select);
    if (!found)
        throw Error(V3DOFF_ERROR_NO_DEVICE, "no device matches '" + select.substr(0, 64) +
                                                "' (index, part of a name, or UUID)");
    const Instance::Candidate &candidate = candidates[*found];
    if (!candidate.caps.missing.empty())
        throw Error(V3DOFF_ERROR_NO_DEVICE,
                    candidate.facts.name + " lacks " + candidate.caps.missing);
    if (candidate.caps.software && !allow_software)
        throw Error(V3DOFF_ERROR_NO_DEVICE,
                    candidate.facts.name + " is a software device (mode force would take it)");
    return *found;
}

} // namespace v3doff::vk
