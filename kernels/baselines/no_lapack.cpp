// Replacement in a build without LAPACK: there are no baselines.
#include <kernels/baselines/eig_baseline.hpp>
#include <kernels/baselines/gsvd_baseline.hpp>
#include <kernels/baselines/jacobi_baseline.hpp>
#include <kernels/baselines/ldlt_baseline.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/gsvd_any.hpp>

namespace pivotlab {

namespace baselines {

template <>
std::span<const GsvdBaseline<double>> lapack_baselines() {
  return {};
}
template <>
std::span<const GsvdBaseline<std::complex<double>>> lapack_baselines() {
  return {};
}

template <>
std::span<const LdltBaseline<double>> lapack_ldlt_baselines() {
  return {};
}
template <>
std::span<const LdltBaseline<std::complex<double>>> lapack_ldlt_baselines() {
  return {};
}

template <>
std::span<const EigBaseline<double>> lapack_eig_baselines() {
  return {};
}
template <>
std::span<const EigBaseline<std::complex<double>>> lapack_eig_baselines() {
  return {};
}

template <>
std::span<const EighBaseline<double>> lapack_eigh_baselines() {
  return {};
}
template <>
std::span<const EighBaseline<std::complex<double>>> lapack_eigh_baselines() {
  return {};
}
template <>
std::span<const SvdBaseline<double>> lapack_svd_baselines() {
  return {};
}
template <>
std::span<const SvdBaseline<std::complex<double>>> lapack_svd_baselines() {
  return {};
}
template <>
std::span<const GhsvdBaseline<double>> lapack_ghsvd_baselines() {
  return {};
}
template <>
std::span<const GhsvdBaseline<std::complex<double>>> lapack_ghsvd_baselines() {
  return {};
}

}  // namespace baselines

template <class T>
AnyGsvdResult<T> solve_any_gsvd_with_baseline(std::string_view name, MatrixView<const T>, MatrixView<const T>, int) {
  throw NotSupported("baseline '" + std::string(name) + "': this build has no LAPACK");
}

using Complex = std::complex<double>;
template AnyGsvdResult<double> solve_any_gsvd_with_baseline(std::string_view, MatrixView<const double>,
                                                            MatrixView<const double>, int);
template AnyGsvdResult<Complex> solve_any_gsvd_with_baseline(std::string_view, MatrixView<const Complex>,
                                                             MatrixView<const Complex>, int);

std::string blas_version() {
  return {};
}

}  // namespace pivotlab
