// SPDX-License-Identifier: BSD-3-Clause
// Measures residuals and orthogonality on a GPU by exact products, with bounds of their errors. This header is plain
// C++, which a device compiler also reads.
#pragma once

#include <cmath>
#include <complex>
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
  std::vector<double> products;  ///< Re u_jᴴr_j of the columns of U and those of the error, in double
};

/// Returns the same of an error that is known but for its rounding.
template <class T>
ProvedColumns proved_columns(const Matrix<T>& error, const Matrix<T>& U) {
  ProvedColumns result;
  for (Index j = 0; j < error.cols(); ++j) {
    double square = 0, product = 0;
    for (Index i = 0; i < error.rows(); ++i) {
      const T &u = U(i, j), &r = error(i, j);
      square += std::norm(r);
      product += std::real(u) * std::real(r) + std::imag(u) * std::imag(r);
    }
    result.norms.push_back(std::sqrt(square)), result.products.push_back(product);
    result.bounds.push_back(0x1p-52 * result.norms.back());
  }
  return result;
}

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

/// Measures F*·J·F·Z − G*·G·Z·diag(values) on a GPU for diagonals of signs, without `products`; nothing as above.
template <class T>
std::optional<ProvedColumns> pencil_residual_on_gpu(const Matrix<T>& F, const std::vector<int>& signs,
                                                    const Matrix<T>& G, const Matrix<T>& Z,
                                                    const std::vector<double>& values);

/// An eigendecomposition of a general matrix: values, right and left vectors, and the form A·E = E·T. Null: not given.
struct EigMatrices {
  const std::vector<std::complex<double>>& values;
  const Matrix<std::complex<double>>*V, *W, *T, *E;
};
struct EigErrors {
  ProvedColumns right, left, form;  ///< A·V − V·Λ, Aᴴ·W − W·Λᴴ, A·E − E·T, without `products`; empty if not given
  double norm_2 = 0;                ///< ‖A‖₂ by Lanczos' method until six digits do not change
  /// The 2-norms of the rows of V⁻¹ in double, not numbers if V is singular; empty without V or cuSOLVER.
  std::vector<double> inverse_norms = {};
};
/// Measures these on a GPU; nothing as above.
std::optional<EigErrors> eig_errors_on_gpu(const Matrix<std::complex<double>>& A, const EigMatrices& of);

/// Measures VᴴJV − J' for V, m × n, and diagonals J and J' of signs, on a GPU; empty lists stand for the identity.
template <class T>
std::optional<Orthogonality> orthogonality_on_gpu(const Matrix<T>& V, const std::vector<int>& signs = {},
                                                  const std::vector<int>& expected = {});

}  // namespace pivotlab::experiments
