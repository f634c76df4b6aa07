// SPDX-License-Identifier: BSD-3-Clause
// Measures residuals and orthogonality on a GPU by exact products, with bounds of their errors. This header is plain
// C++, which a device compiler also reads.
#pragma once

#include <cmath>
#include <optional>
#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab::experiments {

/// The number of moduli of the products of proved errors: with 18 the bound of a residual is a fifth of it at n =
/// 22283.
inline constexpr int proof_moduli = 20;

/// 2-norms of the columns of an error, and bounds of the errors of these norms, proved but for the rounding of sums.
struct ProvedColumns {
  std::vector<double> norms, bounds;
};

struct Orthogonality {
  double frobenius, norm_1;      ///< ‖VᴴJV − J'‖_F, ‖VᴴJV − J'‖₁
  double bound;                  ///< of the errors of both, proved but for the rounding of the norms' sums
  std::vector<double> diagonal;  ///< the real parts of that of VᴴJV − J'
};

/// Measures op(A)·V − U·diag(values) on a GPU, op(A) = A or Aᴴ; nothing without a GPU, cuBLAS or the memory. T is
/// double or std::complex<double>.
template <class T>
std::optional<ProvedColumns> residual_on_gpu(const Matrix<T>& A, bool adjoint, const Matrix<T>& V, const Matrix<T>& U,
                                             const std::vector<T>& values);

/// Measures VᴴJV − J' for V, m × n, and diagonals J and J' of signs, on a GPU; empty lists stand for the identity.
template <class T>
std::optional<Orthogonality> orthogonality_on_gpu(const Matrix<T>& V, const std::vector<int>& signs = {},
                                                  const std::vector<int>& expected = {});

}  // namespace pivotlab::experiments
