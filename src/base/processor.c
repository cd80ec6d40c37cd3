// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the processor has, for compilers that do not keep it themselves.

#include "base/simd.h"

#if defined(_MSC_VER) && defined(WF_HAS)

// Bits of the CPUID instruction, and of XCR0: the system keeps the upper halves of vectors.
enum {
    CPUID_1_ECX_FMA = 1 << 12,
    CPUID_1_ECX_OSXSAVE = 1 << 27,
    CPUID_1_ECX_AVX = 1 << 28,
    CPUID_7_EBX_AVX2 = 1 << 5,
    XCR0_VECTORS = 6,
};

static int ask(void) {
    int most[4], one[4], seven[4] = {0};  // eax, ebx, ecx, edx
    __cpuid(most, 0);
    __cpuid(one, 1);
    if (most[0] >= 7) __cpuidex(seven, 7, 0);
    if (!(one[2] & CPUID_1_ECX_OSXSAVE) || !(one[2] & CPUID_1_ECX_AVX)) return 0;
    if ((_xgetbv(0) & XCR0_VECTORS) != XCR0_VECTORS) return 0;
    return WF_PROCESSOR_avx | (one[2] & CPUID_1_ECX_FMA ? WF_PROCESSOR_fma : 0) |
           (seven[1] & CPUID_7_EBX_AVX2 ? WF_PROCESSOR_avx2 : 0);
}

// Asked once; threads that ask at the same time write the same.
int wf_processor(void) {
    enum { ASKED = 8 };
    static volatile int known;
    if (!known) known = ask() | ASKED;
    return known & ~ASKED;
}

#else

typedef int WfNothing;  // a file may not be empty

#endif
