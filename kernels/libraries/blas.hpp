// SPDX-License-Identifier: BSD-3-Clause
// The number of threads of the BLAS of this process.
#pragma once

namespace pivotlab::lapack {

/// Limits the number of threads of OpenBLAS (0: no limit). Of scopes that exist at the same time in several threads the
/// least limit holds, because OpenBLAS has one number for all. At the end of the last one the old number is restored.
class BlasThreads {
 public:
  explicit BlasThreads(int threads);
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;
  BlasThreads& operator=(const BlasThreads&) = delete;

 private:
  int limit_ = 0;  ///< 0: no limit
};

}  // namespace pivotlab::lapack
