// Compiled with the flags of everything else, so that the macros tell what those flags ask for. Data only: nothing here
// is executed before cpu_check.cpp has looked at the machine.
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
