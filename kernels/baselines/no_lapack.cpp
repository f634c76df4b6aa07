// Replacement in a build without LAPACK: there are no baselines.
#include <kernels/baselines/blas_threads.hpp>
#include <kernels/baselines/eig_baseline.hpp>
#include <kernels/baselines/gsvd_baseline.hpp>
#include <kernels/baselines/ldlt_baseline.hpp>

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

BlasThreads::BlasThreads(int) {}
BlasThreads::~BlasThreads() = default;

}  // namespace baselines

std::string blas_version() {
  return {};
}

}  // namespace pivotlab
