// SPDX-License-Identifier: BSD-3-Clause
#include <pivotlab/error.hpp>
#include <pivotlab/scalar_traits.hpp>
#include <support/timer.hpp>
#include <tests/toy/power.hpp>

#include <array>
#include <cmath>
#include <complex>

namespace pivotlab::toy {
namespace {

constexpr std::array starts{Choice{Start::ones, "O", "ones", "All elements are 1."},
                            Choice{Start::first, "F", "first", "The first unit vector."}};

template <class T>
double norm(const std::vector<T>& x) {
  double sum = 0;
  for (const T& element : x) sum += std::norm(element);
  return std::sqrt(sum);
}

template <class T>
std::vector<T> product(const Matrix<T>& A, const std::vector<T>& x) {
  std::vector<T> y(x.size());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) y[static_cast<std::size_t>(i)] += A(i, j) * x[static_cast<std::size_t>(j)];
  return y;
}

/// Returns ‖y − λ·x‖₂/|λ|.
template <class T>
double residual(const std::vector<T>& y, const std::vector<T>& x, double lambda) {
  std::vector<T> difference = y;
  for (std::size_t k = 0; k < x.size(); ++k) difference[k] -= lambda * x[k];
  return norm(difference) / std::abs(lambda);
}

template <class T>
PowerResult<T> iterate(const Matrix<T>& A, Start start, double tolerance, int steps) {
  if (A.rows() == 0) throw InputError("power iteration needs a matrix of order 1 or more");
  const Timer timer;
  PowerResult<T> result{.status = Status::not_converged};
  std::vector<T> next(static_cast<std::size_t>(A.rows()), start == Start::ones ? T(1) : T(0));
  next.front() = 1;
  while (result.iterations < steps && result.status != Status::passed) {
    const double length = norm(next);
    for (T& element : next) element /= length;
    result.v = std::move(next);
    next = product(A, result.v);
    double quotient = 0;  // v*·A·v
    for (std::size_t k = 0; k < next.size(); ++k) quotient += std::real(std::conj(result.v[k]) * next[k]);
    result.eigenvalue = quotient;
    if (residual(next, result.v, quotient) <= tolerance) result.status = Status::passed;
    ++result.iterations;
  }
  result.compute_seconds = timer.seconds();
  return result;
}

}  // namespace

const Grammar<PowerVariant>& power_names() {
  static const Grammar<PowerVariant> names(
      "POWER-{start}",
      {{choice(&PowerVariant::start, starts),
        {.name = "start", .option = "--start", .help = "Start vector", .listed = true}},
       {number(&PowerVariant::tolerance, open(0, 1)),
        {.name = "tolerance", .key = "tol", .option = "--tol", .help = "Residual that ends the iteration"}}},
      [](const PowerVariant& variant) { return std::string(choice_of(starts, variant.start).summary); });
  return names;
}

template <class T>
PowerResult<T> power_iteration(const Matrix<T>& A, const PowerOptions& options) {
  if (options.backend != Backend::host)
    throw NotSupported("power iteration has no kernels for a GPU; take --backend host");
  auto result = iterate(A, options.variant.start, options.variant.tolerance, 1000);
  if (result.status != Status::passed) result.message = "after 1000 steps";
  return result;
}

std::vector<BaselineInfo> list_power_baselines(ScalarType type) {
  return {{std::string("steps:") + static_cast<char>(type) + "10000", "Ten thousand steps."}};
}

template <class T>
PowerResult<T> many_steps(const Matrix<T>& A) {
  auto result = iterate(A, Start::ones, -1, 10'000);
  result.status = Status::passed;
  return result;
}

template <class T>
double residual_of(const Matrix<T>& A, const PowerResult<T>& result) {
  return residual(product(A, result.v), result.v, result.eigenvalue);
}

using Complex = std::complex<double>;
template PowerResult<double> power_iteration(const Matrix<double>&, const PowerOptions&);
template PowerResult<Complex> power_iteration(const Matrix<Complex>&, const PowerOptions&);
template PowerResult<double> many_steps(const Matrix<double>&);
template PowerResult<Complex> many_steps(const Matrix<Complex>&);
template double residual_of(const Matrix<double>&, const PowerResult<double>&);
template double residual_of(const Matrix<Complex>&, const PowerResult<Complex>&);

}  // namespace pivotlab::toy
