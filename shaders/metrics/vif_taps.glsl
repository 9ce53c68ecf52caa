// SPDX-License-Identifier: BSD-2-Clause
// The Gaussian taps of VIF for VIF_TAPS = 17, 9, 5, 3; their sum is 2^16.
#if VIF_TAPS == 17
const uint TAPS[17] = {489,  935,  1640, 2640, 3896, 5274, 6547, 7455, 7784,
                       7455, 6547, 5274, 3896, 2640, 1640, 935,  489};
#elif VIF_TAPS == 9
const uint TAPS[9] = {1244, 3663, 7925, 12590, 14692, 12590, 7925, 3663, 1244};
#elif VIF_TAPS == 5
const uint TAPS[5] = {3571, 16004, 26386, 16004, 3571};
#else
const uint TAPS[3] = {10904, 43728, 10904};
#endif
const int RADIUS = VIF_TAPS / 2;

// Reflection at the borders, for indices less than size outside.
uint reflected(int index, uint size) {
    index = abs(index);
    return uint(min(index, 2 * int(size) - 2 - index));
}

// A weighted sum of 32-bit numbers, in two halves: neither overflows, as the weights' sum is 2^16.
void weigh(inout uvec2 sum, uint tap, uint value) {
    sum += tap * uvec2(value & 0xffffu, value >> 16u);
}
// round(sum / 2^16)
uint weighed(uvec2 sum) { return sum.y + ((sum.x + 32768u) >> 16u); }
