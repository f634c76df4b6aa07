// How many threads the BLAS of this process uses.
#pragma once

namespace pivotlab::peers {

/// Sets the number of threads of the BLAS (0: leaves it) and puts the old one back at the end of the scope.
class BlasThreads {
 public:
  explicit BlasThreads(int threads);
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;
  BlasThreads& operator=(const BlasThreads&) = delete;

 private:
  int previous_ = 0;
};

}  // namespace pivotlab::peers
