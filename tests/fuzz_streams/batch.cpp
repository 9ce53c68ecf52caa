// SPDX-License-Identifier: BSD-2-Clause
#include "batch.hpp"

extern "C" {
#include <libavutil/cpu.h>
}

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// Of the leak sanitizer, where it is linked.
extern "C" int __lsan_do_recoverable_leak_check() __attribute__((weak));

namespace fuzz {
namespace {

constexpr int found_a_leak = 23; // an exit status, as the leak sanitizer's own

Progress *share_progress() {
    void *memory =
        mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    return new (memory) Progress{};
}

std::string read_text(const std::string &path) {
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

// The leak sanitizer knows what a driver keeps by the names of its files, so those stay loaded.
void keep_driver_loaded() {
    if (!__lsan_do_recoverable_leak_check) return;
    dlopen("libvulkan.so.1", RTLD_NOW);
    const char *file = getenv("VK_DRIVER_FILES");
    std::string text = read_text(file ? file : "");
    size_t at = text.find("\"library_path\"");
    size_t begin = at == text.npos ? at : text.find('"', text.find(':', at));
    size_t end = begin == text.npos ? begin : text.find('"', begin + 1);
    if (end != text.npos) dlopen(text.substr(begin + 1, end - begin - 1).c_str(), RTLD_NOW);
}

std::string end_of(int status) {
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGALRM ? "no end within the time limit"
                                           : "crash: " + std::string(strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status) == found_a_leak) return "memory leaked";
    return "crash or a sanitizer's report, exit status " + std::to_string(WEXITSTATUS(status));
}

} // namespace

bool Batches::time_is_over() const {
    return options_.seconds &&
           std::chrono::steady_clock::now() - begin_ >= std::chrono::seconds(options_.seconds);
}

void Batches::set_environment(uint64_t number) {
    const Environment environment = plan_.environment(number);
    setenv("XDG_CACHE_HOME", (options_.scratch + "/cache").c_str(), 1);
    setenv("LP_NUM_THREADS", "2", 0);
    for (const auto &[name, value] : environment.variables)
        setenv(name.c_str(), value.c_str(), 1);
    if (options_.wrong) setenv("V3DOFF_FAULT", "idle", 1);
    if (environment.dump) {
        std::string folder = options_.scratch + "/dump-" + std::to_string(getpid());
        std::filesystem::create_directories(folder);
        setenv("V3DOFF_DUMP", folder.c_str(), 1);
    }
    if (environment.plain_cpu) av_force_cpu_flags(0);
}

void Batches::work(const Child &child, Look look) {
    int log = open(child.log.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_APPEND, 0644);
    if (log >= 0) {
        dup2(log, STDOUT_FILENO);
        dup2(log, STDERR_FILENO);
    }
    set_environment(child.first);
    keep_driver_loaded();
    listen_to_log();
    for (uint64_t number = child.first; number < child.end && !time_is_over(); number++) {
        alarm(options_.time_limit);
        run_early_exit(plan_, number, *child.progress, look == Look::off);
    }
    for (uint64_t number = child.first; number < child.end; number++) {
        if (time_is_over() && child.end - child.first > 1) break;
        alarm(options_.time_limit);
        run_trial(plan_, number, *child.progress, look == Look::off);
        if (look == Look::leaks && __lsan_do_recoverable_leak_check &&
            __lsan_do_recoverable_leak_check())
            _exit(found_a_leak);
    }
    child.progress->phase = Phase::none;
    child.progress->pictures = pictures_so_far();
    alarm(options_.time_limit);
    std::exit(0);
}

pid_t Batches::start(Child &child, Look look) {
    child.progress = share_progress();
    child.log = options_.scratch + "/log-" + std::to_string(started_++);
    std::fflush(nullptr);
    pid_t process = fork();
    if (process < 0) std::abort();
    if (!process) work(child, look);
    return process;
}

int Batches::run_alone(Child &child, Look look) {
    int status = 0;
    pid_t process = start(child, look);
    waitpid(process, &status, 0);
    std::filesystem::remove_all(options_.scratch + "/dump-" + std::to_string(process));
    return status;
}

bool Batches::fails_alone(uint64_t number, Look look) {
    Child child{nullptr, number, number + 1, {}};
    int status = run_alone(child, look);
    bool failed = status || child.progress->failed;
    munmap(child.progress, sizeof(Progress));
    return failed;
}

void Batches::report(uint64_t number, uint64_t batch_begin, const std::string &what,
                     const std::string &log, bool alone) {
    if (!totals_.failed.insert(number).second) return;
    const Stream stream = plan_.stream(number);
    std::filesystem::create_directories(options_.keep);
    std::string name =
        options_.keep + "/" + std::to_string(plan_.seed) + "-" + std::to_string(number);
    std::string kept = name + file_ending(stream.codec);
    write_file(kept, to_file(stream));
    std::string end = " --number " + std::to_string(number);
    if (!alone && batch_begin != number) end += " --from " + std::to_string(batch_begin);
    if (alone) end += " --stream " + kept;
    std::string text = "FAILED: trial " + std::to_string(number) + ": " + what + "\n  " +
                       (stream.name.empty() ? "" : stream.name + ": ") +
                       plan_.environment(number).describe() + plan_.settings(number).describe() +
                       (alone ? "" : "\n  (alone it did not happen again)") +
                       "\n  repeat: " + options_.command + end + "\n";
    std::ofstream(name + ".txt") << text << log;
    std::printf("%s%s", text.c_str(),
                log.size() > 6000 ? log.substr(0, 6000).c_str() : log.c_str());
    std::fflush(stdout);
}

// Which trial was it?
void Batches::attribute(const Child &child, int status) {
    const std::string log = read_text(child.log);
    Progress &progress = *child.progress;
    if (progress.phase != Phase::none) {
        // Without libv3doff, too: then it is FFmpeg's own.
        if (fails_alone(progress.number, Look::off)) {
            totals_.of_ffmpeg++;
            return;
        }
        report(progress.number, child.first, end_of(status), log,
               fails_alone(progress.number, Look::whole));
        return;
    }
    // At the end of the process: once more, with a look for leaks behind each trial.
    Child again{nullptr, child.first, child.end, {}};
    int second = run_alone(again, Look::leaks);
    uint64_t number = second ? again.progress->number : child.end - 1;
    report(number, child.first, end_of(status), second ? read_text(again.log) : log,
           second && fails_alone(number, Look::leaks));
    munmap(again.progress, sizeof(Progress));
}

void Batches::finish(Child &child, int status) {
    Progress &progress = *child.progress;
    totals_.trials += progress.trials;
    totals_.decodes += progress.decodes;
    totals_.frames += progress.frames;
    totals_.pictures.gpu += progress.pictures.gpu;
    totals_.pictures.cpu += progress.pictures.cpu;
    totals_.pictures.whole += progress.pictures.whole;
    totals_.unsteady += progress.unsteady;
    for (unsigned i = 0; i < progress.failed; i++) {
        uint64_t number = progress.failures[i].number;
        if (fails_alone(number, Look::off)) {
            totals_.of_ffmpeg++;
            continue;
        }
        report(number, child.first, progress.failures[i].text, "",
               fails_alone(number, Look::whole));
    }
    if (status) attribute(child, status);
    // What broke off goes on behind the trial that did it.
    if (status && progress.phase != Phase::none && progress.number + 1 < child.end)
        broken_off_.push_back({nullptr, progress.number + 1, child.end, {}});
    std::filesystem::remove(child.log);
    munmap(child.progress, sizeof(Progress));
}

bool Batches::next_batch(Child &child) {
    if (time_is_over()) return false;
    if (!broken_off_.empty()) {
        child = broken_off_.back();
        broken_off_.pop_back();
        return true;
    }
    const uint64_t end = options_.trials ? options_.first + options_.trials : UINT64_MAX;
    if (next_ >= end) return false;
    const uint64_t batch_end = (plan_.batch_of(next_) + 1) * plan_.batch_size;
    child = {nullptr, next_, std::min(end, batch_end), {}};
    next_ = child.end;
    return true;
}

Totals Batches::run() {
    next_ = options_.first;
    for (;;) {
        Child child;
        while (children_.size() < options_.jobs && next_batch(child)) {
            pid_t process = start(child, Look::whole);
            children_.emplace(process, child);
        }
        if (children_.empty()) return totals_;
        int status = 0;
        pid_t process = waitpid(-1, &status, 0);
        auto found = children_.find(process);
        if (found == children_.end()) continue;
        child = found->second;
        children_.erase(found);
        std::filesystem::remove_all(options_.scratch + "/dump-" + std::to_string(process));
        finish(child, status);
    }
}

Totals Batches::repeat(uint64_t number) {
    Child child{nullptr, std::min(number, options_.from), number + 1, {}};
    int status = run_alone(child, Look::leaks);
    std::fputs(read_text(child.log).c_str(), stderr);
    Progress &progress = *child.progress;
    totals_ = {.trials = progress.trials,
               .decodes = progress.decodes,
               .frames = progress.frames,
               .unsteady = progress.unsteady,
               .pictures = progress.pictures,
               .failed = {}};
    std::printf("trial %llu: %s%s\n", (unsigned long long)number,
                plan_.environment(number).describe().c_str(),
                plan_.settings(number).describe().c_str());
    for (unsigned i = 0; i < progress.failed; i++) {
        totals_.failed.insert(progress.failures[i].number);
        std::printf("FAILED: trial %llu: %s\n", (unsigned long long)progress.failures[i].number,
                    progress.failures[i].text);
    }
    if (status) {
        totals_.failed.insert(progress.number);
        std::printf("FAILED: trial %llu: %s\n", (unsigned long long)progress.number,
                    end_of(status).c_str());
    }
    return totals_;
}

} // namespace fuzz
