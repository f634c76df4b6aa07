// SPDX-License-Identifier: BSD-3-Clause
// The build found no LAPACK.
#include "kernels/gsvd/any/reduction.hpp"

#include <pivotlab/error.hpp>

namespace pivotlab::any {

template <class T>
std::unique_ptr<Reduction<T>> reduce(MatrixView<const T>, MatrixView<const T>, const AnyGsvdOptions&) {
  throw NotSupported(
      "this pair must be reduced (fewer rows than columns, or G without full column rank), which needs LAPACK; install "
      "libopenblas-dev and liblapacke-dev and build again");
}

template <class T>
void set_r_and_q(MatrixView<const T>, AnyGsvdResult<T>&) {}

using Complex = std::complex<double>;
template decltype(reduce<double>) reduce<double>;
template decltype(reduce<Complex>) reduce<Complex>;
template decltype(set_r_and_q<double>) set_r_and_q<double>;
template decltype(set_r_and_q<Complex>) set_r_and_q<Complex>;

}  // namespace pivotlab::any
