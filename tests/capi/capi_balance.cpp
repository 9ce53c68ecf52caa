// SPDX-License-Identifier: BSD-2-Clause
// A balance over real time, with several threads: who gets the pictures while they are wanted as
// fast as they come, and who when they are not; and every refused call.
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "capi_refused.h"
#include "v3doff/recipe.h"

namespace {

using namespace std::chrono_literals;

bool next_is_gpu(v3doff_balance *balance, bool awaited) {
    v3doff_choice choice = V3DOFF_CHOICE_UNKNOWN;
    EXPECT_OK(v3doff_balance_next(balance, awaited, &choice));
    EXPECT(choice == V3DOFF_CHOICE_CPU || choice == V3DOFF_CHOICE_GPU);
    return choice == V3DOFF_CHOICE_GPU;
}

// As fast as they come: each thread begins with a picture when it has made one. Returns how many
// were the GPU's, which takes four times as long here.
int make_pictures(v3doff_balance *balance, int threads, int pictures) {
    std::atomic<int> left{pictures}, on_gpu{0};
    std::vector<std::thread> makers;
    for (int i = 0; i < threads; i++)
        makers.emplace_back([&] {
            while (left-- > 0) {
                const bool gpu = next_is_gpu(balance, true);
                on_gpu += gpu;
                std::this_thread::sleep_for(gpu ? 8ms : 2ms);
                EXPECT_OK(v3doff_balance_done(balance));
            }
        });
    for (std::thread &maker : makers)
        maker.join();
    return on_gpu;
}

int make_pictures_at_leisure(v3doff_balance *balance, int pictures) {
    int on_gpu = 0;
    for (int n = 0; n < pictures; n++) {
        on_gpu += next_is_gpu(balance, true);
        EXPECT_OK(v3doff_balance_done(balance));
        std::this_thread::sleep_for(1ms);
    }
    return on_gpu;
}

void expect_the_cpu_while_they_are_wanted(uint32_t threads) {
    v3doff_balance *balance = nullptr;
    EXPECT_OK(v3doff_balance_create(&balance, threads));
    EXPECT(make_pictures(balance, int(threads), 300) < 150);
    make_pictures_at_leisure(balance, 1500);
    EXPECT(make_pictures_at_leisure(balance, 100) == 100);
    v3doff_balance_destroy(&balance);
    EXPECT(!balance);
}

// Every second picture is not awaited, and comes faster from the GPU than from the CPU.
bool what_nobody_awaits_stays(int threads) {
    v3doff_balance *balance = nullptr;
    EXPECT_OK(v3doff_balance_create(&balance, uint32_t(threads)));
    const int pictures = 400 + 400 * threads;
    std::atomic<int> begun{0}, awaited_on_gpu{0}, others_on_gpu{0};
    std::vector<std::thread> makers;
    for (int i = 0; i < threads; i++)
        makers.emplace_back([&] {
            for (int n = begun++; n < pictures; n = begun++) {
                const bool awaited = n % 2, gpu = next_is_gpu(balance, awaited);
                if (n >= pictures - 400) (awaited ? awaited_on_gpu : others_on_gpu) += gpu;
                std::this_thread::sleep_for(!gpu ? 2000us : awaited ? 8000us : 500us);
                EXPECT_OK(v3doff_balance_done(balance));
            }
        });
    for (std::thread &maker : makers)
        maker.join();
    v3doff_balance_destroy(&balance);
    return others_on_gpu > 150 && awaited_on_gpu < 100;
}

// The times above are real ones, which other processes of a busy machine can stretch.
void expect_what_nobody_awaits_to_stay(int threads) {
    bool stays = false;
    for (int i = 0; i < 3 && !stays; i++)
        stays = what_nobody_awaits_stays(threads);
    EXPECT(stays);
}

void expect_refusals() {
    v3doff_balance *balance = nullptr;
    v3doff_choice choice = V3DOFF_CHOICE_UNKNOWN;
    BAD_ARGUMENT(v3doff_balance_create(nullptr, 1), "out");
    BAD_ARGUMENT(v3doff_balance_create(&balance, 0), "threads");
    EXPECT(!balance);
    BAD_HANDLE(v3doff_balance_next(nullptr, 1, &choice), "balance");
    BAD_HANDLE(v3doff_balance_done(nullptr), "balance");
    EXPECT_OK(v3doff_balance_create(&balance, 1));
    BAD_ARGUMENT(v3doff_balance_next(balance, 1, nullptr), "choice");
    v3doff_balance *copy = balance;
    v3doff_balance_destroy(&balance);
    BAD_HANDLE(v3doff_balance_next(copy, 1, &choice), "balance");
    BAD_HANDLE(v3doff_balance_done(copy), "balance");
    v3doff_balance_destroy(&balance);
    v3doff_balance_destroy(nullptr);
}

} // namespace

int main() {
    watch_log();
    expect_refusals();
    for (uint32_t threads : {1u, 4u})
        expect_the_cpu_while_they_are_wanted(threads);
    for (int threads : {1, 4})
        expect_what_nobody_awaits_to_stay(threads);
    std::printf("pictures went where they had to\n");
    return 0;
}
