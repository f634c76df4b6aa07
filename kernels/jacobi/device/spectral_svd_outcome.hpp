// SPDX-License-Identifier: BSD-3-Clause
// Interface to the SVD by eigenvectors of G*G (spectral_svd.hpp) on matrices of the host.
#pragma once

#include "kernels/gsvd/tangent/shared/outcome.hpp"

#include <functional>
#include <pivotlab/matrix.hpp>
#include <pivotlab/variant.hpp>
#include <string>
#include <vector>

namespace pivotlab::jacobi {

struct SpectralSvdOutcome {
  std::string reason;                   ///< why G was not decomposed; empty if it was
  std::vector<double> sigma, estimate;  ///< length n; σ descends, estimates are of the relative error of σ²
  int steps = 0;
  double compute_seconds = 0;  ///< without copies between host and GPU
};

/// Decomposes G (m × n, m ≥ n ≥ 1) into U (m × n) and V (n × n), on the host by LAPACK and loops, emulated by LAPACK
/// and kernels that fibers of the host run, and on the first GPU by cuSOLVER, cuBLAS and kernels. T is double or
/// std::complex<double>. Throws NotSupported without LAPACK, or without a GPU and its libraries.
template <class T>
SpectralSvdOutcome spectral_svd(Backend backend, MatrixView<const T> G, MatrixView<T> U, MatrixView<T> V, int threads);

/// Does so on the first GPU, and tells an observer the steps. `before_copies` is called before U and V are written.
template <class T>
SpectralSvdOutcome spectral_svd_on_cuda(MatrixView<const T> G, MatrixView<T> U, MatrixView<T> V,
                                        const tangent::Observer& observer = {},
                                        const std::function<void()>& before_copies = {});

}  // namespace pivotlab::jacobi
