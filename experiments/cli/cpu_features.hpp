// SPDX-License-Identifier: BSD-3-Clause
// Instruction sets for the check of the CPU; internal to cpu_check.
#pragma once

namespace pivotlab::cli {

struct CpuFeatures {
  bool sse4_2 = false, avx = false, avx2 = false, fma = false, bmi2 = false, avx512f = false, avx512vl = false;
};

extern const CpuFeatures required_features;

}  // namespace pivotlab::cli
