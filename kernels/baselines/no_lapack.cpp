// SPDX-License-Identifier: BSD-3-Clause
// Replacement in a build without LAPACK, and in programs that are linked without it: there are no baselines.
#include <kernels/baselines/baseline.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/gsvd_any.hpp>
#include <pivotlab/pencil.hpp>

namespace pivotlab {

using Complex = std::complex<double>;

namespace baselines {

template <class T>
std::vector<GsvdBaseline<T>> lapack_gsvd_baselines() {
  return {};
}
template <class T>
std::vector<GhsvdBaseline<T>> lapack_ghsvd_baselines() {
  return {};
}
template <class T>
std::vector<EigBaseline<T>> lapack_eig_baselines() {
  return {};
}
template <class T>
std::vector<EighBaseline<T>> lapack_eigh_baselines() {
  return {};
}
template <class T>
std::vector<SvdBaseline<T>> lapack_svd_baselines() {
  return {};
}
template <class T>
std::vector<LdltBaseline<T>> lapack_ldlt_baselines(Symmetry) {
  return {};
}
template decltype(lapack_gsvd_baselines<double>) lapack_gsvd_baselines<double>;
template decltype(lapack_gsvd_baselines<Complex>) lapack_gsvd_baselines<Complex>;
template decltype(lapack_ghsvd_baselines<double>) lapack_ghsvd_baselines<double>;
template decltype(lapack_ghsvd_baselines<Complex>) lapack_ghsvd_baselines<Complex>;
template decltype(lapack_eig_baselines<double>) lapack_eig_baselines<double>;
template decltype(lapack_eig_baselines<Complex>) lapack_eig_baselines<Complex>;
template decltype(lapack_eigh_baselines<double>) lapack_eigh_baselines<double>;
template decltype(lapack_eigh_baselines<Complex>) lapack_eigh_baselines<Complex>;
template decltype(lapack_svd_baselines<double>) lapack_svd_baselines<double>;
template decltype(lapack_svd_baselines<Complex>) lapack_svd_baselines<Complex>;
template decltype(lapack_ldlt_baselines<double>) lapack_ldlt_baselines<double>;
template decltype(lapack_ldlt_baselines<Complex>) lapack_ldlt_baselines<Complex>;

}  // namespace baselines

template <class T>
AnyGsvdResult<T> solve_any_gsvd_with_baseline(std::string_view name, MatrixView<const T>, MatrixView<const T>, int) {
  throw NotSupported("baseline '" + std::string(name) + "': this build has no LAPACK");
}
template decltype(solve_any_gsvd_with_baseline<double>) solve_any_gsvd_with_baseline<double>;
template decltype(solve_any_gsvd_with_baseline<Complex>) solve_any_gsvd_with_baseline<Complex>;

PencilResult solve_pencil(MatrixView<const Complex>, MatrixView<const Complex>, bool, int) {
  throw NotSupported("B: the eigenproblem of a pencil needs LAPACK, which this build does not have");
}

std::string blas_version() {
  return {};
}

}  // namespace pivotlab
