// SPDX-License-Identifier: BSD-3-Clause
#include <kernels/libraries/blas.hpp>
#include <kernels/libraries/dynamic_library.hpp>

namespace pivotlab::lapack {

BlasThreads::BlasThreads(int threads) {
  const auto get = linked_symbol<int()>("openblas_get_num_threads");
  const auto set = linked_symbol<void(int)>("openblas_set_num_threads");
  if (threads <= 0 || get == nullptr || set == nullptr) return;
  previous_ = get();
  set(threads);
}

BlasThreads::~BlasThreads() {
  if (previous_ > 0) linked_symbol<void(int)>("openblas_set_num_threads")(previous_);
}

}  // namespace pivotlab::lapack
