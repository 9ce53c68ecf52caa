// SPDX-License-Identifier: BSD-2-Clause
// What the bench times: families of kernels, each one or more pictures full of one kind of work.
#pragma once

#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ffdsp.h"
#include "session.hpp"

namespace tool::bench {

using Json = nlohmann::ordered_json;

struct Session {
    v3doff_device *device, *cpu; // the one that is timed, and the one that knows the right bits
    unsigned repeats;
    DeviceChoice choice;           // of the device
    std::vector<uint32_t> heights; // of whole pictures, 16:9
    double seconds = 1;            // of a cell of the matrix
    // No picture is begun after this time: measure() throws.
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

struct Family {
    std::string name, summary;
    std::function<void(const Session &, Json &results)> run;
};
using Families = std::vector<Family>;
void add_metrics(Families &families);
void add_submit(Families &families);
void add_h264_residual(Families &families);
void add_h264_record(Families &families);
void add_h264_words(Families &families);
void add_h264_whole(Families &families);
void add_vp9_residual(Families &families);
void add_vp9_filter(Families &families);
void add_h264_filter(Families &families);
void add_vp9_inter(Families &families);
void add_vp9_record(Families &families);
void add_vp9_whole(Families &families);
void add_h264_strength(Families &families);

void add_picture(Families &families);
void add_matrix(Families &families);

// Zeros, aligned as FFmpeg's functions demand.
template <typename T>
class Aligned {
  public:
    Aligned() = default;
    explicit Aligned(size_t size) : size_(size), data_(make(size)) {
        std::memset(data_.get(), 0, size * sizeof(T));
    }
    Aligned(Aligned &&) = default;
    Aligned &operator=(Aligned &&) = default;
    // Copies the values into the existing memory; both must have the same size.
    Aligned &operator=(const Aligned &from) {
        std::memcpy(data_.get(), from.data_.get(), size_ * sizeof(T));
        return *this;
    }
    T *data() { return data_.get(); }
    const T *data() const { return data_.get(); }
    size_t size() const { return size_; }

  private:
    struct Free {
        void operator()(T *data) const { ::operator delete[](data, std::align_val_t(64)); }
    };
    static T *make(size_t size) {
        return static_cast<T *>(::operator new[](size * sizeof(T), std::align_val_t(64)));
    }
    size_t size_ = 0;
    std::unique_ptr<T, Free> data_;
};

// A picture and what is recorded on it. Called with the same geometry, fill and record must do the
// same every time.
struct Work {
    std::string name;
    uint32_t width = 1920, height = 1080, bit_depth = 8;
    v3doff_chroma chroma = V3DOFF_CHROMA_420;
    std::function<void(v3doff_picture *)> fill;   // sets the samples
    std::function<void(v3doff_picture *)> record; // what is to be done with them
    // Called before record for each device, if record needs more than the picture. May be empty.
    std::function<void(v3doff_device *)> prepare;
    // The same work by FFmpeg's functions, done at once, each time after refill. May be empty.
    std::function<void(const v3doff_planes &, bool simd)> ffmpeg;
    bool by_ffmpeg() const { return ffmpeg && ffdsp_version(); }
    std::function<void()> refill;
    size_t record_bytes = 0;      // what the GPU has to read at least, apart from the samples
    std::function<Work()> remake; // an equal one that shares nothing with it, for another thread
};

// Times the work on the device and by FFmpeg's functions, compares the samples of every timed
// picture with the CPU's, and reports how long each pass took. Throws if bits differ or the GPU did
// not do the work. The session's repeats are divided by share; there are at least 5.
Json measure(const Session &session, const Work &work, unsigned share = 20);

// FFmpeg's C and SIMD, on hot and on cold caches; R and its band. bits: the expected samples.
void measure_ffmpeg(const Session &session, const Work &work, const std::vector<uint8_t> &bits,
                    unsigned repeats, Json &result);
// green from 1 on, yellow from 0.5, orange from 0.1, red below.
const char *band_of(double ratio);

// Visible samples, row after row.
std::vector<uint8_t> samples_of(v3doff_picture *picture, uint32_t sample_bytes);

// The picture's samples with their padding, to put them back.
class Kept {
  public:
    explicit Kept(v3doff_picture *picture);
    void put_back(v3doff_picture *picture) const;

  private:
    std::vector<uint8_t> bytes_;
};

// Random samples, the same for every call: least to least + range - 1, in the padding too.
void fill_samples(v3doff_picture *picture, uint32_t bit_depth, uint32_t least, uint32_t range);

Json spread(std::vector<double> values); // min, median, max

double thread_ns(); // CPU time of the calling thread

void walk_other_memory(); // reads enough to evict everything else from all caches

} // namespace tool::bench
