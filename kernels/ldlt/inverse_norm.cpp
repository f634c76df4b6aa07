// SPDX-License-Identifier: BSD-3-Clause
// Computes X ≈ M⁻¹ by blocks of columns, of which only sums are kept.
//
// The columns solve M·X = I by substitution in blocks, so that R = I − M·X is componentwise below γ·|M|·|X| (Higham,
// Accuracy and Stability of Numerical Algorithms, 2nd ed., Theorem 8.5 and section 14.2), and with S = diag(2^−e)
//
//   S·M⁻¹ = S·X·(I − R)⁻¹,     ‖S·M⁻¹‖₂ ≤ ‖S·X‖₂ / (1 − ‖R‖₂).
#include "kernels/ldlt/inverse_norm.hpp"
#include "kernels/exec/build.hpp"

#include "kernels/ldlt/device/inverse_sums.hpp"
#include "kernels/ldlt/factors/rounded_up.hpp"
#include "kernels/numerics/dense.hpp"
#include "kernels/numerics/threads.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace pivotlab::ldlt_detail {
namespace {

/// Returns max(x, y), or infinity if one is NaN.
double larger(double x, double y) {
  return std::isnan(x) || std::isnan(y) ? infinity : std::max(x, y);
}

template <class T>
class InverseNorm {
 public:
  InverseNorm(MatrixView<const T> M, const std::vector<int>& e, int threads)
      : M_(M), threads_(thread_count(threads)), weights_(e.size()), sums_of_m_(e.size()) {
    for (Index i = 0; i < n(); ++i) weights_[i] = std::ldexp(1., -e[i]);
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 16)
    for (Index j = 0; j < n(); ++j)
      for (Index i = j; i < n(); ++i) sums_of_m_[j] += std::abs(M_(i, j));
  }

  /// Computes the bound on a GPU if that is the backend and it has enough memory, otherwise on the host.
  double bound(Backend backend) {
    if (n() == 0) return 0;
    std::optional<InverseSums> sums;
    if constexpr (build::cuda)
      if (backend == Backend::cuda) sums = ldlt_device::inverse_sums_on_cuda<T>(M_, weights_);
    return bound_from(sums ? *sums : sums_on_host());
  }

 private:
  using InverseSums = ldlt_device::InverseSums;
  static constexpr Index columns = 64;

  Index n() const {
    return M_.rows;
  }
  /// Returns a bound of the products lost by underflow.
  double underflow() const {
    return static_cast<double>(n()) * static_cast<double>(n()) * 0x1p-1070;
  }

  double bound_from(const InverseSums& sums) const {
    double of_rows = 0;
    for (Index i = 0; i < n(); ++i) of_rows = larger(of_rows, weights_[i] * sums.of_rows[i]);
    const Index operations = 2 * n() + 16;
    const double inverse = rounded_up(std::sqrt(of_rows) * std::sqrt(sums.weighted), operations);
    const double product =
        rounded_up(std::sqrt(largest_row_of_product(sums.of_rows)) * std::sqrt(sums.product), 2 * operations);
    const double residual = summation_error<T>(sums.roundings) * product + underflow();
    return residual < 0.5 && inverse < infinity ? rounded_up(inverse / (1 - residual), 4) : infinity;
  }

  InverseSums sums_on_host() const {
    const Index blocks = (n() + columns - 1) / columns;
    std::vector<InverseSums> parts(blocks);
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1)
    for (Index b = 0; b < blocks; ++b) parts[b] = sums_of_columns(b * columns);  // longest columns first
    InverseSums sums{.of_rows = std::vector<double>(weights_.size()), .roundings = n()};
    for (const InverseSums& part : parts) {
      sums.weighted = larger(sums.weighted, part.weighted);
      sums.product = larger(sums.product, part.product);
      const Index first = n() - std::ssize(part.of_rows);
      for (Index i = first; i < n(); ++i) sums.of_rows[i] += part.of_rows[i - first];
    }
    return sums;
  }

  /// Returns the sums of some columns of X; sums of rows begin with the first nonzero row.
  InverseSums sums_of_columns(Index first) const {
    const Index rows = n() - first, cols = std::min(columns, rows);
    Matrix<T> X(rows, cols);
    for (Index j = 0; j < cols; ++j) X(j, j) = T(1);
    substitute_unit_lower<T>(Op::none, M_.block(first, first, rows, rows), X);
    InverseSums sums{.of_rows = std::vector<double>(rows)};
    for (Index j = 0; j < cols; ++j) {
      double weighted = 0, product = 0;
      for (Index i = j; i < rows; ++i) {
        const double size = std::abs(X(i, j));
        weighted += weights_[first + i] * size;
        product += sums_of_m_[first + i] * size;
        sums.of_rows[i] += size;
      }
      sums.weighted = larger(sums.weighted, weighted);
      sums.product = larger(sums.product, product);
    }
    return sums;
  }

  /// Returns max(|M|·x).
  double largest_row_of_product(const std::vector<double>& x) const {
    constexpr Index chunk = 256;
    double largest = 0;
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1) reduction(max : largest)
    for (Index first = 0; first < n(); first += chunk) {
      const Index end = std::min(first + chunk, n());
      std::vector<double> sums(chunk);
      for (Index j = 0; j < end; ++j)
        for (Index i = std::max(first, j); i < end; ++i) sums[i - first] += std::abs(M_(i, j)) * x[j];
      for (const double sum : sums) largest = larger(largest, sum);
    }
    return largest;
  }

  MatrixView<const T> M_;
  int threads_;
  std::vector<double> weights_, sums_of_m_;  ///< 2^−e, and the sums of |M|'s columns
};

}  // namespace

template <class T>
double inverse_norm_bound(MatrixView<const T> M, const std::vector<int>& e, Backend backend, int threads) {
  return InverseNorm<T>(M, e, threads).bound(backend);
}

template double inverse_norm_bound(MatrixView<const double>, const std::vector<int>&, Backend, int);
template double inverse_norm_bound(MatrixView<const std::complex<double>>, const std::vector<int>&, Backend, int);

}  // namespace pivotlab::ldlt_detail
