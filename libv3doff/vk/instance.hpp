// SPDX-License-Identifier: BSD-2-Clause
// The VkInstance that all own devices of the process share, and the choice among its devices.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vk/caps.hpp"
#include "vk/facts.hpp"

namespace v3doff::vk {

class Instance {
  public:
    // The process's instance; a new one if nobody holds it. Throws NO_VULKAN or NO_DEVICE.
    static std::shared_ptr<Instance> get();

    Instance();
    ~Instance();
    Instance(const Instance &) = delete;
    Instance &operator=(const Instance &) = delete;

    struct Candidate {
        Facts facts;
        Caps caps;
        ExtensionNames extensions;
    };
    std::vector<Candidate> devices() const;
    // Those that this process can have. Loads the driver, unless it is loaded.
    static std::vector<Candidate> list();

    const InstanceFunctions &functions() const { return functions_; }

  private:
    VkInstance handle_ = VK_NULL_HANDLE;
    InstanceFunctions functions_;
};

// The index of the wanted device. `select` is an index, part of a name (in any case) or a UUID
// (dashes are optional). Empty: the first usable one of discrete, integrated, virtual, other and
// software devices, in this order. Throws NO_DEVICE with the reason.
size_t select_device(const std::vector<Instance::Candidate> &candidates, const std::string &select,
                     bool allow_software);

} // namespace v3doff::vk
