// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exact/cuda_integers.hpp"
#include "kernels/extended/cuda_available.hpp"
#include "kernels/extended/cuda_machine.hpp"
#include "kernels/verification/device/exact_errors.hpp"
#include "kernels/verification/device/spectral_norm.hpp"

#include <new>

namespace pivotlab::experiments {

namespace {

/// Returns what `work` measures on a GPU; nothing without one or its memory.
template <class Work>
auto on_gpu(Work&& work) -> std::optional<decltype(work(std::declval<extended::CudaMachine&>()))> {
  if (!extended::cuda_available()) return std::nullopt;
  try {
    extended::CudaMachine machine;
    return work(machine);
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

}  // namespace

template <class T>
std::optional<ProvedColumns> residual_on_gpu(const Matrix<T>& A, bool adjoint, const Matrix<T>& V, const Matrix<T>& U,
                                             const std::vector<T>& values) {
  return on_gpu([&](extended::CudaMachine& machine) {
    return measure_residual<extended::CudaMachine, exact::CublasIntegers>(machine, A, adjoint, V, U, values);
  });
}

template <class T>
std::optional<Orthogonality> orthogonality_on_gpu(const Matrix<T>& V, const std::vector<int>& signs,
                                                  const std::vector<int>& expected) {
  return on_gpu([&](extended::CudaMachine& machine) {
    return measure_orthogonality<extended::CudaMachine, exact::CublasIntegers>(machine, V, signs, expected);
  });
}

template <class T>
std::optional<ProvedColumns> pencil_residual_on_gpu(const Matrix<T>& F, const std::vector<int>& signs,
                                                    const Matrix<T>& G, const Matrix<T>& Z,
                                                    const std::vector<double>& values) {
  return on_gpu([&](extended::CudaMachine& machine) {
    return measure_pencil<extended::CudaMachine, exact::CublasIntegers>(machine, F, signs, G, Z, values);
  });
}

using Complex = std::complex<double>;
std::optional<EigErrors> eig_errors_on_gpu(const Matrix<Complex>& A, const EigMatrices& of) {
  return on_gpu([&](extended::CudaMachine& machine) {
    const auto a = machine.upload(A);
    EigErrors result = measure_eig<extended::CudaMachine, exact::CublasIntegers>(machine, a, of);
    result.norm_2 = device::spectral_norm(machine, a);
    if (of.V && cuda::Cusolver::available()) result.inverse_norms = measure_inverse(machine, *of.V);
    return result;
  });
}

template std::optional<ProvedColumns> pencil_residual_on_gpu(const Matrix<double>&, const std::vector<int>&,
                                                             const Matrix<double>&, const Matrix<double>&,
                                                             const std::vector<double>&);
template std::optional<ProvedColumns> pencil_residual_on_gpu(const Matrix<Complex>&, const std::vector<int>&,
                                                             const Matrix<Complex>&, const Matrix<Complex>&,
                                                             const std::vector<double>&);
template std::optional<ProvedColumns> residual_on_gpu(const Matrix<double>&, bool, const Matrix<double>&,
                                                      const Matrix<double>&, const std::vector<double>&);
template std::optional<ProvedColumns> residual_on_gpu(const Matrix<Complex>&, bool, const Matrix<Complex>&,
                                                      const Matrix<Complex>&, const std::vector<Complex>&);
template std::optional<Orthogonality> orthogonality_on_gpu(const Matrix<double>&, const std::vector<int>&,
                                                           const std::vector<int>&);
template std::optional<Orthogonality> orthogonality_on_gpu(const Matrix<Complex>&, const std::vector<int>&,
                                                           const std::vector<int>&);

}  // namespace pivotlab::experiments
