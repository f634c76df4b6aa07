// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/batch/run_on_cuda.hpp"

namespace pivotlab::batch {

using Complex = std::complex<double>;
template void run_on_cuda(const FactorArguments<double>&, int, const CallerStream&);
template void run_on_cuda(const FactorArguments<Complex>&, int, const CallerStream&);
template void run_on_cuda(const SolveArguments<double>&, int, const CallerStream&);
template void run_on_cuda(const SolveArguments<Complex>&, int, const CallerStream&);
template void run_on_cuda(const SignedFactorArguments<double>&, int, const CallerStream&);
template void run_on_cuda(const SignedFactorArguments<Complex>&, int, const CallerStream&);
template void run_on_cuda(const JacobiArguments<double>&, int, const CallerStream&);
template void run_on_cuda(const JacobiArguments<Complex>&, int, const CallerStream&);
template void run_on_cuda(const GsvdArguments<double>&, int, const CallerStream&);
template void run_on_cuda(const GsvdArguments<Complex>&, int, const CallerStream&);
template void run_on_cuda(const EigArguments&, int, const CallerStream&);

}  // namespace pivotlab::batch
