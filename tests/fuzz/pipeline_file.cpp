// SPDX-License-Identifier: BSD-2-Clause
// The pipeline cache: any bytes, and the same with the right header in front but for one byte.
#include "vk/pipeline_file.hpp"

#include <filesystem>
#include <unistd.h>

#include "target.hpp"
#include "util/file.hpp"

using namespace v3doff;

namespace {

vk::Facts some_facts() {
    vk::Facts facts;
    facts.uuid = {1, 2, 3};
    facts.pipeline_cache_uuid = {4, 5, 6};
    facts.driver_version = 7;
    return facts;
}

class Folder {
  public:
    const std::string path =
        std::filesystem::temp_directory_path() / ("v3doff-fuzz-" + std::to_string(getpid()));
    ~Folder() { std::filesystem::remove_all(path); }
};

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static const vk::Facts facts = some_facts();
    static const Folder folder;
    must(vk::pipeline_data({bytes, count}, facts).empty(), "unknown bytes are refused");
    if (count < 4) return 0;
    const std::span<const uint8_t> data(bytes + 3, count - 3);
    const std::string path = folder.path + "/pipelines";
    must(vk::write_pipeline_file(path, facts, data).empty(), "a file can be written");
    auto file = file::read(path, count + 1000, file::Trust::owned);
    must(file.has_value(), "what was written can be read");
    const auto read = vk::pipeline_data(*file, facts);
    must(std::equal(read.begin(), read.end(), data.begin(), data.end()), "the same data");
    if (!bytes[2]) return 0;
    (*file)[(bytes[0] | size_t(bytes[1]) << 8) % file->size()] ^= bytes[2];
    must(vk::pipeline_data(*file, facts).empty(), "a damaged byte is noticed");
    return 0;
}
