// SPDX-License-Identifier: BSD-2-Clause
// fuzz_TARGET FOLDER: tries every file in it, for builds without libFuzzer.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "target.hpp"

int main(int count, char **arguments) {
    unsigned tried = 0;
    for (int i = 1; i < count; i++)
        for (const auto &entry : std::filesystem::directory_iterator(arguments[i])) {
            std::printf("%s\n", entry.path().c_str());
            std::fflush(stdout);
            std::ifstream file(entry.path(), std::ios::binary);
            const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
            LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
            tried++;
        }
    std::printf("%u inputs\n", tried);
    return tried ? 0 : 1;
}
