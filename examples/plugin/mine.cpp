// SPDX-License-Identifier: BSD-3-Clause
// Solvers in a shared library: A = L·D·L* with pivots on the diagonal, and the list with the solver of jacobi.f90.
#include <pivotlab/plugin.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <utility>

namespace {

double conjugate(double x, bool) {
  return x;
}
std::complex<double> conjugate(std::complex<double> x, bool hermitian) {
  return hermitian ? std::conj(x) : x;
}

/// Factors with the largest element of the diagonal as pivot, or with the next one, by the lower triangle.
template <class T>
int factor(bool largest, const pivotlab_ldlt_problem& problem, pivotlab_ldlt_result& result) {
  const int64_t n = problem.A.rows, ld = result.L.ld;
  const bool hermitian = problem.is_hermitian != 0;
  T *const L = static_cast<T*>(result.L.data), *const d = static_cast<T*>(result.d),
           *const e = static_cast<T*>(result.e);
  const auto at = [=](int64_t i, int64_t j) -> T& { return L[i + j * ld]; };
  for (int64_t j = 0; j < n; ++j)
    std::memcpy(&at(0, j), static_cast<const T*>(problem.A.data) + j * problem.A.ld, n * sizeof(T));
  std::iota(result.perm, result.perm + n, 0);
  int64_t swaps = 0;
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t i = k + 1; largest && i < n; ++i)
      if (std::abs(at(i, i)) > std::abs(at(pivot, pivot))) pivot = i;
    if (at(pivot, pivot) == T(0)) {
      std::snprintf(result.outcome.message, result.outcome.message_size, "the diagonal is 0 from row %lld on",
                    static_cast<long long>(k + 1));
      return PIVOTLAB_FAILED;
    }
    if (pivot != k) {
      ++swaps;
      std::swap(result.perm[k], result.perm[pivot]);
      for (int64_t j = 0; j < n; ++j) std::swap(at(k, j), at(pivot, j));
      for (int64_t i = k; i < n; ++i) std::swap(at(i, k), at(i, pivot));
    }
    d[k] = at(k, k), e[k] = T(0);
    for (int64_t i = k + 1; i < n; ++i) at(i, k) /= d[k];
    for (int64_t j = k + 1; j < n; ++j) {
      const T factor = d[k] * conjugate(at(j, k), hermitian);
      for (int64_t i = k + 1; i < n; ++i) at(i, j) -= at(i, k) * factor;
    }
  }
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i <= j; ++i) at(i, j) = T(i == j);
  result.inertia = nullptr;  // not given
  std::snprintf(result.outcome.values, result.outcome.values_size, "swaps=%lld", static_cast<long long>(swaps));
  return PIVOTLAB_SOLVED;
}

constexpr pivotlab_plugin_solver solvers[] = {
    {"ldlt", "diagonal", "dz", "host", "largest=1"},
#ifdef HAVE_FORTRAN
    {"eigh", "jacobi", "d", "host", "sweeps=30"},
#endif
};
constexpr pivotlab_plugin_info info = {PIVOTLAB_PLUGIN_ABI, "mine", "1.0", std::size(solvers), solvers};

}  // namespace

const pivotlab_plugin_info* pivotlab_plugin() {
  return &info;
}

int pivotlab_solve_ldlt(const char*, const char* options, const pivotlab_ldlt_problem* problem,
                        pivotlab_ldlt_result* result) {
  const bool largest = std::strcmp(options, "largest=0") != 0;
  return problem->is_complex != 0 ? factor<std::complex<double>>(largest, *problem, *result)
                                  : factor<double>(largest, *problem, *result);
}
