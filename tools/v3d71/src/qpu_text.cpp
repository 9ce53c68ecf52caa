// SPDX-License-Identifier: BSD-2-Clause
#include "qpu_text.hpp"

#include <initializer_list>
#include <sstream>

namespace v3doff::v3d71 {

namespace {

int occurrences(const std::string &line, std::initializer_list<const char *> words) {
    int n = 0;
    for (const std::string word : words)
        for (size_t i = 0; (i = line.find(word, i)) != std::string::npos; i += word.size())
            n++;
    return n;
}

bool busy(const std::string &alu) {
    const size_t i = alu.find_first_not_of(' ');
    return i != std::string::npos && alu.compare(i, 3, "nop") != 0;
}

} // namespace

QpuCounts count_qpu(const std::string &assembly) {
    QpuCounts c;
    std::istringstream in(assembly);
    for (std::string line; std::getline(in, line);) {
        // writing an address register starts an access: tmua* to a buffer, tmus* to an image
        c.tmu += occurrences(line, {"tmua", "tmus"});
        c.tmu_writes += occurrences(line, {"tmud"});
        c.tmu_reads += occurrences(line, {"ldtmu"});
        c.thread_switches += occurrences(line, {"thrsw"});
        c.uniform_loads += occurrences(line, {"ldunif"});
        c.mul32 += occurrences(line, {"multop"});
        c.sfu += occurrences(line, {"recip ", "rsqrt ", "exp ", "log ", "sin ", "ballot"});
        const size_t first = line.find(';');
        if (first == std::string::npos) continue;
        const size_t second = line.find(';', first + 1);
        c.dual += busy(line.substr(0, first)) &&
                  busy(line.substr(first + 1, second - first - 1)); // npos: to the end
    }
    return c;
}

} // namespace v3doff::v3d71
