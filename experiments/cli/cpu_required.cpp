// SPDX-License-Identifier: BSD-3-Clause
// Compiled with the flags of the program, so that the macros give the required instruction sets. It has only data,
// because no code with these flags may run before cpu_check.cpp has checked the machine.
#include <experiments/cli/cpu_features.hpp>

namespace pivotlab::cli {

constinit const CpuFeatures required_features = {
#ifdef __SSE4_2__
    .sse4_2 = true,
#endif
#ifdef __AVX__
    .avx = true,
#endif
#ifdef __AVX2__
    .avx2 = true,
#endif
#ifdef __FMA__
    .fma = true,
#endif
#ifdef __BMI2__
    .bmi2 = true,
#endif
#ifdef __AVX512F__
    .avx512f = true,
#endif
#ifdef __AVX512VL__
    .avx512vl = true,
#endif
};

}  // namespace pivotlab::cli
