// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/own/results.hpp>
#include <kernels/numerics/dense.hpp>
#include <kernels/numerics/double_double.hpp>
#include <kernels/numerics/extension.hpp>
#include <kernels/numerics/lu_complete.hpp>
#include <kernels/numerics/order.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>

namespace pivotlab::experiments {
namespace {

using Complex = std::complex<double>;

[[noreturn]] void fail(const std::string& reason) {
  throw SolverFault(Status::failed, reason);
}

/// Refuses two forms of the same result, of which only one would be judged.
void require_one_of(const OwnAnswer& answer, const std::string& one, const std::string& other) {
  if (answer.has(one) && answer.has(other)) fail(fmt::format("the result has {} and {}; give one of them", one, other));
}

/// Sorts what the answer has: values, or the columns of a matrix.
void reorder(auto& values, const std::vector<Index>& order) {
  if (values.size() > 0) values = permuted(values, order);
}

std::vector<int> signs_in(const OwnAnswer& answer, Index count) {
  std::vector<int> signs;
  for (const Index sign : answer.integers("J", count, -1, 1)) signs.push_back(static_cast<int>(sign));
  return signs;
}

/// Sets σ_F and σ_G for σ = σ_F/σ_G.
template <class Result>
void normalize(double sigma, Result& result) {
  const bool infinite = std::isinf(sigma);
  const double length = std::hypot(1.0, infinite ? 0.0 : sigma);
  result.sigma_f.push_back(infinite ? 1 : sigma / length);
  result.sigma_g.push_back(infinite ? 0 : 1 / length);
}

/// Returns X⁻¹, computed in double-double, so that Z of F·Z = U·Σ_F is as accurate as X of F = U·Σ_F·X.
template <class T>
Matrix<T> inverted(const Matrix<T>& X) {
  using E = Rebind<T, DoubleDouble>;
  Matrix<E> extended(X.rows(), X.cols());
  std::transform(X.data(), X.data() + X.size(), extended.data(), [](const T& x) { return extend<E>(x); });
  const CompletePivotingLU<E> lu = lu_complete(std::move(extended));
  if (lu.rank < X.rows()) throw SolverFault(Status::incorrect, "X is singular");
  const Matrix<E> inverse_of_x = inverse(lu);
  Matrix<T> Z(X.rows(), X.cols());
  std::transform(inverse_of_x.data(), inverse_of_x.data() + Z.size(), Z.data(), round_to_double<T, E>);
  return Z;
}

// D of a symmetric indefinite factorization.

template <class T>
void read_dense_d(const OwnAnswer& answer, Index n, Symmetry symmetry, LdltBaselineResult<T>& f) {
  const Matrix<T> D = answer.matrix<T>("D", n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = j + 1; i < n; ++i) {
      T mirrored = D(j, i);
      if constexpr (is_complex<T>)
        if (symmetry == Symmetry::hermitian) mirrored = std::conj(mirrored);
      if (D(i, j) != mirrored)
        fail(fmt::format("D is not {} at row {}, column {}",
                         symmetry == Symmetry::hermitian && is_complex<T> ? "Hermitian" : "symmetric", i + 1, j + 1));
      if (i > j + 1 && D(i, j) != T(0))
        fail(fmt::format("D has an element outside of blocks of order 1 and 2 at row {}, column {}", i + 1, j + 1));
    }
  for (Index k = 0; k < n; ++k) {
    f.diagonal.push_back(D(k, k));
    f.subdiagonal.push_back(k + 1 < n ? D(k + 1, k) : T(0));
  }
}

/// Returns a result whose values are still to be set.
template <class Result>
Result passed_result(const OwnAnswer& answer) {
  Result r;
  r.status = Status::passed;
  r.compute_seconds = answer.seconds;
  return r;
}

}  // namespace

template <class T>
void find_pivots(LdltBaselineResult<T>& f) {
  const auto n = f.diagonal.size();
  for (std::size_t k = 0; k < n;) {
    const auto at = static_cast<Index>(k);
    const bool is_pair = k + 1 < n && f.subdiagonal[k] != T(0);
    f.interchanges.push_back(at + 1);
    if (is_pair) f.interchanges.push_back(-(at + 2));
    if (is_pair && k + 2 < n && f.subdiagonal[k + 1] != T(0)) f.tridiagonal = true;
    k += is_pair ? 2 : 1;
  }
  if (f.tridiagonal) f.interchanges.clear();
}

const std::vector<std::string>& result_names(std::string_view method) {
  static const std::map<std::string, std::vector<std::string>, std::less<>> names = {
      {"gsvd", {"sigma", "U", "V", "Z", "alpha", "beta", "X"}},
      {"ghsvd", {"eigenvalues", "U", "V", "Z", "J"}},
      {"ldlt", {"L", "D", "perm", "inertia", "M", "d", "e"}},
      {"eigh", {"eigenvalues", "U", "estimate"}},
      {"eig", {"eigenvalues", "V", "W"}},
      {"hsvd", {"sigma", "U", "V", "J", "Vh"}}};
  return names.find(method)->second;
}

template <class T>
AnyGsvdResult<T> own_gsvd(const OwnAnswer& answer, Index m_f, Index m_g, Index n) {
  auto r = passed_result<AnyGsvdResult<T>>(answer);
  r.l = r.r = n;
  r.sigma = answer.vector<double>("sigma", n, true);
  const std::vector<double> alpha = answer.vector<double>("alpha", n), beta = answer.vector<double>("beta", n);
  if (answer.has("alpha") || answer.has("beta")) answer.require("alpha"), answer.require("beta");
  if (!answer.has("alpha")) answer.require("sigma");
  require_one_of(answer, "Z", "X");
  if (!alpha.empty()) {
    r.sigma_f = alpha, r.sigma_g = beta;
    if (r.sigma.empty())
      std::ranges::transform(alpha, beta, std::back_inserter(r.sigma), [](double a, double b) { return a / b; });
  } else {
    for (const double sigma : r.sigma) normalize(sigma, r);
  }
  if (std::ranges::any_of(r.sigma, [](double sigma) { return !(sigma >= 0); }))
    throw SolverFault(Status::incorrect, "sigma has an element that is not at least 0");
  if (std::ranges::any_of(r.sigma, [](double sigma) { return std::isinf(sigma); })) return r;  // σ alone is judged
  r.U = answer.matrix<T>("U", m_f, n);
  r.V = answer.matrix<T>("V", m_g, n);
  r.Z = answer.matrix<T>("Z", n, n);
  if (answer.has("X")) r.Z = inverted(answer.matrix<T>("X", n, n));
  return r;
}

template <class T>
GhsvdResult<T> own_ghsvd(const OwnAnswer& answer, Index m_f, Index m_g, Index n) {
  answer.require("eigenvalues");
  auto r = passed_result<GhsvdResult<T>>(answer);
  r.eigenvalues = answer.vector<double>("eigenvalues", n);
  r.U = answer.matrix<T>("U", m_f, n);
  r.V = answer.matrix<T>("V", m_g, n);
  r.Z = answer.matrix<T>("Z", n, n);
  r.J = signs_in(answer, answer.has("J") ? n : 0);
  const std::vector<Index> order = descending_indices(r.eigenvalues);
  reorder(r.eigenvalues, order), reorder(r.J, order);
  reorder(r.U, order), reorder(r.V, order), reorder(r.Z, order);
  for (const double lambda : r.eigenvalues) {
    normalize(std::sqrt(std::abs(lambda)), r);
    if (!answer.has("J")) r.J.push_back((lambda > 0) - (lambda < 0));
  }
  return r;
}

template <class T>
HsvdResult<T> own_hsvd(const OwnAnswer& answer, Index m, const std::vector<int>& J) {
  answer.require("sigma");
  const Index n = std::ssize(J);
  auto r = passed_result<HsvdResult<T>>(answer);
  r.sigma = answer.vector<double>("sigma", n);
  require_one_of(answer, "V", "Vh");
  r.U = answer.matrix<T>("U", m, n);
  r.V = answer.matrix<T>("V", n, n);
  if (answer.has("Vh")) r.V = matrix_of(adjoint(answer.matrix<T>("Vh", n, n)));
  if (answer.has("J"))
    r.J = signs_in(answer, n);
  else if (std::ranges::count(J, 1) == n)
    r.J = J;
  else
    fail("the result has no J, and the problem has both signs");
  return r;
}

template <class T>
EighResult<T> own_eigh(const OwnAnswer& answer, Index n) {
  answer.require("eigenvalues");
  auto r = passed_result<EighResult<T>>(answer);
  r.eigenvalues = answer.vector<double>("eigenvalues", n);
  r.U = answer.matrix<T>("U", n, n);
  r.estimate = answer.vector<double>("estimate", n);
  const std::vector<Index> order = descending_indices(r.eigenvalues);
  reorder(r.eigenvalues, order), reorder(r.U, order), reorder(r.estimate, order);
  for (const double estimate : r.estimate) r.noise.push_back(10 * estimate >= 1);
  return r;
}

EigResult<double> own_eig(const OwnAnswer& answer, Index n) {
  answer.require("eigenvalues");
  auto r = passed_result<EigResult<double>>(answer);
  r.eigenvalues = answer.vector<Complex>("eigenvalues", n);
  r.V = answer.matrix<Complex>("V", n, n);
  r.W = answer.matrix<Complex>("W", n, n);
  return r;
}

template <class T>
OwnLdlt<T> own_ldlt(const OwnAnswer& answer, Index n, Symmetry symmetry) {
  OwnLdlt<T> own;
  LdltBaselineResult<T>& f = own.factors;
  f.compute_seconds = answer.seconds;
  require_one_of(answer, "L", "M");
  for (const char* part : {"d", "e"}) require_one_of(answer, "D", part);
  const std::string factor = answer.has("M") ? "M" : "L";
  for (const std::string& name : {factor, std::string("perm")}) answer.require(name);
  f.M = answer.matrix<T>(factor, n, n);
  if (answer.has("d")) {
    f.diagonal = answer.vector<T>("d", n);
    answer.require("e");
    f.subdiagonal = answer.vector<T>("e", n);
    if (n > 0 && f.subdiagonal.back() != T(0)) fail("e has a last element, must end with 0");
  } else {
    answer.require("D");
    read_dense_d(answer, n, symmetry, f);
  }
  find_pivots(f);
  f.permutation = answer.integers("perm", n, 0, n);
  const bool from_one = std::ranges::find(f.permutation, 0) == f.permutation.end();
  if (from_one)
    for (Index& row : f.permutation) --row;
  if (answer.has("inertia")) {
    const std::vector<Index> counts = answer.integers("inertia", 3, 0, n);
    own.inertia = Inertia{counts[0], counts[1], counts[2]};
  }
  return own;
}

template AnyGsvdResult<double> own_gsvd(const OwnAnswer&, Index, Index, Index);
template AnyGsvdResult<Complex> own_gsvd(const OwnAnswer&, Index, Index, Index);
template GhsvdResult<double> own_ghsvd(const OwnAnswer&, Index, Index, Index);
template GhsvdResult<Complex> own_ghsvd(const OwnAnswer&, Index, Index, Index);
template HsvdResult<double> own_hsvd(const OwnAnswer&, Index, const std::vector<int>&);
template HsvdResult<Complex> own_hsvd(const OwnAnswer&, Index, const std::vector<int>&);
template EighResult<double> own_eigh(const OwnAnswer&, Index);
template EighResult<Complex> own_eigh(const OwnAnswer&, Index);
template void find_pivots(LdltBaselineResult<double>&);
template void find_pivots(LdltBaselineResult<Complex>&);
template OwnLdlt<double> own_ldlt(const OwnAnswer&, Index, Symmetry);
template OwnLdlt<Complex> own_ldlt(const OwnAnswer&, Index, Symmetry);

}  // namespace pivotlab::experiments
