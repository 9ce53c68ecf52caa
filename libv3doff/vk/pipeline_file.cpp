// SPDX-License-Identifier: BSD-2-Clause
#include "vk/pipeline_file.hpp"

#include <cstring>

#include "util/cache_file.hpp"
#include "util/log.hpp"
#include "v3doff/version.h"

namespace v3doff::vk {
namespace {

struct Header {
    char magic[8];
    uint32_t library, vendor, device, driver;
    uint8_t device_uuid[16], cache_uuid[16];
    uint64_t bytes, checksum;
};
static_assert(sizeof(Header) == 72 && std::is_trivially_copyable_v<Header>);

constexpr size_t max_bytes = 64u << 20;

Header header_for(const Facts &facts, std::span<const uint8_t> data) {
    Header header{};
    std::memcpy(header.magic, "v3doffPC", 8);
    header.library = V3DOFF_VERSION;
    header.vendor = facts.vendor_id;
    header.device = facts.device_id;
    header.driver = facts.driver_version;
    std::memcpy(header.device_uuid, facts.uuid.data(), 16);
    std::memcpy(header.cache_uuid, facts.pipeline_cache_uuid.data(), 16);
    header.bytes = data.size();
    header.checksum = file::checksum(data);
    return header;
}

} // namespace

std::string pipeline_file_path(const std::string &folder, const Facts &facts) {
    char name[64];
    uint64_t key = file::checksum(facts.uuid) ^ file::checksum(facts.pipeline_cache_uuid);
    std::snprintf(name, sizeof name, "/pipelines-%016llx.bin",
                  static_cast<unsigned long long>(key));
    return folder + name;
}

std::vector<uint8_t> pipeline_data(std::span<const uint8_t> file, const Facts &facts) {
    if (file.size() <= sizeof(Header)) return {};
    const auto data = file.subspan(sizeof(Header));
    const Header expected = header_for(facts, data);
    if (std::memcmp(&expected, file.data(), sizeof expected) != 0) return {};
    return {data.begin(), data.end()};
}

std::vector<uint8_t> read_pipeline_file(const std::string &path, const Facts &facts) {
    std::string problem;
    auto bytes = cache_file::read(path, max_bytes, problem);
    if (!problem.empty())
        LOG_WARNING_ONCE("pipeline cache %s is not used: %s", path.c_str(), problem.c_str());
    if (!bytes) return {};
    auto data = pipeline_data(*bytes, facts);
    if (data.empty())
        LOG_INFO("pipeline cache %s: damaged or of another device, driver or version; not used",
                 path.c_str());
    return data;
}

std::string write_pipeline_file(const std::string &path, const Facts &facts,
                                std::span<const uint8_t> data) {
    Header header = header_for(facts, data);
    std::vector<uint8_t> bytes(sizeof header + data.size());
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + sizeof header, data.data(), data.size());
    // Threads that wait for the device may also wait for this.
    return cache_file::write(path, bytes, file::Crash::may_cut_it_short);
}

} // namespace v3doff::vk
