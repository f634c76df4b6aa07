// The factorization stage by stage, and what is read off its end.
//
//   while k < n:   choose a pivot of A^[n−k] (Algorithms 2–4)
//                  interchange rows and columns so that it comes first
//                  M ← C·P⁻¹,  A^[n−k−s] ← B − C·P⁻¹·C*,  k ← k + s       (Algorithm 1)
#pragma once

#include "kernels/ldlt/block.hpp"
#include "kernels/ldlt/input.hpp"
#include "kernels/ldlt/pivoting.hpp"

#include <chrono>
#include <utility>

namespace pivotlab::ldlt_detail {

template <class T, class Storage, bool hermitian>
class Factorizer {
 public:
  using R = RealOf<T>;

  Factorizer(Storage& a, const LdltOptions& options) : a_(a), options_(options) {
    f_.variant = options.variant;
    f_.symmetry = options.symmetry;
  }

  LdltFactorization<T> run() {
    const Norms<R> norms = norms_of<T>(a_);
    const int exponent = scaling_exponent(norms.largest);
    scale<T>(a_, exponent);
    f_.largest_element = times_power_of_two(norms.largest, exponent);
    f_.tolerance = R(options_.rank_tolerance.value_or(0)) * f_.largest_element;
    if (!options_.rank_tolerance) f_.tolerance = std::numeric_limits<R>::epsilon() * f_.largest_element;

    const auto start = std::chrono::steady_clock::now();
    eliminate();
    f_.compute_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    extract();
    judge();
    undo_scaling(exponent);
    f_.norm_inf = norms.infinity;
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
    f_.M = Matrix<T>(n, n);
    for (Index j = 0; j < n; ++j) {
      f_.diagonal[j] = a_.diagonal(j);
      f_.M(j, j) = T(1);
      std::copy_n(a_.column(j) + j + 1, n - j - 1, &f_.M(j, j) + 1);
      f_.max_multiplier = std::max<R>(f_.max_multiplier, largest_magnitude(&f_.M(j, j) + 1, n - j - 1));
    }
  }

  /// Rank, inertia, conditions of the pivots.
  void judge() {
    // With complete pivoting the reduced matrix has been judged, and whatever came before is not zero.
    const R zero = options_.variant.pivoting == Pivoting::complete ? R(0) : f_.tolerance;
    constexpr bool has_inertia = hermitian || !is_complex<T>;
    for (LdltStage<R>& stage : f_.stages) {
      const Index k = stage.first;
      if (stage.size == 1) {
        const bool counts = absolute(f_.diagonal[k]) > zero;
        f_.rank += counts;
        if (has_inertia) (real_part(f_.diagonal[k]) > R(0) ? f_.inertia.positive : f_.inertia.negative) += counts;
        continue;
      }
      const Block<T> block{f_.diagonal[k], f_.subdiagonal[k], f_.diagonal[k + 1]};
      const auto [larger, smaller] = sizes_of<hermitian>(block);
      stage.condition = larger / smaller;
      f_.rank += (larger > zero) + (smaller > zero);
      if constexpr (has_inertia) {
        const HermitianSpectrum<T> spectrum(block);
        f_.inertia.positive += spectrum.positive > zero;
        f_.inertia.negative += -spectrum.negative > zero;
      }
    }
    if (has_inertia) f_.inertia.zero = a_.order() - f_.rank;
  }

  void undo_scaling(int exponent) {
    if (exponent == 0) return;
    for (auto* part : {&f_.diagonal, &f_.subdiagonal})
      for (T& x : *part) x = times_power_of_two(x, -exponent);
    for (R* size : {&f_.largest_element, &f_.tolerance, &f_.remainder}) *size = times_power_of_two(*size, -exponent);
  }

  Storage& a_;
  const LdltOptions& options_;
  LdltFactorization<T> f_;
};

inline void require_valid(const LdltOptions& options) {
  pivotlab::require_valid(options.variant);
  const double tolerance = options.rank_tolerance.value_or(0);
  if (!(0 <= tolerance && tolerance < 1))
    throw InputError("option rank_tolerance: " + text_of(tolerance) + " is not in [0, 1); it is relative to max|A|");
}

template <bool hermitian, class T>
LdltFactorization<T> factor(MatrixView<const T> A, const LdltOptions& options) {
  require_square(A);
  if (options.storage == LdltStorage::packed) {
    PackedTriangle<T> packed(A.rows);
    load<hermitian>(A, options.triangle, packed);
    return Factorizer<T, PackedTriangle<T>, hermitian>(packed, options).run();
  }
  Matrix<T> copy(A.rows, A.cols);
  FullTriangle<T> full(copy);
  load<hermitian>(A, options.triangle, full);
  return Factorizer<T, FullTriangle<T>, hermitian>(full, options).run();
}

/// The symmetry becomes a constant; a real matrix is Hermitian.
template <class T, class Function>
auto with_symmetry(Symmetry symmetry, const Function& function) {
  if constexpr (is_complex<T>)
    if (symmetry == Symmetry::symmetric) return function(std::false_type());
  return function(std::true_type());
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
    ldlt_detail::check<hermitian.value>(A);
    return ldlt_detail::Factorizer<T, PackedTriangle<T>, hermitian.value>(A, options).run();
  });
}

template <class T>
PackedTriangle<T> pack(MatrixView<const T> A, InputTriangle triangle, Symmetry symmetry) {
  ldlt_detail::require_square(A);
  return ldlt_detail::with_symmetry<T>(symmetry, [&](auto hermitian) {
    PackedTriangle<T> packed(A.rows);
    ldlt_detail::load<hermitian.value>(A, triangle, packed);
    return packed;
  });
}

}  // namespace pivotlab
