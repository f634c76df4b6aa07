// The factorization stage by stage.
//
//   while k < n:   choose a pivot of A^[n−k] (Algorithms 2–4)
//                  interchange rows and columns so that it comes first
//                  M ← C·P⁻¹,  A^[n−k−s] ← B − C·P⁻¹·C*,  k ← k + s       (Algorithm 1)
#pragma once

#include "kernels/ldlt/device/device_ldlt.hpp"
#include "kernels/ldlt/judge.hpp"
#include "kernels/ldlt/panels.hpp"
#include "kernels/ldlt/pivoting.hpp"
#include "kernels/numerics/zeros.hpp"

#include <chrono>
#include <utility>

namespace pivotlab::ldlt_detail {

template <class T, class Storage, bool hermitian>
class Factorizer {
 public:
  using R = RealOf<T>;

  Factorizer(Storage& a, const LdltOptions& options) : a_(a), options_(options) {}

  LdltFactorization<T> run() {
    const int exponent = prepare(a_, options_, f_);
    const auto start = std::chrono::steady_clock::now();
    eliminate();
    f_.compute_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    extract();
    judge<hermitian>(f_);
    undo_scaling(exponent, f_);
    return std::move(f_);
  }

 private:
  void eliminate() {
    ReducedMatrix<T, Storage, hermitian> reduced(a_, options_.threads);
    const R alpha(options_.variant.alpha);
    const Index n = a_.order();
    for (Index k = 0; k < n;) {
      const R largest = reduced.largest(k);
      if (options_.variant.pivoting == Pivoting::complete && largest <= f_.tolerance) {
        f_.remainder = largest;
        clear(k);
        break;
      }
      const R growth = f_.largest_element == R(0) ? R(0) : R(largest / f_.largest_element);
      const Pivot pivot = choose_pivot(options_.variant.pivoting, reduced, k, alpha);
      f_.stages.push_back({k, pivot.size, growth, R(1)});
      interchange(reduced, k, pivot.first, pivot.size);
      if (pivot.size == 2) {
        interchange(reduced, k + 1, pivot.second, pivot.size);
        f_.interchanges.back() = -f_.interchanges.back();
        reduced.eliminate_2x2(k);
      } else {
        reduced.eliminate_1x1(k);
      }
      k += pivot.size;
    }
  }

  void interchange(ReducedMatrix<T, Storage, hermitian>& reduced, Index k, Index other, int size) {
    reduced.interchange(k, other);
    f_.interchanges.push_back(other + 1);
    (size == 1 ? f_.swaps_1x1 : f_.swaps_2x2) += other != k;
  }

  /// The reduced matrix counts as zero: D ends in zeros, and M in the identity.
  void clear(Index k) {
    for (Index j = k; j < a_.order(); ++j) {
      a_.diagonal(j) = T(0);
      std::fill_n(a_.column(j) + j + 1, a_.order() - j - 1, T(0));
      f_.interchanges.push_back(j + 1);
    }
  }

  void extract() {
    const Index n = a_.order();
    f_.permutation = permutation_of(f_.interchanges);
    f_.diagonal.resize(static_cast<std::size_t>(n));
    f_.subdiagonal.resize(static_cast<std::size_t>(n));
    for (const LdltStage<R>& stage : f_.stages)
      if (stage.size == 2) std::swap(f_.subdiagonal[stage.first], a_.column(stage.first)[stage.first + 1]);
    f_.M = zeros<T>(n, n, options_.threads);
#pragma omp parallel for num_threads(threads_for(n, options_.threads)) schedule(dynamic, 16)
    for (Index j = 0; j < n; ++j) {
      f_.diagonal[j] = a_.diagonal(j);
      f_.M(j, j) = T(1);
      std::copy_n(a_.column(j) + j + 1, n - j - 1, &f_.M(j, j) + 1);
    }
    f_.max_multiplier = largest_multiplier(f_.M, options_.threads);
  }

  Storage& a_;
  const LdltOptions& options_;
  LdltFactorization<T> f_;
};

template <class T>
Matrix<T> lower_triangle(const PackedTriangle<T>& packed, int threads = 0) {
  const Index n = packed.order();
  Matrix<T> full = zeros<T>(n, n, threads);
#pragma omp parallel for num_threads(threads_for(n, threads)) schedule(dynamic, 16)
  for (Index j = 0; j < n; ++j) {
    full(j, j) = packed.diagonal(j);
    std::copy_n(packed.column(j) + j + 1, n - j - 1, &full(j, j) + 1);
  }
  return full;
}

template <bool hermitian, class T>
LdltFactorization<T> factor_on_host(PackedTriangle<T> A, const LdltOptions& options) {
  if constexpr (has_panels<T>)
    if (works_in_panels<T>(options.variant.pivoting, A.order())) {
      Matrix<T> full = lower_triangle(A, options.threads);
      A = PackedTriangle<T>();
      return factor_in_panels<hermitian>(std::move(full), options);
    }
  return Factorizer<T, PackedTriangle<T>, hermitian>(A, options).run();
}

template <bool hermitian, class T>
LdltFactorization<T> factor_on_host(Matrix<T> A, const LdltOptions& options) {
  if constexpr (has_panels<T>)
    if (works_in_panels<T>(options.variant.pivoting, A.rows()))
      return factor_in_panels<hermitian>(std::move(A), options);
  FullTriangle<T> triangle(A);
  return Factorizer<T, FullTriangle<T>, hermitian>(triangle, options).run();
}

/// On the backend that was asked for. The triangle has been checked.
template <bool hermitian, class T>
LdltFactorization<T> factor(PackedTriangle<T> A, const LdltOptions& options) {
  if (options.backend == Backend::host) return factor_on_host<hermitian>(std::move(A), options);
  if constexpr (std::is_same_v<RealOf<T>, double>) {
    if (options.backend == Backend::emulation) return ldlt_emulated<T>(std::move(A), options);
    return ldlt_on_cuda<T>(std::move(A), options);
  } else {
    throw NotSupported("backend '" + std::string(to_string(options.backend)) +
                       "': its scalars are double and std::complex<double>; take the backend host for others");
  }
}

template <bool hermitian, class T>
LdltFactorization<T> factor(MatrixView<const T> A, const LdltOptions& options) {
  require_square(A);
  if (options.storage == LdltStorage::packed || options.backend != Backend::host) {
    PackedTriangle<T> packed(A.rows);
    load<hermitian>(A, options.triangle, packed, options.threads);
    return factor<hermitian>(std::move(packed), options);
  }
  Matrix<T> copy = zeros<T>(A.rows, A.cols, options.threads);
  FullTriangle<T> full(copy);
  load<hermitian>(A, options.triangle, full, options.threads);
  return factor_on_host<hermitian>(std::move(copy), options);
}

}  // namespace pivotlab::ldlt_detail

namespace pivotlab {

template <class T>
LdltFactorization<T> ldlt(MatrixView<const T> A, const LdltOptions& options) {
  ldlt_detail::require_valid(options);
  return ldlt_detail::with_symmetry<T>(
      options.symmetry, [&](auto hermitian) { return ldlt_detail::factor<hermitian.value>(A, options); });
}

template <class T>
LdltFactorization<T> ldlt(PackedTriangle<T> A, const LdltOptions& options) {
  ldlt_detail::require_valid(options);
  return ldlt_detail::with_symmetry<T>(options.symmetry, [&](auto hermitian) {
    ldlt_detail::check<hermitian.value>(A, options.threads);
    return ldlt_detail::factor<hermitian.value>(std::move(A), options);
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
