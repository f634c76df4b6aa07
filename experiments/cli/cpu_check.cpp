// SPDX-License-Identifier: BSD-3-Clause
// Compiled for baseline x86-64, so that it runs on CPUs that cannot run the rest of the program.
#include <unistd.h>

#include <cstdio>
#include <experiments/cli/cpu_check.hpp>
#include <experiments/cli/cpu_features.hpp>

namespace pivotlab::cli {
namespace {

struct Feature {
  const char* name;
  bool required, present;
};

template <class Visitor>
void for_each_feature(Visitor&& visit) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const CpuFeatures& r = required_features;
  visit(Feature{"SSE4.2", r.sse4_2, __builtin_cpu_supports("sse4.2") != 0});
  visit(Feature{"AVX", r.avx, __builtin_cpu_supports("avx") != 0});
  visit(Feature{"AVX2", r.avx2, __builtin_cpu_supports("avx2") != 0});
  visit(Feature{"FMA", r.fma, __builtin_cpu_supports("fma") != 0});
  visit(Feature{"BMI2", r.bmi2, __builtin_cpu_supports("bmi2") != 0});
  visit(Feature{"AVX-512F", r.avx512f, __builtin_cpu_supports("avx512f") != 0});
  visit(Feature{"AVX-512VL", r.avx512vl, __builtin_cpu_supports("avx512vl") != 0});
#else
  (void)visit;
#endif
}

// Runs before all other code of the program, including static initializers, and prints a line instead of an illegal
// instruction.
[[gnu::constructor(101)]] void refuse_foreign_cpu() {
  for_each_feature([](const Feature& feature) {
    if (!feature.required || feature.present) return;
    std::fprintf(stderr,
                 "pivotlab: this CPU has no %s, for which the program was compiled; configure with "
                 "-DPIVOTLAB_ARCH=x86-64-v2 (or native) and build again\n",
                 feature.name);
    _exit(2);
  });
}

}  // namespace

InstructionSets instruction_sets() {
  InstructionSets sets;
  for_each_feature([&](const Feature& feature) {
    if (!feature.required) return;
    sets.required += (sets.required.empty() ? "" : " ") + std::string(feature.name);
    if (!feature.present) sets.missing += (sets.missing.empty() ? "" : " ") + std::string(feature.name);
  });
  return sets;
}

}  // namespace pivotlab::cli
