// Measures the reconstruction error of a symmetric indefinite factorization on a GPU. Plain: a device compiler reads
// it, too.
#pragma once

#include <memory>
#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab::experiments {

/// From this order on, what is judged in double-double is measured on a GPU where there is one; before, 16 cores of a
/// host are done sooner than the matrices are there.
inline constexpr Index ldlt_device_judgement_order = 2048;

/// A with factors P·S·A·S·Pᵀ = M·D·M*. It refers to them and does not copy them.
template <class T>
struct GivenLdlt {
  const Matrix<T>&A, &M;                           ///< n × n; M unit lower triangular with zeros above
  const std::vector<T>&diagonal, &subdiagonal;     ///< of D, tridiagonal, both of length n
  const std::vector<std::ptrdiff_t>& permutation;  ///< row i of P·A·Pᵀ is row permutation[i] of A
  const std::vector<int>& scaling;                 ///< S = diag(2^scaling) by the rows of A; empty for the identity
  bool hermitian;                                  ///< * is ᴴ, else ᵀ
  int exponent;                                    ///< max|A| is about 2^exponent
};

/// T is double or std::complex<double>.
template <class T>
class LdltDeviceJudge {
 public:
  virtual ~LdltDeviceJudge() = default;
  /// ‖A − S⁻¹·Pᵀ·M·D·M*·P·S⁻¹‖₁ in units of 2^exponent. An entry of M·D·M* is right to about 4n·2⁻⁷⁷·max(|M||D||M*|),
  /// 24 bits more than the rounding errors of the factors. Norms are summed in another order than on the host.
  virtual double reconstruction_error(const GivenLdlt<T>& given) = 0;
};

/// Nothing where there is no GPU or no cuBLAS.
template <class T>
std::unique_ptr<LdltDeviceJudge<T>> make_ldlt_device_judge();

}  // namespace pivotlab::experiments
