// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exact/cuda_integers.hpp"
#include "kernels/extended/cuda_machine.hpp"
#include "kernels/refine/device_machine.hpp"
#include "kernels/refine/refinement.hpp"

#include <complex>

namespace pivotlab::refine {

template <class T>
Outcome<T> run_on_cuda(const Problem<T>& problem, const Matrix<T>& start, int most_steps) {
  using CudaMachine = DeviceMachine<extended::CudaMachine, exact::CublasIntegers>;
  CudaMachine machine;
  return Refinement<CudaMachine, T>(machine, problem).run(start, most_steps);
}

template Outcome<double> run_on_cuda(const Problem<double>&, const Matrix<double>&, int);
template Outcome<std::complex<double>> run_on_cuda(const Problem<std::complex<double>>&,
                                                   const Matrix<std::complex<double>>&, int);

}  // namespace pivotlab::refine
