// SPDX-License-Identifier: BSD-3-Clause
// The symmetric indefinite factorization by LAPACK, each routine with the one that solves from its factors.
#include <kernels/baselines/baseline.hpp>
#include <kernels/baselines/ldlt_factors.hpp>
#include <kernels/libraries/lapack.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace pivotlab::baselines {
namespace {

using lapack::Complex;

struct Routines {
  const char *factor, *solve;
};
constexpr Routines dsytrf{"dsytrf", "dsytrs"}, dsytrf_rook{"dsytrf_rook", "dsytrs_rook"},
    dsytrf_aa{"dsytrf_aa", "dsytrs_aa"}, dsptrf{"dsptrf", "dsptrs"};
constexpr Routines zhetrf{"zhetrf", "zhetrs"}, zhetrf_rook{"zhetrf_rook", "zhetrs_rook"},
    zhetrf_aa{"zhetrf_aa", "zhetrs_aa"}, zhptrf{"zhptrf", "zhptrs"};
constexpr Routines zsytrf{"zsytrf", "zsytrs"}, zsytrf_rook{"zsytrf_rook", "zsytrs_rook"},
    zsytrf_aa{"zsytrf_aa", "zsytrs_aa"}, zsptrf{"zsptrf", "zsptrs"};

std::vector<Index> widened(const std::vector<lapack_int>& ipiv) {
  return {ipiv.begin(), ipiv.end()};
}

/// Factors and solves with the lower triangle in `elements`; `leading` is the leading dimension; absent for packed
/// storage.
template <class T, class... Leading>
std::vector<Index> factor_and_solve(const Routines& routines, Index order, std::span<T> elements, MatrixView<const T> B,
                                    LdltBaselineResult<T>& result, Leading... leading) {
  const lapack::Routine<char, lapack_int, T*, Leading..., lapack_int*> factor(routines.factor);
  const lapack::Routine<char, lapack_int, lapack_int, const T*, Leading..., const lapack_int*, T*, lapack_int> solve(
      routines.solve);
  T* const a = elements.data();
  const lapack_int n = lapack::size(order);
  std::vector<lapack_int> ipiv(order);
  const lapack_int singular = timed(result.compute_seconds, [&] { return factor('L', n, a, leading..., ipiv.data()); });
  const auto is_finite = [](const T& x) { return std::isfinite(std::abs(x)); };
  if (singular == 0 && std::ranges::all_of(elements, is_finite)) {
    Matrix<T> X(B);
    if (solve('L', n, lapack::size(B.cols), a, leading..., ipiv.data(), X.data(), n) == 0) result.X = std::move(X);
  }
  return widened(ipiv);
}

template <class T>
std::span<T> elements_of(Matrix<T>& A) {
  return {A.data(), static_cast<std::size_t>(A.size())};
}

template <class T, const Routines& routines, LapackConvention convention>
void diagonal_pivoting(Matrix<T> A, MatrixView<const T> B, LdltBaselineResult<T>& result) {
  const auto ipiv = factor_and_solve(routines, A.rows(), elements_of(A), B, result, lapack::size(A.rows()));
  split_block_diagonal(std::move(A), ipiv, convention, result);
}

template <class T, const Routines& routines>
void aasen(Matrix<T> A, MatrixView<const T> B, LdltBaselineResult<T>& result) {
  const auto ipiv = factor_and_solve(routines, A.rows(), elements_of(A), B, result, lapack::size(A.rows()));
  split_tridiagonal(std::move(A), ipiv, result);
}

/// xSPTRF takes the lower triangle by columns, including the diagonal.
template <class T, const Routines& routines>
void packed(Matrix<T> A, MatrixView<const T> B, LdltBaselineResult<T>& result) {
  std::vector<T> triangle;
  triangle.reserve(A.rows() * (A.rows() + 1) / 2);
  for (Index j = 0; j < A.cols(); ++j) triangle.insert(triangle.end(), A.col(j).begin() + j, A.col(j).end());
  const auto ipiv = factor_and_solve(routines, A.rows(), std::span(triangle), B, result);
  auto from = triangle.begin();
  for (Index j = 0; j < A.cols(); ++j) {
    std::copy_n(from, A.rows() - j, A.col(j).begin() + j);
    from += A.rows() - j;
  }
  split_block_diagonal(std::move(A), ipiv, LapackConvention::sytrf, result);
}

constexpr std::string_view partial = "Bunch-Kaufman pivoting, blocked", rook = "rook pivoting, blocked",
                           of_aasen = "Aasen's algorithm: D tridiagonal, blocked",
                           in_packed = "Bunch-Kaufman pivoting in packed storage";
constexpr auto usual = LapackConvention::sytrf, of_rook = LapackConvention::sytrf_rook;

}  // namespace

template <>
std::vector<LdltBaseline<double>> lapack_ldlt_baselines(Symmetry) {
  return {{"lapack:dsytrf", partial, diagonal_pivoting<double, dsytrf, usual>},
          {"lapack:dsytrf_rook", rook, diagonal_pivoting<double, dsytrf_rook, of_rook>},
          {"lapack:dsytrf_aa", of_aasen, aasen<double, dsytrf_aa>},
          {"lapack:dsptrf", in_packed, packed<double, dsptrf>}};
}
template <>
std::vector<LdltBaseline<Complex>> lapack_ldlt_baselines(Symmetry symmetry) {
  if (symmetry == Symmetry::hermitian)
    return {{"lapack:zhetrf", partial, diagonal_pivoting<Complex, zhetrf, usual>},
            {"lapack:zhetrf_rook", rook, diagonal_pivoting<Complex, zhetrf_rook, of_rook>},
            {"lapack:zhetrf_aa", of_aasen, aasen<Complex, zhetrf_aa>},
            {"lapack:zhptrf", in_packed, packed<Complex, zhptrf>}};
  return {{"lapack:zsytrf", partial, diagonal_pivoting<Complex, zsytrf, usual>},
          {"lapack:zsytrf_rook", rook, diagonal_pivoting<Complex, zsytrf_rook, of_rook>},
          {"lapack:zsytrf_aa", of_aasen, aasen<Complex, zsytrf_aa>},
          {"lapack:zsptrf", in_packed, packed<Complex, zsptrf>}};
}

}  // namespace pivotlab::baselines
