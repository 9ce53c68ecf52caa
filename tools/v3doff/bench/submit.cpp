// SPDX-License-Identifier: BSD-2-Clause
// What an empty submit costs the calling thread.
#include <chrono>

#include "bench/bench.hpp"

namespace tool::bench {
namespace {

using Clock = std::chrono::steady_clock;

void run_empty(const Session &session, Json &results) {
    Pool pool = make_pool(session.device, 1920, 1080);
    Picture picture = open_picture(pool.get());
    std::vector<double> submit_us, whole_us;
    constexpr unsigned warm_up = 20;
    for (unsigned i = 0; i < session.repeats + warm_up; i++) {
        if (i) check(v3doff_picture_reopen(picture.get()), "reopen");
        auto start = Clock::now();
        v3doff_picture_report report = run_picture(picture.get(), V3DOFF_EXECUTOR_GPU);
        if (i < warm_up) continue;
        submit_us.push_back(double(report.submit_ns) / 1000);
        whole_us.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
    results.push_back({{"name", "empty picture, 1920x1080"},
                       {"repeats", session.repeats},
                       {"submit_us", spread(submit_us)},
                       {"submit_to_done_us", spread(whole_us)}});
}

} // namespace

void add_submit(Families &families) {
    families.push_back({"submit", "an empty picture: what the calling thread pays", run_empty});
}

} // namespace tool::bench
