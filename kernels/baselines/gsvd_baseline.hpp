// A baseline of the GSVD, and tables of baselines: lapack_gsvd.cpp has LAPACK's table, no_lapack.cpp replaces it in a
// build without LAPACK; cuSOLVER's is in gsvd_baselines.cpp.
#pragma once

#include <pivotlab/baselines.hpp>
#include <span>
#include <stdexcept>

namespace pivotlab::baselines {

/// The routine cannot decompose this pair. The error becomes status `failed` and never leaves the library.
class DecompositionFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The failure of normal equations whose matrices have elements that are not finite.
inline DecompositionFailed normal_equations_overflow() {
  return DecompositionFailed("the normal equations overflow: the entries of FᴴF or GᴴG are not finite");
}

/// Throws DecompositionFailed for an info > 0 of xSYGVD or xHEGVD on matrices of order n.
void check_hegvd(Index info, Index n);

template <class T>
struct GsvdBaseline {
  std::string_view name, summary;
  /// Decomposes a valid pair: fills U, V, Z, σ_F, σ_G in any order of the columns, and compute_seconds.
  void (*solve)(MatrixView<const T> F, MatrixView<const T> G, GsvdResult<T>& result);
};

/// Returns LAPACK's table; empty in a build without LAPACK.
template <class T>
std::span<const GsvdBaseline<T>> lapack_baselines();
template <>
std::span<const GsvdBaseline<double>> lapack_baselines();
template <>
std::span<const GsvdBaseline<std::complex<double>>> lapack_baselines();

}  // namespace pivotlab::baselines
