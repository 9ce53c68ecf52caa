// SPDX-License-Identifier: BSD-2-Clause
// What CPU and GPU do side by side: all cores, one core less and the GPU, all cores and the GPU,
// the GPU alone. One run measures the pictures per second and the CPU seconds of each. A core's
// worker processes pictures with FFmpeg's SIMD (or, if that is not built in, the library's plain
// code); the GPU's thread records, submits and waits. Every worker restores the samples before each
// picture, and its last picture is compared.
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <sys/resource.h>
#include <thread>

#include "bench/pictures.hpp"

namespace tool::bench {
namespace {

using Clock = std::chrono::steady_clock;

double process_cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

// A thread's own pictures, ready before the clock starts.
class Worker {
  public:
    virtual ~Worker() = default;
    virtual void one() = 0;        // completes a picture, or starts one and completes an older one
    virtual void end() {}          // completes the pictures in flight
    virtual void compare() = 0;    // throws if the last picture is wrong
    std::atomic<uint64_t> done{0}; // pictures
};

class CpuWorker final : public Worker {
  public:
    CpuWorker(const Session &session, const Work &work, const std::vector<uint8_t> &bits)
        : work_(work.remake()), bits_(bits), pool_(make_pool(session.cpu, work.width, work.height)),
          picture_(open_picture(pool_.get())) {
        work_.fill(picture_.get());
        kept_ = std::make_unique<Kept>(picture_.get());
    }
    void one() override {
        if (ran_ && !work_.by_ffmpeg()) check(v3doff_picture_reopen(picture_.get()), "reopen");
        ran_ = true;
        kept_->put_back(picture_.get());
        if (work_.refill) work_.refill();
        if (work_.by_ffmpeg()) {
            work_.ffmpeg(planes_of(picture_.get()), true);
        } else {
            work_.record(picture_.get());
            run_picture(picture_.get(), V3DOFF_EXECUTOR_CPU);
        }
        done++;
    }
    void compare() override {
        if (samples_of(picture_.get(), 1) != bits_)
            throw std::runtime_error(work_.name + ": a core's bits are wrong, nothing is reported");
    }

  private:
    const Work work_;
    const std::vector<uint8_t> &bits_;
    Pool pool_;
    Picture picture_;
    std::unique_ptr<Kept> kept_;
    bool ran_ = false;
};

class GpuWorker final : public Worker {
  public:
    GpuWorker(v3doff_device *device, const Work &work, const std::vector<uint8_t> &bits)
        : work_(work.remake()), bits_(bits), pool_(make_pool(device, work.width, work.height)) {
        for (auto &place : places_) {
            place.picture = open_picture(pool_.get());
            work_.fill(place.picture.get());
        }
        kept_ = std::make_unique<Kept>(places_[0].picture.get());
        for (size_t n = 0; n < in_flight; n++) // compiles, allocates
            one();
        end();
        done = 0;
    }
    void one() override {
        Place &place = places_[next_++ % in_flight];
        if (place.submitted) finish(place);
        if (place.used) check(v3doff_picture_reopen(place.picture.get()), "reopen");
        place.used = true;
        kept_->put_back(place.picture.get());
        work_.record(place.picture.get());
        check(v3doff_picture_submit(place.picture.get(), nullptr), "submit");
        place.submitted = true;
    }
    void end() override {
        for (size_t n = 0; n < in_flight; n++)
            if (Place &place = places_[next_++ % in_flight]; place.submitted) finish(place);
    }
    void compare() override {
        for (Place &place : places_)
            if (samples_of(place.picture.get(), 1) != bits_)
                throw std::runtime_error(work_.name +
                                         ": the GPU's bits are wrong, nothing is reported");
    }

  private:
    static constexpr size_t in_flight = 3;
    struct Place {
        Picture picture;
        bool used = false, submitted = false;
    };
    void finish(Place &place) {
        check(v3doff_picture_wait(place.picture.get(), UINT64_MAX), "wait");
        v3doff_picture_report report{};
        report.struct_size = sizeof report;
        check(v3doff_picture_get_report(place.picture.get(), &report), "report");
        if (report.executor != V3DOFF_EXECUTOR_GPU)
            throw std::runtime_error(work_.name + ": not done on the GPU: " + report.reason);
        place.submitted = false;
        done++;
    }

    const Work work_;
    const std::vector<uint8_t> &bits_;
    Pool pool_;
    Place places_[in_flight];
    std::unique_ptr<Kept> kept_;
    size_t next_ = 0;
};

struct Outcome {
    double cpu_pictures = 0, gpu_pictures = 0, seconds = 0, cpu_seconds = 0;
};

// The GPU's worker is the last one.
Outcome run_side_by_side(const std::vector<Worker *> &workers, bool with_gpu, double seconds) {
    std::atomic<bool> stop{false};
    std::exception_ptr problem;
    std::mutex mutex;
    std::vector<std::thread> threads;
    const double cpu_before = process_cpu_seconds();
    const auto start = Clock::now();
    for (Worker *worker : workers)
        threads.emplace_back([&, worker] {
            worker->done = 0;
            try {
                do // at least one: a core that begins late must have a picture to compare
                    worker->one();
                while (!stop);
                worker->end();
            } catch (...) {
                std::lock_guard lock(mutex);
                problem = std::current_exception();
            }
        });
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    stop = true;
    for (auto &thread : threads)
        thread.join();
    Outcome outcome;
    outcome.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    outcome.cpu_seconds = process_cpu_seconds() - cpu_before;
    if (problem) std::rethrow_exception(problem);
    for (size_t n = 0; n < workers.size(); n++) {
        workers[n]->compare();
        const bool gpu = with_gpu && n + 1 == workers.size();
        (gpu ? outcome.gpu_pictures : outcome.cpu_pictures) += double(workers[n]->done);
    }
    return outcome;
}

struct Cell {
    std::string name;
    unsigned cores;
    bool gpu;
};

Json to_json(const Cell &cell, const Outcome &outcome) {
    const double pictures = outcome.cpu_pictures + outcome.gpu_pictures;
    return {{"who", cell.name},
            {"cores", cell.cores},
            {"gpu", cell.gpu},
            {"pictures_per_second", pictures / outcome.seconds},
            {"by_gpu_per_second", outcome.gpu_pictures / outcome.seconds},
            {"seconds", outcome.seconds},
            {"cpu_seconds", outcome.cpu_seconds},
            {"cpu_ms_per_picture", outcome.cpu_seconds * 1000 / pictures},
            {"margin_over_30", pictures / outcome.seconds / 30}};
}

std::vector<uint8_t> bits_of(const Session &session, const Work &work) {
    Pool pool = make_pool(session.cpu, work.width, work.height);
    Picture picture = open_picture(pool.get());
    work.fill(picture.get());
    work.record(picture.get());
    run_picture(picture.get(), V3DOFF_EXECUTOR_CPU);
    return samples_of(picture.get(), 1);
}

Json measure_cells(const Session &session, v3doff_device *device, const Work &work) {
    const unsigned n = std::max(1u, std::thread::hardware_concurrency());
    const std::vector<Cell> cells = {{"all cores", n, false},
                                     {"one core less, and the GPU", n - 1, true},
                                     {"all cores, and the GPU", n, true},
                                     {"the GPU alone", 0, true}};
    const std::vector<uint8_t> bits = bits_of(session, work);
    Json found = Json::array();
    std::vector<std::unique_ptr<Worker>> cores;
    for (unsigned i = 0; i < n; i++)
        cores.push_back(std::make_unique<CpuWorker>(session, work, bits));
    GpuWorker gpu(device, work, bits);
    for (const Cell &cell : cells) {
        std::vector<Worker *> workers;
        for (unsigned i = 0; i < cell.cores; i++)
            workers.push_back(cores[i].get());
        if (cell.gpu) workers.push_back(&gpu);
        found.push_back(to_json(cell, run_side_by_side(workers, cell.gpu, session.seconds)));
    }
    return found;
}

void time_matrix(const Session &session, Json &results) {
    DeviceChoice choice = session.choice;
    choice.timers = false; // they put barriers between passes
    Device device = open_device(choice);
    for (uint32_t height : session.heights) {
        if (height != 1080 && height != 2160 && session.heights.size() > 2) continue;
        for (const Stage &stage : {stages[2], stages[5]}) {
            const Work work = stage.make(width_of(height), height);
            results.push_back({{"name", work.name},
                               {"width", work.width},
                               {"height", work.height},
                               {"bits_equal", true},
                               {"cores_by", work.by_ffmpeg() ? "FFmpeg's SIMD" : "plain code"},
                               {"matrix", measure_cells(session, device.get(), work)}});
        }
    }
}

} // namespace

void add_matrix(Families &families) {
    families.push_back(
        {"matrix", "cores and GPU side by side: pictures a second, CPU seconds", time_matrix});
}

} // namespace tool::bench
