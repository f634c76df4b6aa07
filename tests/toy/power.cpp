#include <support/timer.hpp>
#include <tests/toy/power.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace pivotlab::toy {
namespace {

using Vector = std::vector<double>;

constexpr std::array starts{Choice{Start::ones, "O", "ones", "All elements are 1."},
                            Choice{Start::first, "F", "first", "The first unit vector."}};

double norm(const Vector& x) {
  double sum = 0;
  for (const double element : x) sum += element * element;
  return std::sqrt(sum);
}

/// Aᵀ·A·x.
Vector gram_product(const Matrix<double>& A, const Vector& x) {
  const std::size_t n = x.size();
  Vector y(n, 0.0), z(n, 0.0);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) y[i] += A(static_cast<Index>(i), static_cast<Index>(j)) * x[j];
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) z[j] += A(static_cast<Index>(i), static_cast<Index>(j)) * y[i];
  return z;
}

PowerResult iterate(const Matrix<double>& A, Start start, double tolerance, int steps) {
  const Timer timer;
  PowerResult result;
  result.v.assign(static_cast<std::size_t>(A.rows()), start == Start::ones ? 1.0 : 0.0);
  result.v.front() = 1;
  while (result.iterations < steps && !result.converged) {
    Vector next = gram_product(A, result.v);
    const double length = norm(next), sigma = std::sqrt(length / norm(result.v));
    for (double& element : next) element /= length;
    result.converged = std::abs(sigma - result.sigma) <= tolerance * sigma;
    result.sigma = sigma;
    result.v = std::move(next);
    ++result.iterations;
  }
  result.seconds = timer.seconds();
  return result;
}

}  // namespace

const Grammar<PowerVariant>& power_names() {
  static const Grammar<PowerVariant> names(
      "POWER-{start}",
      {{choice(&PowerVariant::start, starts),
        {.name = "start", .option = "--start", .help = "Start vector", .listed = true}},
       {number(&PowerVariant::tolerance, open(0, 1)),
        {.name = "tolerance",
         .key = "tol",
         .option = "--tol",
         .help = "Relative change of sigma that ends the iteration"}}},
      [](const PowerVariant& variant) { return std::string(choice_of(starts, variant.start).summary); });
  return names;
}

PowerMatrix make_matrix(double ratio, Index n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Vector u(static_cast<std::size_t>(n));
  for (double& element : u) element = std::normal_distribution<>()(random);
  const double length = norm(u);
  for (double& element : u) element /= length;
  const auto h = [&](Index i, Index j) {
    return (i == j ? 1.0 : 0.0) - 2 * u[static_cast<std::size_t>(i)] * u[static_cast<std::size_t>(j)];
  };
  PowerMatrix matrix{Matrix<double>(n, n), 1, "reflected diagonal matrix, seed " + std::to_string(seed)};
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      double sum = 0;
      for (Index k = 0; k < n; ++k) sum += h(i, k) * (k == 0 ? 1 : ratio) * h(k, j);
      matrix.A(i, j) = sum;
    }
  return matrix;
}

PowerResult power_iteration(const Matrix<double>& A, const PowerVariant& variant) {
  return iterate(A, variant.start, variant.tolerance, 1000);
}

PowerResult many_steps(const Matrix<double>& A) {
  PowerResult result = iterate(A, Start::ones, -1, 10'000);
  result.converged = true;
  return result;
}

PowerMetrics judge(const PowerMatrix& matrix, const PowerResult& result) {
  PowerMetrics metrics;
  metrics.error = matrix.sigma > 0 ? std::abs(result.sigma - matrix.sigma) / matrix.sigma
                                   : std::numeric_limits<double>::quiet_NaN();
  Vector difference = gram_product(matrix.A, result.v);
  for (std::size_t k = 0; k < difference.size(); ++k) difference[k] -= result.sigma * result.sigma * result.v[k];
  metrics.residual = norm(difference) / (result.sigma * result.sigma);
  return metrics;
}

}  // namespace pivotlab::toy
