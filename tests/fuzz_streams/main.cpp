// SPDX-License-Identifier: BSD-2-Clause
// Decodes mutated streams with and without libv3doff; tools/fuzz builds and starts it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "batch.hpp"

namespace {

using namespace fuzz;

struct Arguments {
    Plan plan;
    Options options;
    std::string sources, stream;
    bool repeat = false;
    uint64_t number = 0;
};

int misuse(const char *what) {
    std::fprintf(stderr, "fuzz: %s; see tools/fuzz --help\n", what);
    return 2;
}

bool take(Arguments &all, const std::string &name, const char *value) {
    const uint64_t number = std::strtoull(value, nullptr, 10);
    Options &options = all.options;
    if (name == "--sources")
        all.sources = value;
    else if (name == "--stream")
        all.stream = value;
    else if (name == "--seed")
        all.plan.seed = number;
    else if (name == "--number")
        all.number = number, all.repeat = true;
    else if (name == "--from")
        options.from = number;
    else if (name == "--first")
        options.first = number;
    else if (name == "--decodes")
        options.trials = number;
    else if (name == "--seconds")
        options.seconds = unsigned(number);
    else if (name == "--jobs")
        options.jobs = std::max(1u, unsigned(number));
    else if (name == "--time-limit")
        options.time_limit = unsigned(number);
    else if (name == "--keep")
        options.keep = value;
    else if (name == "--scratch")
        options.scratch = value;
    else if (name == "--command")
        options.command = value;
    else
        return false;
    return true;
}

bool read_sources(Arguments &all) {
    std::vector<std::string> paths;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(all.sources, error))
        if (entry.is_regular_file()) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    for (const std::string &path : paths) {
        Stream stream = read_stream(path);
        if (!stream.units.empty()) all.plan.sources.push_back(std::move(stream));
    }
    return !all.plan.sources.empty();
}

// A run in which the device did nothing has compared FFmpeg with itself.
bool too_few(const Totals &totals) {
    return totals.pictures.gpu < totals.trials || totals.pictures.whole * 10 < totals.trials;
}

int run(Arguments &all) {
    Batches batches(all.plan, all.options);
    const Totals totals = all.repeat ? batches.repeat(all.number) : batches.run();
    std::printf(
        "%llu trials, %llu decodes, %llu frames; pictures: GPU %llu, %llu of them reconstructed "
        "there, CPU %llu; not the same without libv3doff: %llu; crashes without it: %llu; failed: "
        "%zu\n",
        (unsigned long long)totals.trials, (unsigned long long)totals.decodes,
        (unsigned long long)totals.frames, (unsigned long long)totals.pictures.gpu,
        (unsigned long long)totals.pictures.whole, (unsigned long long)totals.pictures.cpu,
        (unsigned long long)totals.unsteady, (unsigned long long)totals.of_ffmpeg,
        totals.failed.size());
    const bool idle = !all.repeat && totals.trials >= 100 && too_few(totals);
    if (idle) std::printf("FAILED: the device did too few pictures\n");
    return !totals.failed.empty() || idle;
}

} // namespace

int main(int count, char **arguments) {
    Arguments all;
    for (int i = 1; i < count; i++) {
        if (!std::strcmp(arguments[i], "--wrong")) {
            all.options.wrong = true;
            continue;
        }
        if (i + 1 == count || !take(all, arguments[i], arguments[i + 1]))
            return misuse(arguments[i]);
        i++;
    }
    if (!all.stream.empty()) {
        all.plan.given = read_stream(all.stream);
        if (all.plan.given.units.empty()) return misuse("--stream: no stream");
    } else if (!read_sources(all)) {
        return misuse("--sources: no streams");
    }
    if (all.options.scratch.empty()) return misuse("--scratch is missing");
    return run(all);
}
