// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/cuda_executor.hpp"
#include "tests/gsvd/panel_qr.hpp"

namespace pivotlab::test {

template <class T, int Slots, int Values>
FactoredPanel<T> factored_panel_on_cuda(const std::vector<T>& A, Index rows, Index cols) {
  CudaExecutor executor;
  return factored_panel<T, Slots, Values>(executor, A, rows, cols);
}

using Complex = std::complex<double>;
template FactoredPanel<double> factored_panel_on_cuda<double, 1>(const std::vector<double>&, Index, Index);
template FactoredPanel<double> factored_panel_on_cuda<double, 4>(const std::vector<double>&, Index, Index);
template FactoredPanel<Complex> factored_panel_on_cuda<Complex, 1>(const std::vector<Complex>&, Index, Index);
template FactoredPanel<Complex> factored_panel_on_cuda<Complex, 4>(const std::vector<Complex>&, Index, Index);
template FactoredPanel<double> factored_panel_on_cuda<double, 20, 4>(const std::vector<double>&, Index, Index);
template FactoredPanel<Complex> factored_panel_on_cuda<Complex, 20, 4>(const std::vector<Complex>&, Index, Index);

}  // namespace pivotlab::test
