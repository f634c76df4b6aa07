// SPDX-License-Identifier: BSD-3-Clause
// The generalized eigenproblem by LAPACK, with a test of its residuals.
#include <fmt/format.h>
#include <kernels/baselines/baseline_table.hpp>
#include <kernels/libraries/lapack.hpp>
#include <kernels/libraries/padded.hpp>
#include <kernels/numerics/order.hpp>
#include <kernels/numerics/power_of_two.hpp>
#include <pivotlab/pencil.hpp>

#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace pivotlab {
namespace {

using lapack::Complex;
using lapack::Padded;

/// Returns α/β·2^exponent; infinity where only β is 0.
Complex quotient(Complex alpha, Complex beta, int exponent) {
  if (beta == 0.0)
    return alpha == 0.0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  return times_power_of_two(alpha / beta, exponent);
}

double norm_of(std::span<const Complex> x) {
  return std::sqrt(std::transform_reduce(x.begin(), x.end(), 0.0, std::plus{}, [](Complex z) { return std::norm(z); }));
}

/// Holds a square matrix with largest part in [1, 2), A·2^−exponent.
struct Scaled {
  Padded<Complex> matrix;
  int exponent = 0;
  double norm = 0;  ///< of the scaled matrix, Frobenius

  Scaled(const char* name, MatrixView<const Complex> A) : matrix(A) {
    double largest = 0;
    bool finite = true;
    for (Index j = 0; j < A.cols; ++j)
      for (const Complex& z : A.col(j)) {
        largest = std::max({largest, std::abs(z.real()), std::abs(z.imag())});
        finite = finite && std::isfinite(z.real()) && std::isfinite(z.imag());
      }
    if (!finite) throw InputError(fmt::format("{}: has NaN or Inf; pass finite numbers", name));
    if (largest > 0) exponent = std::ilogb(largest);
    for (Index j = 0; j < A.cols; ++j) {
      for (Complex& z : matrix.view().col(j)) z = times_power_of_two(z, -exponent);
      norm = std::hypot(norm, norm_of(matrix.view().col(j)));
    }
  }
};

std::vector<Complex> multiply(MatrixView<const Complex> A, std::span<const Complex> x) {
  std::vector<Complex> y(x.size());
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i) y[i] += A(i, j) * x[j];
  return y;
}

/// Returns the positions in order of descending |α/β|.
std::vector<Index> descending(const std::vector<Complex>& alpha, const std::vector<Complex>& beta) {
  return sorted_indices(std::ssize(alpha), [&](Index a, Index b) {
    return std::abs(alpha[a]) * std::abs(beta[b]) > std::abs(alpha[b]) * std::abs(beta[a]);
  });
}

Matrix<Complex> normalized(MatrixView<const Complex> X, const std::vector<Index>& order) {
  Matrix<Complex> result(X.rows, X.cols);
  for (Index j = 0; j < X.cols; ++j) {
    const auto column = X.col(order[j]);
    const double norm = norm_of(column);
    std::ranges::transform(column, result.col(j).begin(), [&](const Complex& z) { return norm > 0 ? z / norm : z; });
  }
  return result;
}

/// Returns the exponent of the power of two by which α and β are divided: they keep their digits, too, where those of
/// extreme matrices would overflow or underflow. Where their quotient does so, the smaller one becomes 0.
int common_exponent(int of_a, int of_b) {
  constexpr int extreme = 500, most = 1000;
  if (std::max(std::abs(of_a), std::abs(of_b)) <= extreme) return 0;
  return std::max((of_a + of_b) / 2, std::max(of_a, of_b) - most);
}

/// Sets residual and status of a result whose α and β are those of the scaled matrices.
void verify(const Scaled& A, const Scaled& B, PencilResult& result) {
  const double noise = 8.0 * static_cast<double>(std::max<Index>(result.V.rows(), 1)) * 0x1p-52;
  for (std::size_t k = 0; k < result.alpha.size(); ++k) {
    const double a = std::abs(result.alpha[k]), b = std::abs(result.beta[k]);
    if (!(a > noise * A.norm || b > noise * B.norm)) {
      result.status = Status::incorrect;
      result.message = "A - lambda*B is singular for every lambda to working precision; its eigenvalues are arbitrary";
      return;
    }
    std::vector<Complex> r = multiply(A.matrix.view(), result.V.col(static_cast<Index>(k)));
    const std::vector<Complex> s = multiply(B.matrix.view(), result.V.col(static_cast<Index>(k)));
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = result.beta[k] * r[i] - result.alpha[k] * s[i];
    const double error = norm_of(r), residual = error == 0 ? 0 : error / (b * A.norm + a * B.norm);
    if (!std::isnan(result.residual) && !(residual <= result.residual)) result.residual = residual;  // NaN stays
  }
  if (result.residual <= noise) return;
  result.status = Status::incorrect;
  result.message = fmt::format("a residual is {:.1e}, its bound {:.1e}", result.residual, noise);
}

}  // namespace

PencilResult solve_pencil(MatrixView<const Complex> A, MatrixView<const Complex> B, bool left, int threads) {
  const Index n = A.rows;
  if (A.cols != n || B.rows != n || B.cols != n)
    throw InputError(
        fmt::format("A, B: are {} x {} and {} x {}; pass square matrices of one order", n, A.cols, B.rows, B.cols));
  lapack::require("B: the eigenproblem of a pencil");
  const Scaled a("A", A), b("B", B);
  std::vector<Complex> alpha(n), beta(alpha);
  auto result = baselines::solved<PencilResult>(threads, [&](PencilResult& solved) {
    if (n == 0) return;
    Padded<Complex> s(a.matrix.view()), t(b.matrix.view()), V(n, n), W(n, left ? n : 0);
    const auto info = baselines::timed(solved.compute_seconds, [&] {
      return lapack::ggev(s.view(), t.view(), W.view(), V.view(), alpha.data(), beta.data());
    });
    baselines::require_convergence(info == 0, "the QZ algorithm does not converge");
    const std::vector<Index> order = descending(alpha, beta);
    solved.V = normalized(V.view(), order);
    if (left) solved.W = normalized(W.view(), order);
    for (const Index k : order) {
      solved.alpha.push_back(alpha[k]);
      solved.beta.push_back(beta[k]);
    }
  });
  if (result.status == Status::passed) verify(a, b, result);
  const int common = common_exponent(a.exponent, b.exponent);
  for (std::size_t k = 0; k < result.alpha.size(); ++k) {
    result.eigenvalues.push_back(quotient(result.alpha[k], result.beta[k], a.exponent - b.exponent));
    result.alpha[k] = times_power_of_two(result.alpha[k], a.exponent - common);
    result.beta[k] = times_power_of_two(result.beta[k], b.exponent - common);
  }
  return result;
}

}  // namespace pivotlab
