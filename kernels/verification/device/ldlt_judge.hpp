// SPDX-License-Identifier: BSD-3-Clause
// Measures the reconstruction error of a symmetric indefinite factorization on a GPU. This header is plain C++, which a
// device compiler also reads.
#pragma once

#include <memory>
#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab::experiments {

/// From this order on, double-double measurements run on a GPU if there is one; below, 16 cores of a host finish before
/// the matrices are on the GPU.
inline constexpr Index ldlt_device_judgement_order = 2048;

/// A with factors P·S·A·S·Pᵀ = M·D·M*. The struct refers to them and does not copy them.
template <class T>
struct GivenLdlt {
  const Matrix<T>&A, &M;                           ///< n × n; M unit lower triangular with zeros above
  const std::vector<T>&diagonal, &subdiagonal;     ///< of D, tridiagonal, both of length n
  const std::vector<std::ptrdiff_t>& permutation;  ///< row i of P·A·Pᵀ is row permutation[i] of A
  const std::vector<int>& scaling;                 ///< S = diag(2^scaling) in the order of A's rows; empty: identity
  bool hermitian;                                  ///< * is ᴴ, otherwise ᵀ
  int exponent;                                    ///< max|A| is about 2^exponent
};

/// Judge of a factorization. T is double or std::complex<double>.
template <class T>
class LdltDeviceJudge {
 public:
  virtual ~LdltDeviceJudge() = default;
  /// Computes ‖A − S⁻¹·Pᵀ·M·D·M*·P·S⁻¹‖₁ in units of 2^exponent. An entry of M·D·M* has an error of about
  /// 4n·2⁻⁷⁷·max(|M||D||M*|), which is 24 bits below the rounding errors of the factors. Norms are summed in another
  /// order than on the host.
  virtual double reconstruction_error(const GivenLdlt<T>& given) = 0;
};

/// Judges, and bounds its own errors.
template <class T>
class LdltProvedJudge : public LdltDeviceJudge<T> {
 public:
  /// Returns a bound of the error of the last reconstruction_error(), in its units.
  virtual double bound() const = 0;
  /// Returns the number of moduli of the product.
  virtual int moduli() const = 0;
};

/// Makes a judge on a GPU; null without a GPU or cuBLAS.
template <class T>
std::unique_ptr<LdltDeviceJudge<T>> make_ldlt_device_judge();

/// Makes a judge that computes by an exact product; null without a GPU or cuBLAS. It needs about five times the memory
/// of A and M, and throws std::bad_alloc where that is missing.
template <class T>
std::unique_ptr<LdltProvedJudge<T>> make_ldlt_proved_judge();

}  // namespace pivotlab::experiments
