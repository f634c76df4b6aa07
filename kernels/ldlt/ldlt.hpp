// SPDX-License-Identifier: BSD-3-Clause
// The factorization on the backend that the options select.
#pragma once

#include "kernels/ldlt/device/ldlt_driver.hpp"
#include "kernels/ldlt/host/factorizer.hpp"
#include "kernels/ldlt/shared/judge.hpp"
#include "kernels/numerics/zeros.hpp"

#include <pivotlab/error.hpp>
#include <string>
#include <type_traits>
#include <utility>

namespace pivotlab::ldlt_detail {

/// Factors on the host, without rook pivoting in place of an elimination without a search.
template <bool hermitian, class T>
LdltFactorization<T> factor_once(PackedTriangle<T> A, const LdltOptions& options) {
  return factor_on_host<hermitian>(std::move(A), options);
}

template <bool hermitian, class T>
LdltFactorization<T> factor_once(MatrixView<const T> A, const LdltOptions& options) {
  if (options.storage == LdltStorage::packed) {
    PackedTriangle<T> packed(A.rows);
    load<hermitian>(A, options.triangle, packed, options.threads);
    return factor_on_host<hermitian>(std::move(packed), options);
  }
  Matrix<T> copy = zeros<T>(A.rows, A.cols, options.threads);
  FullTriangle<T> full(copy);
  load<hermitian>(A, options.triangle, full, options.threads);
  return factor_on_host<hermitian>(std::move(copy), options);
}

/// Factors on the selected backend, by rook pivoting where factors without a search do not suffice. A is a packed
/// triangle or a view of a matrix.
template <bool hermitian, class T, class Given>
LdltFactorization<T> factor(Given A, const LdltOptions& options) {
  if (options.backend != Backend::host) {
    if constexpr (std::is_same_v<RealOf<T>, double>) {
      if (options.backend == Backend::emulation) return ldlt_emulated<T>(std::move(A), options);
      return ldlt_on_cuda<T>(std::move(A), options);
    } else {
      throw NotSupported("backend '" + std::string(to_string(options.backend)) +
                         "': its scalars are double and std::complex<double>; take the backend host for others");
    }
  }
  if (options.variant.pivoting != Pivoting::none) return factor_once<hermitian, T>(std::move(A), options);
  LdltFactorization<T> unsearched = factor_once<hermitian, T>(A, options);
  if (unsearched.refusal.empty()) return unsearched;
  LdltOptions searching = options;
  searching.variant.pivoting = Pivoting::rook;
  unsearched.M = Matrix<T>();  // frees its memory
  LdltFactorization<T> f = factor_once<hermitian, T>(std::move(A), searching);
  f.variant = options.variant;
  f.refusal = unsearched.refusal;
  f.compute_seconds += unsearched.compute_seconds;
  return f;
}

}  // namespace pivotlab::ldlt_detail

namespace pivotlab {

template <class T>
LdltFactorization<T> ldlt(MatrixView<const T> A, const LdltOptions& options) {
  ldlt_detail::require_valid(options);
  ldlt_detail::require_square(A);
  return ldlt_detail::with_symmetry<T>(
      options.symmetry, [&](auto hermitian) { return ldlt_detail::factor<hermitian.value, T>(A, options); });
}

template <class T>
LdltFactorization<T> ldlt(PackedTriangle<T> A, const LdltOptions& options) {
  ldlt_detail::require_valid(options);
  return ldlt_detail::with_symmetry<T>(options.symmetry, [&](auto hermitian) {
    for (Index j = 0; hermitian.value && j < A.order(); ++j)
      if (ldlt_detail::is_finite(A.diagonal(j))) ldlt_detail::require_real_diagonal(A.diagonal(j), j);
    return ldlt_detail::factor<hermitian.value, T>(std::move(A), options);
  });
}

template <class T>
PackedTriangle<T> pack(MatrixView<const T> A, InputTriangle triangle, Symmetry symmetry) {
  ldlt_detail::require_square(A);
  return ldlt_detail::with_symmetry<T>(symmetry, [&](auto hermitian) {
    PackedTriangle<T> packed(A.rows);
    ldlt_detail::load<hermitian.value>(A, triangle, packed, 0);
    return packed;
  });
}

template <class T>
Matrix<T> unpack(const PackedTriangle<T>& packed, Symmetry symmetry) {
  Matrix<T> A(packed.order(), packed.order());
  ldlt_detail::with_symmetry<T>(symmetry, [&](auto hermitian) {
    for (Index j = 0; j < A.cols(); ++j) {
      A(j, j) = packed.diagonal(j);
      for (Index i = j + 1; i < A.rows(); ++i) {
        A(i, j) = packed.column(j)[i];
        A(j, i) = ldlt_detail::across<hermitian.value>(A(i, j));
      }
    }
  });
  return A;
}

}  // namespace pivotlab
