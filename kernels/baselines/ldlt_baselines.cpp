// SPDX-License-Identifier: BSD-3-Clause
#include <kernels/baselines/baseline_table.hpp>
#include <kernels/ldlt/shared/judge.hpp>
#include <kernels/numerics/zeros.hpp>

namespace pivotlab {
namespace {

using namespace baselines;
using Complex = std::complex<double>;

/// cuSOLVER has no baseline for Hermitian matrices; real ones are symmetric.
template <class T>
const std::vector<LdltBaseline<T>>& all_ldlt_baselines(Symmetry symmetry) {
  static const auto hermitian = joined(lapack_ldlt_baselines<T>(Symmetry::hermitian), {}),
                    symmetric = joined(lapack_ldlt_baselines<T>(Symmetry::symmetric),
                                       {{pick<T>("cusolver:dsytrf", "cusolver:zsytrf"),
                                         "Bunch-Kaufman pivoting on the GPU", on_gpu<cusolver_sytrf<T>>}});
  return is_complex<T> && symmetry == Symmetry::hermitian ? hermitian : symmetric;
}

template <class T>
std::string_view problems(Symmetry symmetry) {
  if (!is_complex<T>) return "real symmetric matrices";
  return symmetry == Symmetry::hermitian ? "Hermitian matrices" : "complex symmetric matrices";
}

/// Returns the lower triangle with zeros above; A is checked with the rules and messages of the solver.
template <class T>
Matrix<T> lower_triangle(MatrixView<const T> A, Symmetry symmetry) {
  ldlt_detail::require_square(A);
  Matrix<T> lower = zeros<T>(A.rows, A.cols);
  ldlt_detail::FullTriangle<T> triangle(lower);
  ldlt_detail::with_symmetry<T>(
      symmetry, [&](auto hermitian) { ldlt_detail::load<hermitian.value>(A, InputTriangle::whole, triangle, 0); });
  return lower;
}

/// Brings the triangle into the range for which the routines are made, and returns the even exponent of the power of
/// two by which it was multiplied. LAPACK computes reciprocals of pivots; from denormal ones it gets NaN, with which
/// xSPTRF writes out of bounds.
template <class T>
int bring_into_range(Matrix<T>& lower) {
  const double largest = ldlt_detail::largest_magnitude(lower.data(), lower.size());
  const int exponent = ldlt_detail::scaling_exponent(largest);
  const double least = std::ldexp(largest, exponent) * 0x1p-400;
  for (Index i = 0; i < lower.size(); ++i) {
    T& x = lower.data()[i];
    if (exponent != 0) x = times_power_of_two(x, exponent);
    if (ldlt_detail::modulus(x) < least) x = T(0);
  }
  return exponent;
}

/// Makes the factors and the solution those of A if D stays in range; otherwise the scaling is stated.
template <class T>
void undo_scaling(int exponent, LdltBaselineResult<T>& result) {
  if (exponent == 0) return;
  for (Index i = 0; i < result.X.size(); ++i) result.X.data()[i] = times_power_of_two(result.X.data()[i], exponent);
  const auto survives = [&](const T& x) { return times_power_of_two(times_power_of_two(x, -exponent), exponent) == x; };
  if (!std::ranges::all_of(result.diagonal, survives) || !std::ranges::all_of(result.subdiagonal, survives)) {
    result.scaling.assign(result.diagonal.size(), exponent / 2);
    return;
  }
  for (auto* part : {&result.diagonal, &result.subdiagonal})
    for (T& x : *part) x = times_power_of_two(x, -exponent);
}

}  // namespace

std::vector<BaselineInfo> list_ldlt_baselines(ScalarType type, Symmetry symmetry) {
  return baselines::list(type, all_ldlt_baselines<double>(symmetry), all_ldlt_baselines<Complex>(symmetry));
}

template <class T>
LdltBaselineResult<T> factor_with_baseline(std::string_view name, MatrixView<const T> A, MatrixView<const T> B,
                                           Symmetry symmetry, int threads) {
  const auto& baseline = find_baseline(name, all_ldlt_baselines<T>(symmetry), problems<T>(symmetry));
  Matrix<T> lower = lower_triangle(A, symmetry);
  if (B.rows != A.rows)
    throw InputError(
        fmt::format("right-hand sides: they have {} rows and A has {}; the numbers must agree", B.rows, A.rows));
  const lapack::BlasThreads scope(threads);
  LdltBaselineResult<T> result;
  if (A.rows == 0) {
    result.X = Matrix<T>(0, B.cols);
    return result;
  }
  const int exponent = bring_into_range(lower);
  baseline.solve(std::move(lower), B, result);
  undo_scaling(exponent, result);
  return result;
}

template decltype(factor_with_baseline<double>) factor_with_baseline<double>;
template decltype(factor_with_baseline<Complex>) factor_with_baseline<Complex>;

}  // namespace pivotlab
