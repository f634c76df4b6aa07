// The number of threads of the BLAS of this process.
#pragma once

namespace pivotlab::baselines {

/// Sets the number of threads of the BLAS (0: unchanged) and restores the old number at the end of the scope.
class BlasThreads {
 public:
  explicit BlasThreads(int threads);
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;
  BlasThreads& operator=(const BlasThreads&) = delete;

 private:
  int previous_ = 0;
};

}  // namespace pivotlab::baselines
