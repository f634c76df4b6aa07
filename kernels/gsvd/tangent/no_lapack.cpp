// SPDX-License-Identifier: BSD-3-Clause
// The build found no LAPACK.
#include "kernels/gsvd/tangent/shared/attempt.hpp"

#include <pivotlab/error.hpp>

namespace pivotlab::tangent {
namespace {

[[noreturn]] void refuse() {
  throw NotSupported(
      "the tangent path on the host needs LAPACK, which this build lacks; install libopenblas-dev and liblapacke-dev "
      "and build again, or take the backend cuda");
}

}  // namespace

template <class T>
Attempt<T> attempt_on_host(MatrixView<const T>, MatrixView<const T>, const TangentOptions&) {
  refuse();
}
template <class T>
Attempt<T> attempt_emulated(MatrixView<const T>, MatrixView<const T>, const TangentOptions&, LaneOrder) {
  refuse();
}

using Complex = std::complex<double>;
template decltype(attempt_on_host<double>) attempt_on_host<double>;
template decltype(attempt_on_host<Complex>) attempt_on_host<Complex>;
template decltype(attempt_emulated<double>) attempt_emulated<double>;
template decltype(attempt_emulated<Complex>) attempt_emulated<Complex>;

}  // namespace pivotlab::tangent
