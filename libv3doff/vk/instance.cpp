// SPDX-License-Identifier: BSD-2-Clause
#include "vk/instance.hpp"

#include <algorithm>
#include <charconv>
#include <mutex>

#include "util/error.hpp"
#include "util/log.hpp"
#include "util/process.hpp"

namespace v3doff::vk {

std::shared_ptr<Instance> Instance::get() {
    static std::mutex mutex;
    // Never destroyed: threads may be here when the process ends.
    static auto &shared = *new std::weak_ptr<Instance>;
    std::lock_guard lock(mutex);
    auto instance = shared.lock();
    if (!instance) shared = instance = std::make_shared<Instance>();
    return instance;
}

std::vector<Instance::Candidate> Instance::list() {
    const process::Loading loading; // and unloads the driver again, if nobody else has it
    return get()->devices();
}

Instance::Instance() {
    PFN_vkGetInstanceProcAddr get = open_loader();
    if (!get) throw Error(V3DOFF_ERROR_NO_VULKAN, "there is no Vulkan loader (libvulkan.so.1)");
    auto create = reinterpret_cast<PFN_vkCreateInstance>(get(nullptr, "vkCreateInstance"));
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.pApplicationName = "libv3doff";
    application.pEngineName = "libv3doff";
    application.engineVersion = V3DOFF_VERSION;
    application.apiVersion = VK_API_VERSION_1_2;
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pApplicationInfo = &application;
    VkResult result = create ? create(&info, nullptr, &handle_) : VK_ERROR_INITIALIZATION_FAILED;
    if (result != VK_SUCCESS)
        throw Error(V3DOFF_ERROR_NO_DEVICE,
                    std::string("no Vulkan driver: vkCreateInstance: ") + result_name(result));
    functions_ = load_instance_functions(get, handle_);
}

Instance::~Instance() {
    if (handle_) functions_.DestroyInstance(handle_, nullptr);
}

std::vector<Instance::Candidate> Instance::devices() const {
    uint32_t count = 0;
    VkResult result = functions_.EnumeratePhysicalDevices(handle_, &count, nullptr);
    std::vector<VkPhysicalDevice> handles(count);
    if (result == VK_SUCCESS && count)
        result = functions_.EnumeratePhysicalDevices(handle_, &count, handles.data());
    if (result < 0)
        throw Error(V3DOFF_ERROR_NO_DEVICE,
                    std::string("vkEnumeratePhysicalDevices: ") + result_name(result));
    handles.resize(count);
    std::vector<Candidate> list;
    for (VkPhysicalDevice handle : handles) {
        Candidate candidate;
        candidate.extensions = device_extensions(functions_, handle);
        candidate.facts = read_facts(functions_, handle, candidate.extensions);
        candidate.caps = judge(candidate.facts);
        list.push_back(std::move(candidate));
    }
    return list;
}

namespace {

std::string lower(std::string text) {
    for (char &c : text)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
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
        if (candidates[i].facts.uuid_text() == uuid) return i;
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
