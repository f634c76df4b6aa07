// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/batch/run_emulated.hpp"

namespace pivotlab::batch {

template <class T>
int shared_bytes(const JacobiArguments<T>& a) {
  return with_largest(a.n, [&]<int largest>(std::integral_constant<int, largest>) {
    return JacobiSmall<T, largest>::shared_bytes(a.m, a.n, a.V.data != nullptr);
  });
}

template <class T>
int shared_bytes(const GsvdArguments<T>& a) {
  return with_largest(
      a.n, [&]<int largest>(std::integral_constant<int, largest>) { return GsvdSmall<T, largest>::shared_bytes(a); });
}

template <class T>
std::size_t workspace_bytes(const EighArguments<T>& a, int count) {
  HostExecutor executor;
  return EighSmall<T, HostExecutor>(executor, a, count).workspace_bytes();
}

using Complex = std::complex<double>;
template int shared_bytes(const JacobiArguments<double>&);
template int shared_bytes(const JacobiArguments<Complex>&);
template int shared_bytes(const GsvdArguments<double>&);
template int shared_bytes(const GsvdArguments<Complex>&);
template void run_emulated(const JacobiArguments<double>&, int, LaneOrder);
template void run_emulated(const JacobiArguments<Complex>&, int, LaneOrder);
template void run_emulated(const GsvdArguments<double>&, int, LaneOrder);
template void run_emulated(const GsvdArguments<Complex>&, int, LaneOrder);
template std::size_t workspace_bytes(const EighArguments<double>&, int);
template std::size_t workspace_bytes(const EighArguments<Complex>&, int);
template void run_emulated(const EighArguments<double>&, int, LaneOrder);
template void run_emulated(const EighArguments<Complex>&, int, LaneOrder);
template void run_emulated(const EigArguments&, int, LaneOrder);

}  // namespace pivotlab::batch
