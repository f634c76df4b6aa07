// SPDX-License-Identifier: BSD-3-Clause
// The number of threads of the BLAS of this process. Its functions are looked up at run time, because the linked
// interface may belong to any BLAS, and programs without LAPACK have none.
#pragma once

namespace pivotlab::lapack {

/// Sets the number of threads of OpenBLAS (0: unchanged) and restores the old number at the end of the scope.
class BlasThreads {
 public:
  explicit BlasThreads(int threads);
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;
  BlasThreads& operator=(const BlasThreads&) = delete;

 private:
  int previous_ = 0;
};

}  // namespace pivotlab::lapack
