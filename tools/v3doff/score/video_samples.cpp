// SPDX-License-Identifier: BSD-2-Clause
// Uncompressed files: y4m, and raw planes one after another.
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "score/video.hpp"

namespace tool::score {
namespace {

constexpr uint32_t most_side = 16384;

class SampleFile : public Video {
  public:
    explicit SampleFile(const std::string &path) : path_(path) {
        file_.reset(std::fopen(path.c_str(), "rb"));
        if (!file_) fail(std::strerror(errno));
    }

    bool next(v3doff_planes &planes) override {
        if (!begin_picture()) return false;
        samples_.resize(format_.picture_bytes());
        const size_t got = std::fread(samples_.data(), 1, samples_.size(), file_.get());
        if (got != samples_.size())
            fail(fmt::format("truncated: picture {} has {} of {} bytes", number_, got,
                             samples_.size()));
        number_++;
        planes = {};
        planes.struct_size = sizeof planes;
        planes.count = format_.planes();
        std::byte *at = samples_.data();
        for (unsigned p = 0; p < planes.count; p++) {
            planes.data[p] = at;
            planes.stride[p] = ptrdiff_t(format_.plane_width(p)) * format_.sample_bytes();
            at += size_t(planes.stride[p]) * format_.plane_height(p);
        }
        return true;
    }

  protected:
    // Up to the picture's samples; false at a proper end.
    virtual bool begin_picture() = 0;

    bool at_end() {
        const int next = std::fgetc(file_.get());
        if (next == EOF) return true;
        std::ungetc(next, file_.get());
        return false;
    }
    std::string line() {
        std::string text;
        for (int c; (c = std::fgetc(file_.get())) != '\n';) {
            if (c == EOF || text.size() > 4096) fail("truncated, or not y4m: a header has no end");
            text += char(c);
        }
        return text;
    }
    [[noreturn]] void fail(const std::string &what) const {
        throw std::runtime_error(path_ + ": " + what);
    }

    const std::string path_;
    std::unique_ptr<FILE, int (*)(FILE *)> file_{nullptr, std::fclose};
    uint64_t number_ = 0;

  private:
    std::vector<std::byte> samples_;
};

class Raw final : public SampleFile {
  public:
    Raw(const std::string &path, const VideoFormat &format) : SampleFile(path) {
        format_ = format;
        std::error_code error;
        const uintmax_t bytes = std::filesystem::file_size(path, error);
        if (error) return; // a pipe: its size is only known at its end
        if (!bytes || bytes % format_.picture_bytes())
            fail(fmt::format("{} bytes are not whole pictures of {} ({} bytes each)", bytes,
                             format_.text(), format_.picture_bytes()));
        pictures_ = bytes / format_.picture_bytes();
    }

  private:
    bool begin_picture() override { return !at_end(); }
};

class Y4m final : public SampleFile {
  public:
    explicit Y4m(const std::string &path) : SampleFile(path) {
        const std::string header = line();
        std::istringstream words(header);
        std::string word, chroma = "420";
        words >> word; // YUV4MPEG2
        while (words >> word) {
            if (word[0] == 'W') format_.width = number_in(word);
            if (word[0] == 'H') format_.height = number_in(word);
            if (word[0] == 'C') chroma = word.substr(1);
            if (word[0] == 'I' && word != "Ip" && word != "I?")
                fail("is interlaced; the metrics are defined only for progressive video");
        }
        if (!format_.width || !format_.height) fail("the y4m header has no size");
        set_chroma(chroma);
        count_pictures(path, header.size() + 1);
    }

  private:
    uint32_t number_in(const std::string &word) const {
        const char *end = word.data() + word.size();
        uint32_t value = 0;
        const auto [last, problem] = std::from_chars(word.data() + 1, end, value);
        if (problem != std::errc() || last != end || value > most_side)
            fail("the y4m header has a bad size: " + word);
        return value;
    }

    // C420, C420jpeg, C420mpeg2, C420paldv are 8 bits; C420p10, Cmono12 are deep; 0: neither.
    static uint32_t depth_of(std::string_view kind) {
        for (const char *eight_bits : {"", "jpeg", "mpeg2", "paldv"})
            if (kind == eight_bits) return 8;
        if (kind[0] == 'p') kind.remove_prefix(1);
        uint32_t depth = 0;
        const auto [last, problem] = std::from_chars(kind.data(), kind.data() + kind.size(), depth);
        const bool number = problem == std::errc() && last == kind.data() + kind.size();
        return number && depth >= 8 && depth <= 16 ? depth : 0;
    }

    void set_chroma(const std::string &name) {
        static const std::pair<const char *, v3doff_chroma> known[] = {{"420", V3DOFF_CHROMA_420},
                                                                       {"422", V3DOFF_CHROMA_422},
                                                                       {"444", V3DOFF_CHROMA_444},
                                                                       {"440", V3DOFF_CHROMA_440},
                                                                       {"mono", V3DOFF_CHROMA_400}};
        for (const auto &[prefix, chroma] : known) {
            const size_t size = std::strlen(prefix);
            if (name.compare(0, size, prefix)) continue;
            format_.chroma = chroma;
            format_.bit_depth = depth_of(std::string_view(name).substr(size));
            if (!format_.bit_depth) break;
            return;
        }
        fail("the y4m format C" + name + " is not supported");
    }

    // Assumes that every picture's header is only the word FRAME, as programs write it.
    void count_pictures(const std::string &path, size_t header) {
        std::error_code error;
        const uintmax_t bytes = std::filesystem::file_size(path, error);
        const size_t each = format_.picture_bytes() + 6;
        if (!error && bytes > header && (bytes - header) % each == 0)
            pictures_ = (bytes - header) / each;
    }

    bool begin_picture() override {
        if (at_end()) return false;
        const std::string header = line();
        if (header != "FRAME" && header.compare(0, 6, "FRAME "))
            fail(fmt::format("no FRAME before picture {}", number_));
        return true;
    }
};

} // namespace

std::unique_ptr<Video> open_raw(const std::string &path, const VideoFormat &format) {
    return std::make_unique<Raw>(path, format);
}

std::unique_ptr<Video> open_y4m(const std::string &path) {
    return std::make_unique<Y4m>(path);
}

} // namespace tool::score
