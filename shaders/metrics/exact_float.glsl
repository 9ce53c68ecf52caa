// SPDX-License-Identifier: BSD-2-Clause
// Float operations that round to nearest even, as in IEEE 754. Vulkan allows errors in division,
// square root and conversion from integers. Arguments are zero, or positive and normal.
float exact_quotient(float a, float b) { // b > 0
    uint a_bits = floatBitsToUint(a), b_bits = floatBitsToUint(b);
    if (a_bits == 0u) return 0.0;
    uint n = a_bits & 0x7fffffu | 0x800000u, d = b_bits & 0x7fffffu | 0x800000u;
    uint exponent = (a_bits >> 23u) - (b_bits >> 23u) + 127u;
    if (n < d) {
        n <<= 1u;
        exponent--;
    }
    // 1, then 24 bits; the last one is there to round by.
    uint rest = n - d, quotient = 1u;
    [[unroll]] for (int i = 0; i < 3; i++) {
        rest <<= 8u;
        uint digit = rest / d;
        rest -= digit * d;
        quotient = quotient << 8u | digit;
    }
    uint m = quotient >> 1u;
    if ((quotient & 1u) != 0u && (rest != 0u || (m & 1u) != 0u)) m++;
    return uintBitsToFloat((exponent << 23u) + (m - 0x800000u)); // a carry reaches the exponent
}

// sqrt(a b). The product has 48 bits, so that nothing is rounded before the root; the reference's
// detour through double is the same, as no root lies so near to the middle of two floats.
float exact_root(float a, float b) {
    uint a_bits = floatBitsToUint(a), b_bits = floatBitsToUint(b);
    if (a_bits == 0u || b_bits == 0u) return 0.0;
    uint low, high;
    umulExtended(a_bits & 0x7fffffu | 0x800000u, b_bits & 0x7fffffu | 0x800000u, high, low);
    int exponent = int(a_bits >> 23u) + int(b_bits >> 23u) - 300; // of the product's lowest bit
    // An even exponent, and 49 or 50 bits: the root then has 25.
    uint shift = uint(exponent & 1);
    if ((high << shift | (low >> 31u & shift)) < 0x10000u) shift += 2u;
    exponent -= int(shift);
    if (shift != 0u) {
        high = high << shift | low >> (32u - shift);
        low <<= shift;
    }
    uint root = uint(sqrt(float(high) * 4294967296.0 + float(low)));
    int rest = int(low - root * root); // the true difference is small
    while (rest < 0) {
        root--;
        rest += int(2u * root + 1u);
    }
    while (rest > int(2u * root)) {
        rest -= int(2u * root + 1u);
        root++;
    }
    uint m = root >> 1u;
    if ((root & 1u) != 0u && (rest != 0 || (m & 1u) != 0u)) m++;
    return uintBitsToFloat((uint(exponent / 2 + 151) << 23u) + (m - 0x800000u));
}

float exact_float(uint value) {
    // Both halves are exact, so that one rounding is left, that of the sum.
    precise float sum = float(value >> 12u) * 4096.0 + float(value & 0xfffu);
    return sum;
}
